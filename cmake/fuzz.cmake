# posenc_fuzz_NAME: libFuzzer programs, one for each tests/fuzz/NAME_fuzz.cpp, in builds with POSENC_FUZZ (the preset
# "native-debug": clang, which brings the fuzzer). scripts/fuzz runs them.

if(POSENC_FUZZ)
  target_compile_options(posenc PRIVATE -fsanitize=fuzzer-no-link)  # what it has to reach
  file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp")
  add_library(posenc_fuzz_support OBJECT EXCLUDE_FROM_ALL tests/fuzz/draw.cpp tests/fuzz/encodings.cpp tests/fuzz/attention_calls.cpp)
  target_link_libraries(posenc_fuzz_support PUBLIC posenc)
  add_custom_target(posenc_fuzz)
  foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM stem)
    string(REPLACE "_fuzz" "" name "${stem}")
    add_executable(posenc_fuzz_${name} EXCLUDE_FROM_ALL "${source}")
    target_link_libraries(posenc_fuzz_${name} PRIVATE posenc_fuzz_support)
    target_link_options(posenc_fuzz_${name} PRIVATE -fsanitize=fuzzer -Wl,--wrap=malloc)
    add_dependencies(posenc_fuzz posenc_fuzz_${name})
  endforeach()
endif()
