# mlc_add_dialect(NAME): tables and header from NAME.yaml and NAME.rules by mlc-gen; hooks from the C files beside it. All
# dialects are one object library, mlc_dialects, whose headers are <build>/include/mlc/dialects/NAME.h.
set(MLC_GEN_INCLUDE ${CMAKE_BINARY_DIR}/include)
set(MLC_DIALECTS "")

macro(mlc_add_dialect name)
  list(APPEND MLC_DIALECTS ${name})
endmacro()

# Loading a dialect loads those it uses, so every YAML file is an input of each.
function(mlc_write_dialect_registry)
  set(dir ${PROJECT_SOURCE_DIR}/lib/dialects)
  set(gen ${CMAKE_BINARY_DIR}/dialects)
  file(MAKE_DIRECTORY ${gen} ${MLC_GEN_INCLUDE}/mlc/dialects)
  set(yaml "")
  foreach(d ${MLC_DIALECTS})
    file(GLOB files CONFIGURE_DEPENDS ${dir}/${d}/*.yaml) # the first and those that its `files:` names
    list(APPEND yaml ${files})
    file(GLOB rules CONFIGURE_DEPENDS ${dir}/${d}/${d}.rules)
    set(rules_${d} ${rules})
  endforeach()
  set(tables "")
  set(headers "")
  set(hooks "")
  foreach(d ${MLC_DIALECTS})
    set(h ${MLC_GEN_INCLUDE}/mlc/dialects/${d}.h)
    add_custom_command(
      OUTPUT ${gen}/${d}.gen.c ${h}
      COMMAND mlc-gen ${dir} ${d} ${gen}/${d}.gen.c ${h}
      DEPENDS mlc-gen ${yaml} ${rules_${d}}
      COMMENT "Dialect ${d}")
    list(APPEND tables ${gen}/${d}.gen.c)
    list(APPEND headers ${h})
    file(GLOB c_files CONFIGURE_DEPENDS ${dir}/${d}/*.c)
    list(APPEND hooks ${c_files})
  endforeach()
  add_custom_command(
    OUTPUT ${gen}/registry.gen.c
    COMMAND mlc-gen --registry ${gen}/registry.gen.c ${MLC_DIALECTS}
    DEPENDS mlc-gen)
  set(instructions ${dir}/nvvm/instructions.yaml)
  add_custom_command(
    OUTPUT ${gen}/nvvm_instructions.gen.c
    COMMAND mlc-gen --instructions ${instructions} ${gen}/nvvm_instructions.gen.c
    DEPENDS mlc-gen ${instructions})
  add_custom_target(mlc_dialect_headers DEPENDS ${headers})
  add_library(mlc_dialects OBJECT ${hooks} ${tables} ${gen}/registry.gen.c ${gen}/nvvm_instructions.gen.c)
  add_dependencies(mlc_dialects mlc_dialect_headers)
  target_include_directories(mlc_dialects PUBLIC ${PROJECT_SOURCE_DIR}/include ${MLC_GEN_INCLUDE}
                                          PRIVATE ${PROJECT_SOURCE_DIR}/lib/ir ${dir})
  set_property(GLOBAL PROPERTY MLC_DIALECTS ${MLC_DIALECTS})
  target_compile_definitions(mlc_dialects PRIVATE MLC_BUILDING _GNU_SOURCE)
endfunction()
