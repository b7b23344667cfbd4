#include "posenc/core/make.hpp"

namespace posenc {

Status make_parameters(const Info& info, void* options, Status (*resolve)(void* options) noexcept,
                       uint64_t seed, ParameterSet& parameters) noexcept {
  if (Status status = check_fields(info.fields, options); !status) return status;
  if (Status status = resolve(options); !status) return status;
  return parameters.prepare(info, options, seed);
}

}  // namespace posenc
