# cmake --install, and what find_package(posenc) finds of it: the target posenc::posenc.
#
# All headers are public but those that need xsimd, which only the library's own sources include. So an installed
# library needs nothing beside itself, and no header means something else where other instructions are compiled for.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(GLOB_RECURSE headers RELATIVE "${PROJECT_SOURCE_DIR}/cpp" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cpp/posenc/*.hpp")
foreach(header IN LISTS headers)
  file(STRINGS "${PROJECT_SOURCE_DIR}/cpp/${header}" needs_xsimd REGEX "${posenc_simd_include}")
  if(NOT needs_xsimd)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "cpp/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
  endif()
endforeach()

set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/posenc")
install(TARGETS posenc EXPORT posenc-targets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT posenc-targets FILE posenc-config.cmake NAMESPACE posenc:: DESTINATION "${config_folder}")
# Before 1.0 a new minor version may break callers.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/posenc-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/posenc-config-version.cmake" DESTINATION "${config_folder}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/posenc")
