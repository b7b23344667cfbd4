// embind names each type that it registers after its address, and for that alone its library calls printf, which would
// weigh 4 kB here. cmake/module.cmake sends that one call to the function below.
#include <cstdarg>
#include <cstdint>

// out = the address that "%p" takes, in hexadecimal.
extern "C" int __wrap_siprintf(char* out, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  auto rest = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(va_arg(arguments, void*)));
  va_end(arguments);
  for (int i = 0; i < 8; i++, rest <<= 4) *out++ = "0123456789abcdef"[rest >> 28];
  *out = 0;
  return 8;
}
