# Optimisation of the wasm builds: a page downloads all of it, so only what loops over many numbers is built for speed.
# Sizes that these choices were made by stand in docs/size.md.

# Loops that the compiler vectorises by itself weigh several times what plain ones do; what has to be fast is written
# with xsimd.
set(posenc_plain_loops -fno-vectorize -fno-slp-vectorize)

# Kernels that run once per object, not per call.
set(rare_kernels "/kernels/(eigen|half|resample|shift|windows)\\.cpp$")
# The others for speed, but unrolled only where the number of turns is known.
set(unrolled_plainly -fno-vectorize -mllvm=-unroll-runtime=false -mllvm=-unroll-allow-partial=false)
# Kernels whose plain loops are the ends of rows alone.
set(plain_ends "/kernels/rotate\\.cpp$")
# Of attention, what has loops over elements of its own; the rest checks, lays out, keeps, or calls kernels tile by tile.
set(loops_of_attention "/attention/(decode|distances|fade|gates|mask|relative|relative_scores|rotation|sparse)\\.cpp$")

# What is compiled once for all variants, and the bindings, is optimised again over all files when a module is linked: the
# compiler gives it in the form that the linker takes to that. Emscripten's own option for it, -flto when linking too,
# would want its libraries in that form. Options of files that are no attributes of functions are said again there.
# Of what is called once, both put only short functions into their callers: short ones have few local variables, and are
# more alike. LLVM has no limit for that, so an instruction costs more; Binaryen has one (module.cmake).
set(posenc_whole_program -flto "SHELL:-mllvm -inline-instr-cost=20")
set(posenc_whole_program_link
  "-Wl,-mllvm,-vectorize-loops=false,-mllvm,-vectorize-slp=false,-mllvm,-unroll-runtime=false,-mllvm,-unroll-allow-partial=false,-mllvm,-inline-instr-cost=20")

foreach(source IN LISTS library_sources)
  if(source MATCHES "${plain_ends}")
    set(options ${posenc_plain_loops})
  elseif(source MATCHES "/kernels/[^/]+$" AND NOT source MATCHES "${rare_kernels}")
    set(options ${unrolled_plainly})
  elseif(source MATCHES "/kernels/[^/]+$")
    set(options -Os ${posenc_plain_loops})
  elseif(source MATCHES "${loops_of_attention}")
    set(options -Os -fno-slp-vectorize)
  else()
    set(options -Oz ${posenc_plain_loops})
  endif()
  set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "${options}")
endforeach()
