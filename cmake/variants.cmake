# posenc_simd, posenc_relaxed, posenc_scalar: the library for WebAssembly with the instructions of each. Only what uses
# them is compiled for each: the kernels, by hand, and loops of attention, by the compiler. The rest is the same code, so it
# is compiled once.
set(posenc_variants simd relaxed scalar)
set(instructions_of_simd -msimd128)
set(instructions_of_relaxed -msimd128 -mrelaxed-simd)
set(instructions_of_scalar)

set(plain_sources ${library_sources})
set(variant_sources ${library_sources})
list(FILTER plain_sources EXCLUDE REGEX "/kernels/[^/]+$|${loops_of_attention}")
list(FILTER variant_sources INCLUDE REGEX "/kernels/[^/]+$|${loops_of_attention}")

posenc_library(posenc_plain OBJECT ${plain_sources})
target_compile_options(posenc_plain PRIVATE -Oz)  # as its files are, or they could not take the headers
posenc_precompile_headers(posenc_plain)
target_compile_options(posenc_plain PRIVATE ${posenc_whole_program})

foreach(variant IN LISTS posenc_variants)
  posenc_library(posenc_${variant} STATIC ${variant_sources} $<TARGET_OBJECTS:posenc_plain>)
  target_compile_options(posenc_${variant} PUBLIC ${instructions_of_${variant}})
  target_link_options(posenc_${variant} PUBLIC "${posenc_whole_program_link}")
endforeach()
# Without SIMD instructions, xsimd runs its batches as plain loops.
target_compile_definitions(posenc_scalar PUBLIC XSIMD_WITH_EMULATED=1)
add_library(posenc::posenc ALIAS posenc_simd)
