# posenc_manifest: prints all that is known of every encoding as JSON, in Node. It is the one build that keeps
# the texts (titles, formulas, sources), so it compiles once more what has any; kernels have none.

posenc_sources(manifest_sources bindings/manifest)

posenc_library(posenc_documented OBJECT ${plain_sources})
target_compile_definitions(posenc_documented PUBLIC POSENC_WITH_DOCS=1)
target_compile_options(posenc_documented PRIVATE -Oz)  # as its files are, or they could not take the headers
posenc_precompile_headers(posenc_documented)

function(posenc_manifest_program name)
  add_executable(${name} ${manifest_sources})
  target_link_libraries(${name} PRIVATE posenc_documented posenc_scalar)
  target_link_options(${name} PRIVATE -O0 -sENVIRONMENT=node -sEXIT_RUNTIME -sWASM_BIGINT -sALLOW_MEMORY_GROWTH)
endfunction()

posenc_manifest_program(posenc_manifest)

# The same with one more encoding, for the test that adding one needs no other edit.
set(fixture "${PROJECT_SOURCE_DIR}/tests/fixtures/fixture_encoding.hpp")
if(EXISTS "${fixture}")
  posenc_manifest_program(posenc_manifest_fixture)
  target_compile_definitions(posenc_manifest_fixture PRIVATE "POSENC_EXTRA_ENCODINGS=\"${fixture}\"")
endif()
