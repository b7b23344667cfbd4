// Bulk calls of relative encodings: the rows of a term, by distance. Scores and gradients are
// attention's.
#include <emscripten/emscripten.h>

#include "bulk.hpp"
#include "calls.hpp"
#include "posenc/core/relative.hpp"
#include "report.hpp"

namespace posenc::bindings {

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t posenc_relative_rows(const RelativeCall* call) {
  const auto& encoding = static_cast<const RelativeEncoding&>(*call->encoding);
  constexpr PositionDomain kDistances = {
      .kind = DomainKind::kIntegers, .limit = 2 * kRelativeLimit, .axes = 1};
  Status status = check_positions(given_row(call->distances, 0), kDistances, "distances");
  if (!status) return report(status);
  const bool value =
      encoding.terms()[static_cast<std::size_t>(call->term)].side == RelativeSide::kValue;
  const int64_t width = value ? encoding.value_dim() : encoding.head_dim();
  const int64_t heads = std::max<int64_t>(encoding.heads(), 1), count = call->distances.count;
  Buffer<float> memory;
  status = memory.allocate(heads * (width + 1) + encoding.scratch_floats(), "distances");
  if (!status) return report(status);
  float *rows = memory.data(), *biases = rows + heads * width, *scratch = biases + heads;
  const Positions distances = row_of(call->distances, 0);
  for (int64_t i = 0; i < count; i++) {
    encoding.write({call->term, static_cast<int64_t>(distances.at(i)), 1}, rows, biases, scratch);
    for (int64_t h = 0; h < heads; h++)
      std::copy_n(rows + h * width, width, call->out + (h * count + i) * width);
  }
  return kSuccess;
}

}  // extern "C"

}  // namespace posenc::bindings
