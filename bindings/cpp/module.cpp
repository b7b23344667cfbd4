// What embind offers: configuration and lifetime of objects, which JavaScript knows by kind and
// address. Its size does not depend on the number of encodings, which are found by id. Bulk calls
// are plain exports beside it (input.cpp, rotary.cpp, bias.cpp, attention.cpp, ...).
#include <emscripten/bind.h>

#include "objects.hpp"

namespace posenc::bindings {

EMSCRIPTEN_BINDINGS(posenc) {
  emscripten::function("make", &make);
  emscripten::function("number", &number);
  emscripten::function("change", &change);
  emscripten::function("remove", &remove);
}

}  // namespace posenc::bindings
