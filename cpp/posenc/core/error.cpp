#include "posenc/core/error.hpp"

#include <algorithm>

namespace posenc {

std::unexpected<Error> fail(ErrorCode code, TextRef parameter, TextRef received,
                            TextRef allowed) noexcept {
  static thread_local Error::Record records[kErrorsKept];
  static thread_local int next = 0;
  Error::Record& record = records[next];
  next = (next + 1) % kErrorsKept;

  record.code = code;
  const TextRef parts[] = {parameter, received, allowed};
  for (int i = 0; i < 3; i++) {
    const Text text(parts[i].c_str());
    std::copy_n(text.c_str(), text.view().size() + 1, record.texts[i]);
  }
  return std::unexpected(Error(&record));
}

}  // namespace posenc
