# posenc_bench: native timings of kernels and encodings (cpp/bench). Not part of a plain build.

posenc_sources(bench_sources cpp/bench)
if(bench_sources)
  add_executable(posenc_bench EXCLUDE_FROM_ALL ${bench_sources})
  target_link_libraries(posenc_bench PRIVATE posenc)
endif()
