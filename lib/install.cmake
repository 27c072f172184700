# What an installation holds, and how find_package(glass) finds it there or in the build tree. Two export sets, because the device headers
# need nothing while the static library needs its dependencies found again on the machine of the user (lib/glassConfig.cmake.in).
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/glass)

install(TARGETS glass_device EXPORT glassDevice)
install(TARGETS glass_jit EXPORT glassJit ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET glass)
  install(TARGETS glass RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/glass DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.cuh" PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT glassDevice NAMESPACE glass:: FILE glassDevice.cmake DESTINATION ${package_folder})
install(EXPORT glassJit NAMESPACE glass:: FILE glassJit.cmake DESTINATION ${package_folder})
export(EXPORT glassDevice NAMESPACE glass:: FILE ${PROJECT_BINARY_DIR}/glassDevice.cmake)
export(EXPORT glassJit NAMESPACE glass:: FILE ${PROJECT_BINARY_DIR}/glassJit.cmake)

configure_package_config_file(${PROJECT_SOURCE_DIR}/lib/glassConfig.cmake.in ${PROJECT_BINARY_DIR}/glassConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/glassConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(${PROJECT_SOURCE_DIR}/lib/dependencies.cmake ${PROJECT_BINARY_DIR}/glassDependencies.cmake COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/glassConfig.cmake ${PROJECT_BINARY_DIR}/glassConfigVersion.cmake
              ${PROJECT_BINARY_DIR}/glassDependencies.cmake DESTINATION ${package_folder})
