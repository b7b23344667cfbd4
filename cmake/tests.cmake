# posenc_tests: one doctest program from tests/cpp, the same on every build. Its plain-double reference is
# cpp/reference.

posenc_sources(reference_sources cpp/reference)
if(reference_sources)
  add_library(posenc_reference STATIC ${reference_sources})
  target_include_directories(posenc_reference PUBLIC cpp)
  target_link_libraries(posenc_reference PUBLIC posenc)
endif()

posenc_sources(test_sources tests/cpp)
add_executable(posenc_tests ${test_sources})
target_include_directories(posenc_tests PRIVATE tests/cpp)
target_link_libraries(posenc_tests PRIVATE posenc posenc_doctest $<TARGET_NAME_IF_EXISTS:posenc_reference>)
# Where golden files are read from when the environment variable of the same name does not say.
set_source_files_properties(tests/cpp/support/golden.cpp PROPERTIES
  COMPILE_DEFINITIONS "POSENC_GOLDEN=\"${PROJECT_SOURCE_DIR}/tests/golden\"")

# Assertions are many small calls: optimising them costs a lot of time and tells nothing. What is tested is
# in the libraries, which keep the optimisation of the build.
target_compile_options(posenc_tests PRIVATE $<$<NOT:$<BOOL:${POSENC_SANITIZE}>>:-O1>)
target_precompile_headers(posenc_tests PRIVATE <doctest/doctest.h>)
set_source_files_properties(tests/cpp/main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)  # it implements doctest

if(EMSCRIPTEN)
  target_compile_definitions(posenc_tests PRIVATE DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS)
  target_link_options(posenc_tests PRIVATE
    -O1  # without wasm-opt, which takes most of a link
    -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sWASM_BIGINT
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sABORTING_MALLOC=0 -sSTACK_SIZE=1MB)
endif()
