# The toolchain file of the wasm presets: hands over to the one that comes with Emscripten, taking the copy
# that the set-up script prepared or linked in .toolchain, else the emcc on PATH.
cmake_path(SET posenc_root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/..")

if(EXISTS "${posenc_root}/.toolchain/emscripten/emcc")
  set(posenc_emscripten "${posenc_root}/.toolchain/emscripten")
else()
  find_program(posenc_em_config em-config)
  if(posenc_em_config)
    execute_process(COMMAND "${posenc_em_config}" EMSCRIPTEN_ROOT
                    OUTPUT_VARIABLE posenc_emscripten OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()

if(NOT posenc_emscripten)
  message(FATAL_ERROR "No Emscripten: run `npm run setup`, or put the bin folder of Emscripten 3.1.69 or newer on PATH.")
endif()

include("${posenc_emscripten}/cmake/Modules/Platform/Emscripten.cmake")
