# What `cmake --install` puts where: tools, libraries, public headers, and what other trees build with (package/).
include(CMakePackageConfigHelpers)

# The libraries' ABI: programs that were linked with one number run with every library of that number.
set(MLC_ABI 0)
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(CMAKE_INSTALL_RPATH $ORIGIN/${lib_from_bin})

# What tools read; the build folder has it at the same place beside them.
set(MLC_DATA_DIR ${CMAKE_INSTALL_DATADIR}/mlc)
file(RELATIVE_PATH MLC_DATA_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/mlc)
cmake_path(SET built_data NORMALIZE ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${MLC_DATA_FROM_BIN})
file(MAKE_DIRECTORY ${built_data})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/template ${built_data}/template SYMBOLIC)

# mlc_install_library(TARGET COMPONENT): a library, for others mlc::COMPONENT.
function(mlc_install_library target component)
  set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${MLC_ABI} EXPORT_NAME ${component}
                                             INSTALL_RPATH $ORIGIN)
  install(TARGETS ${target} EXPORT mlc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

# mlc_install_pkg_config(NAME LIBRARY DESCRIPTION [NEEDED...]): NAME.pc, which finds its folders from where it lies itself.
function(mlc_install_pkg_config name library description)
  set(dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH prefix ${CMAKE_INSTALL_PREFIX}/${dir} ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" prefix ${prefix})
  set(needed ${ARGN})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/package/mlc.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${dir})
endfunction()

# mlc_install_package(): all but the libraries, once their targets and those of the tools are there.
function(mlc_install_package)
  set_target_properties(mlc-cli PROPERTIES EXPORT_NAME mlc)
  install(TARGETS mlc-cli mlc-opt mlc-translate mlc-cpu-runner mlc-ptxsim mlc-gen EXPORT mlc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY include/mlc ${CMAKE_BINARY_DIR}/include/mlc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  mlc_install_pkg_config(mlc mlc "IR, dialects, passes, conversions and interpreter")
  mlc_install_pkg_config(mlc-runtime mlc_runtime "Loads and runs compiled models")
  mlc_install_pkg_config(mlc-opt mlc_opt "mlc-opt as a function, for tools with other dialects and passes" mlc)

  install(DIRECTORY template python DESTINATION ${MLC_DATA_DIR} PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY examples/calc examples/grid DESTINATION ${MLC_DATA_DIR}/examples)
  install(DIRECTORY lib/dialects DESTINATION ${MLC_DATA_DIR} FILES_MATCHING PATTERN *.yaml)
  set(dir ${CMAKE_INSTALL_LIBDIR}/cmake/mlc)
  set(built ${CMAKE_CURRENT_BINARY_DIR})
  configure_package_config_file(cmake/package/mlcConfig.cmake.in mlcConfig.cmake INSTALL_DESTINATION ${dir} PATH_VARS MLC_DATA_DIR)
  write_basic_package_version_file(mlcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${built}/mlcConfig.cmake ${built}/mlcConfigVersion.cmake cmake/package/MlcAddDialect.cmake DESTINATION ${dir})
  install(EXPORT mlc NAMESPACE mlc:: FILE mlcTargets.cmake DESTINATION ${dir})
endfunction()
