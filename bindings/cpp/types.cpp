// The types that may cross embind here. Its library registers all that C++ has, strings and views
// of memory too: with them the glue would be twice as large. This file stands in the library's
// place, so a type that is not listed is an error as soon as the module is linked.
#include <emscripten/bind.h>

#include <cstdint>
#include <cstdlib>
#include <limits>

using namespace emscripten::internal;

namespace {

template <typename T>
void integer(const char* name) noexcept {
  _embind_register_integer(TypeID<T>::get(), name, sizeof(T), std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::max());
}

InitFunc* first = nullptr;

}  // namespace

extern "C" {

// Of a type that is not registered: there is none, and the glue frees what it gets.
EMSCRIPTEN_KEEPALIVE const char* __getTypeName(const void*) {
  return static_cast<const char*>(std::calloc(1, 1));
}

void _embind_initialize_bindings() {
  for (InitFunc* each = first; each != nullptr; each = each->next) each->init_func();
}

void _embind_register_bindings(InitFunc* bindings) {
  bindings->next = first;
  first = bindings;
}

}  // extern "C"

EMSCRIPTEN_BINDINGS(types) {
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  integer<int32_t>("int");
  integer<uintptr_t>("unsigned long");
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
}
