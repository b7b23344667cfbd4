# xsimd and doctest are headers only. They are taken from .toolchain/include or from the system, and given to
# the compiler through a folder of links in the build tree: with -I/usr/include emcc would see the host's libc.

option(POSENC_FETCH "Download xsimd and doctest where this machine does not have them" OFF)
set(POSENC_XSIMD_VERSION 13.2.0)
set(POSENC_DOCTEST_VERSION 2.4.11)

# Sets RESULT to the "major.minor.patch" that three #defines in FILE spell, or to "" where there are none.
function(posenc_header_version file prefix result)
  set(version "")
  if(EXISTS "${file}")
    file(STRINGS "${file}" lines REGEX "^#define ${prefix}_VERSION_(MAJOR|MINOR|PATCH) ")
    foreach(part MAJOR MINOR PATCH)
      string(REGEX MATCH "${prefix}_VERSION_${part} ([0-9]+)" matched "${lines}")
      list(APPEND version "${CMAKE_MATCH_1}")
    endforeach()
    list(JOIN version "." version)
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# Defines the interface library posenc_NAME for the headers of the folder NAME, version OLDEST or newer.
function(posenc_header_library name version_file prefix oldest repository)
  foreach(base "${PROJECT_SOURCE_DIR}/.toolchain/include" ${CMAKE_PREFIX_PATH} /usr/include /usr/local/include
               /opt/homebrew/include)
    foreach(folder "${base}/${name}" "${base}/include/${name}")
      posenc_header_version("${folder}/${version_file}" ${prefix} version)
      if(NOT found AND version VERSION_GREATER_EQUAL oldest)
        set(found "${folder}")
      endif()
    endforeach()
  endforeach()

  if(NOT found)
    if(NOT POSENC_FETCH)
      message(FATAL_ERROR "No ${name} ${oldest} or newer in .toolchain/include or the system: run `npm run setup`, "
                          "set CMAKE_PREFIX_PATH, or let CMake download it with -DPOSENC_FETCH=ON.")
    endif()
    include(FetchContent)
    # SOURCE_SUBDIR names a folder without a CMakeLists.txt: only the files are wanted, not the project's targets.
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${ARGN} GIT_SHALLOW ON SOURCE_SUBDIR headers-only)
    FetchContent_MakeAvailable(${name})
    file(GLOB found "${${name}_SOURCE_DIR}/include/${name}" "${${name}_SOURCE_DIR}/${name}")
    list(GET found 0 found)
  endif()

  set(links "${PROJECT_BINARY_DIR}/headers/${name}")
  file(MAKE_DIRECTORY "${links}")
  file(CREATE_LINK "${found}" "${links}/${name}" SYMBOLIC)
  message(STATUS "${name}: ${found}")
  add_library(posenc_${name} INTERFACE)
  target_include_directories(posenc_${name} SYSTEM INTERFACE "${links}")
endfunction()

posenc_header_library(xsimd config/xsimd_config.hpp XSIMD ${POSENC_XSIMD_VERSION}
                      https://github.com/xtensor-stack/xsimd.git ${POSENC_XSIMD_VERSION})
if(POSENC_TESTS)
  posenc_header_library(doctest doctest.h DOCTEST ${POSENC_DOCTEST_VERSION}
                        https://github.com/doctest/doctest.git v${POSENC_DOCTEST_VERSION})
endif()
