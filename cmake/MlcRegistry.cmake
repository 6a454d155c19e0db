# The one line that adds a pass, a conversion or a pipeline; the registry, --help and the reference page come from it.
set_property(GLOBAL PROPERTY MLC_PASSES "")

# mlc_add_pass(FOLDER/NAME): lib/passes/FOLDER/NAME.c ends with MLC_PASS(NAME, ...).
function(mlc_add_pass path)
  get_filename_component(name ${path} NAME)
  if(NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/${path}.c)
    message(FATAL_ERROR "${CMAKE_CURRENT_LIST_FILE}: no file ${path}.c")
  endif()
  set_property(GLOBAL APPEND PROPERTY MLC_PASSES ${name})
endfunction()

# mlc_add_conversion(FOLDER/A_to_B): lib/conversion/FOLDER/A_to_B.c ends with MLC_PASS(A_to_B, ...).
function(mlc_add_conversion path)
  mlc_add_pass(${path})
endfunction()

# mlc_write_pass_registry(OUT): the table of all of them, sorted by name.
function(mlc_write_pass_registry out)
  get_property(passes GLOBAL PROPERTY MLC_PASSES)
  list(SORT passes)
  set(text "// Written by CMake from the mlc_add_pass and mlc_add_conversion lines.\n#include \"mlc/pass.h\"\n#include \"manager/registry.h\"\n\n")
  foreach(pass IN LISTS passes)
    string(APPEND text "extern const MlcPassDef mlc_pass_${pass};\n")
  endforeach()
  string(APPEND text "\nconst MlcPassDef *const mlc_builtin_passes[] = {\n")
  foreach(pass IN LISTS passes)
    string(APPEND text "    &mlc_pass_${pass},\n")
  endforeach()
  list(LENGTH passes count)
  string(APPEND text "    NULL,\n};\nconst size_t mlc_num_builtin_passes = ${count};\n")
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()
