#include "posenc/core/error.hpp"

namespace posenc {

std::unexpected<Error> fail(ErrorCode code, const Text& parameter, const Text& received,
                            const Text& allowed) noexcept {
  return std::unexpected(Error{code, parameter, received, allowed});
}

}  // namespace posenc
