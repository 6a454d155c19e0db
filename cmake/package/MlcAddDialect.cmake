# For trees that build on an installed mlc; find_package(mlc) brings this.

# mlc_add_dialect(NAME [SOURCE...]): the object library NAME_dialect from NAME.yaml and, where it is there, NAME.rules in this
# folder, with the C files that define what the two name. Who links it includes mlc/dialects/NAME.h and registers
# mlc_NAME_dialect.
function(mlc_add_dialect name)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/mlc-gen)
  set(generated ${out}/${name}.gen.c ${out}/mlc/dialects/${name}.h)
  file(MAKE_DIRECTORY ${out}/mlc/dialects)
  file(GLOB inputs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.yaml ${CMAKE_CURRENT_SOURCE_DIR}/*.rules)
  add_custom_command(OUTPUT ${generated}
    COMMAND mlc::mlc-gen --outside ${CMAKE_CURRENT_SOURCE_DIR} ${MLC_DATA}/dialects ${name} ${generated}
    DEPENDS mlc::mlc-gen ${inputs} COMMENT "Dialect ${name}" VERBATIM)
  add_library(${name}_dialect OBJECT ${generated} ${ARGN})
  set_target_properties(${name}_dialect PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name}_dialect PUBLIC ${out})
  target_link_libraries(${name}_dialect PUBLIC mlc::ir)
endfunction()

# mlc_add_lit_suite(NAME FOLDER [TARGET...]): the test NAME of ctest runs the files of FOLDER by lit. Their RUN lines name mlc's
# tools, FileCheck, not, and the targets. MLC_LIT is lit where it is not found by itself.
function(mlc_add_lit_suite name folder)
  find_program(MLC_LIT NAMES lit llvm-lit-19 llvm-lit lit.py PATHS /usr/lib/llvm-19/build/utils/lit)
  find_program(MLC_FILECHECK NAMES FileCheck-19 FileCheck PATHS /usr/lib/llvm-19/bin)
  find_program(MLC_NOT NAMES not-19 not PATHS /usr/lib/llvm-19/bin)
  if(NOT MLC_LIT OR NOT MLC_FILECHECK OR NOT MLC_NOT)
    message(FATAL_ERROR "mlc_add_lit_suite needs lit, FileCheck and not: on Debian llvm-19-tools; or name them by -DMLC_LIT, "
                        "-DMLC_FILECHECK, -DMLC_NOT")
  endif()
  set(tools "('FileCheck', '${MLC_FILECHECK}'), ('not', '${MLC_NOT}')")
  foreach(tool mlc mlc-opt mlc-translate)
    string(APPEND tools ", ('${tool}', '$<TARGET_FILE:mlc::${tool}>')")
  endforeach()
  foreach(target IN LISTS ARGN)
    string(APPEND tools ", ('${target}', '$<TARGET_FILE:${target}>')")
  endforeach()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/lit-${name})
  file(GENERATE OUTPUT ${out}/lit.site.cfg.py CONTENT "# Written by mlc_add_lit_suite.
import shlex

import lit.formats

config.name = '${name}'
config.suffixes = ['.mlir', '.test']
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = '${CMAKE_CURRENT_SOURCE_DIR}/${folder}'
config.test_exec_root = '${out}'
for name, path in [${tools}]:
    # A word that is a tool's name, not part of a path or of another name.
    config.substitutions.append((r'(?<![-\\w./])' + name + r'(?![-\\w./])', shlex.quote(path)))
")
  add_test(NAME ${name} COMMAND ${MLC_LIT} -sv --no-progress-bar ${out})
endfunction()
