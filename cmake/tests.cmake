# posenc_tests: one doctest program from tests/cpp, the same on every build; for WebAssembly posenc_tests_VARIANT. Its
# plain-double reference is cpp/reference.

# Those of a list of sources that include the kernels' SIMD headers mean something else in each variant.
function(posenc_sources_with_simd result)
  set(found "")
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" simd REGEX "${posenc_simd_include}")
    if(simd)
      list(APPEND found "${source}")
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

posenc_sources(reference_sources cpp/reference)
posenc_library(posenc_reference STATIC ${reference_sources})

# Assertions are many small calls: optimising them costs a lot of time and tells nothing. What is tested is
# in the libraries, which keep the optimisation of the build.
add_library(posenc_test_options INTERFACE)
target_compile_options(posenc_test_options INTERFACE $<$<NOT:$<BOOL:${POSENC_SANITIZE}>>:-O1>)
target_include_directories(posenc_test_options INTERFACE tests/cpp)
target_link_libraries(posenc_test_options INTERFACE posenc_doctest posenc_reference)
# Where golden files are read from when the environment variable of the same name does not say.
set_source_files_properties(tests/cpp/support/golden.cpp PROPERTIES
  COMPILE_DEFINITIONS "POSENC_GOLDEN=\"${PROJECT_SOURCE_DIR}/tests/golden\"")
set_source_files_properties(tests/cpp/main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)  # it implements doctest

posenc_sources(test_sources tests/cpp)
posenc_sources_with_simd(simd_tests ${test_sources})
list(REMOVE_ITEM test_sources ${simd_tests})

posenc_library(posenc_test_objects OBJECT ${test_sources})
target_link_libraries(posenc_test_objects PRIVATE posenc_test_options)
target_precompile_headers(posenc_test_objects PRIVATE
  <doctest/doctest.h> tests/cpp/support/compare.hpp tests/cpp/support/golden.hpp cpp/posenc/core/adapters.hpp)

function(posenc_test_program name library)
  add_executable(${name} ${simd_tests} $<TARGET_OBJECTS:posenc_test_objects>)
  target_link_libraries(${name} PRIVATE ${library} posenc_test_options)
endfunction()

if(EMSCRIPTEN)
  target_compile_definitions(posenc_test_options INTERFACE DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS)
  target_link_options(posenc_test_options INTERFACE
    -O1  # without wasm-opt, which takes most of a link
    -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sWASM_BIGINT
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sABORTING_MALLOC=0 -sSTACK_SIZE=1MB)
  foreach(variant IN LISTS posenc_variants)
    posenc_test_program(posenc_tests_${variant} posenc_${variant})
  endforeach()
else()
  posenc_test_program(posenc_tests posenc)
endif()
