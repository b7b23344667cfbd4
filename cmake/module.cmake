# posenc_module_VARIANT: the library and its bindings as VARIANT/posenc_module.wasm and Emscripten's JavaScript for it, the
# glue.
#
# All variants share one glue, which the package's own loader hands a compiled WebAssembly.Module (the hook
# instantiateWasm). So the glue must not differ between variants, must not fetch, and must not know Node.

posenc_sources(binding_sources bindings/cpp)
set(variant_binding "${PROJECT_SOURCE_DIR}/bindings/cpp/memory.cpp")  # tells which variant it is
list(REMOVE_ITEM binding_sources "${variant_binding}")

add_library(posenc_binding_options INTERFACE)
# Type names for error texts need RTTI; the bindings check what they are given themselves.
target_compile_definitions(posenc_binding_options INTERFACE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
# Here all encodings are instantiated: what is made once per object is built for size.
target_compile_options(posenc_binding_options INTERFACE -Oz ${posenc_plain_loops})
target_link_libraries(posenc_binding_options INTERFACE embind)  # for its JavaScript: see bindings/cpp/types.cpp

posenc_library(posenc_bindings OBJECT ${binding_sources})
target_link_libraries(posenc_bindings PRIVATE posenc_binding_options)
target_compile_options(posenc_bindings PRIVATE ${posenc_whole_program})

foreach(variant IN LISTS posenc_variants)
  set(module posenc_module_${variant})
  add_executable(${module} "${variant_binding}" $<TARGET_OBJECTS:posenc_bindings>)
  set_target_properties(${module} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${variant}" OUTPUT_NAME posenc_module SUFFIX .mjs)
  target_link_libraries(${module} PRIVATE posenc_${variant} posenc_binding_options)
  target_link_options(${module} PRIVATE
    -O2  # -O3 would rename imports and exports, in each variant differently
    # Leaving out the zeros between constants makes a thousand short segments, whose headers gzip cannot fold.
    # And -O2 is followed by passes for size. What is called once stays a function of its own where it is not small.
    -sBINARYEN_EXTRA_PASSES=--skip-pass=memory-packing,--one-caller-inline-max-function-size=60,-Oz
    --emit-symbol-map "-Wl,-Map=${variant}/posenc_module.map"  # what scripts/size.mjs tells the parts by
    -fno-exceptions -fno-rtti -sSUPPORT_LONGJMP=0  # which build of embind's own library is linked hangs on these too
    -sEMBIND_AOT -sDYNAMIC_EXECUTION=0  # callers written at build time: no eval, so it runs under a strict CSP
    -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=createModule -sENVIRONMENT=web,worker
    -sINCOMING_MODULE_JS_API=instantiateWasm,print,printErr  # all that the loader passes
    -sWASM_BIGINT -sFILESYSTEM=0 -sASSERTIONS=0 -sTEXTDECODER=2
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
    # Out of memory is a null pointer, then an error value. Near 4 GB the smaller emmalloc's sums of addresses and sizes
    # wrap, so that it gives memory that is not there.
    -sMALLOC=dlmalloc -sABORTING_MALLOC=0
    -sSTACK_SIZE=256KB -Wl,--stack-first)  # an overflow traps; it does not write over data
endforeach()

# EMBIND_AOT runs the module in Node while linking, and Node 20 takes relaxed SIMD only with a flag, for which
# Emscripten's setting has no room: hence a small script in Node's place.
find_program(POSENC_NODE NAMES node nodejs REQUIRED NO_CMAKE_FIND_ROOT_PATH)
execute_process(COMMAND "${POSENC_NODE}" --v8-options OUTPUT_VARIABLE v8_options)
if(v8_options MATCHES "--experimental-wasm-relaxed-simd")
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/node" @ONLY
       CONTENT "#!/bin/sh\nexec \"@POSENC_NODE@\" --experimental-wasm-relaxed-simd \"$@\"\n")
  file(CHMOD "${PROJECT_BINARY_DIR}/node" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set_property(TARGET posenc_module_relaxed PROPERTY
               RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env EM_NODE_JS=${PROJECT_BINARY_DIR}/node")
endif()
