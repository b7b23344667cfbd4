// Bulk calls of input encodings.
#include <emscripten/emscripten.h>

#include "bulk.hpp"
#include "calls.hpp"
#include "report.hpp"

namespace posenc::bindings {
namespace {

const InputEncoding& encoding_of(const InputCall& call) noexcept {
  return static_cast<const InputEncoding&>(*call.encoding);
}

Status check(const InputCall& call) noexcept {
  return check_rows(call.positions, call.batch, *call.encoding, "positions");
}

Status allocate_scratch(const InputCall& call, Buffer<float>& scratch) noexcept {
  return scratch.allocate(encoding_of(call).scratch_floats(call.positions.count), "x");
}

}  // namespace

extern "C" {

// out [batch, count, width]
EMSCRIPTEN_KEEPALIVE int32_t posenc_input_encode(const InputCall* call) {
  if (Status status = check(*call); !status) return report(status);
  const InputEncoding& encoding = encoding_of(*call);
  if (encoding.reads_x()) {
    return report(fail(ErrorCode::kUnsupported, "encode", "positions alone",
                       "add(x) or concat(x): these rows depend on x"));
  }
  for (int64_t row = 0; row < call->batch; row++) {
    encoding.encode(row_of(call->positions, row),
                    call->out + row * call->positions.count * encoding.width());
  }
  return kSuccess;
}

// x, out [batch, count, width]; out may be x.
EMSCRIPTEN_KEEPALIVE int32_t posenc_input_add(const InputCall* call) {
  if (Status status = check(*call); !status) return report(status);
  Buffer<float> scratch;
  if (Status status = allocate_scratch(*call, scratch); !status) return report(status);
  const InputEncoding& encoding = encoding_of(*call);
  for (int64_t row = 0; row < call->batch; row++) {
    const int64_t offset = row * call->positions.count * encoding.width();
    encoding.add(row_of(call->positions, row), call->x + offset, call->out + offset,
                 scratch.data());
  }
  return kSuccess;
}

// x [batch, count, x_width] → out [batch, count, x_width + width]
EMSCRIPTEN_KEEPALIVE int32_t posenc_input_concat(const InputCall* call) {
  if (Status status = check(*call); !status) return report(status);
  if (encoding_of(*call).reads_x() && call->x_width != encoding_of(*call).width()) {
    return report(
        fail(ErrorCode::kShapeMismatch, "x", text_of(call->x_width, " columns"),
             text_of(encoding_of(*call).width(), " columns, which the rows are made from")));
  }
  Buffer<float> scratch;
  if (Status status = allocate_scratch(*call, scratch); !status) return report(status);
  const InputEncoding& encoding = encoding_of(*call);
  for (int64_t row = 0; row < call->batch; row++) {
    const int64_t first = row * call->positions.count;
    encoding.concat(row_of(call->positions, row), call->x + first * call->x_width, call->x_width,
                    call->out + first * (call->x_width + encoding.width()), scratch.data());
  }
  return kSuccess;
}

// x: gradient of the rows [batch, count, width]; out: gradients of the trained tensors. Encodings
// that read x take what they read as content and give its gradient.
EMSCRIPTEN_KEEPALIVE int32_t posenc_input_backward(const InputCall* call) {
  if (Status status = check(*call); !status) return report(status);
  const InputEncoding& encoding = encoding_of(*call);
  float* block = call->out;
  Gradients gradients = gradients_at(encoding, block);
  for (int64_t row = 0; row < call->batch; row++) {
    const int64_t offset = row * call->positions.count * encoding.width();
    if (encoding.reads_x()) {
      encoding.backward_from(row_of(call->positions, row), call->content + offset, call->x + offset,
                             call->d_content + offset, gradients);
    } else {
      encoding.backward(row_of(call->positions, row), call->x + offset, gradients);
    }
  }
  return kSuccess;
}

}  // extern "C"

}  // namespace posenc::bindings
