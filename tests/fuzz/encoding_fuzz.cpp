// Any encoding with any options, at any positions: what is refused is refused with a named error,
// and what is taken gives finite numbers, reads nothing outside of what it was given, and sums
// gradients into what it was given.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "encodings.hpp"
#include "posenc/core/relative.hpp"
#include "posenc/rotary/apply.hpp"

namespace posenc::fuzz {
namespace {

// Past this a call takes longer than it tells.
constexpr int64_t kMost = 1 << 16;

struct Grads {
  std::vector<std::vector<float>> values;
  Gradients gradients;

  explicit Grads(const Encoding& encoding) {
    const ParameterSet& set = encoding.parameters();
    values.resize(static_cast<std::size_t>(set.count()));
    for (int i = 0; i < set.count(); i++) {
      if (!set[i].trained) continue;
      auto& one = values[static_cast<std::size_t>(i)];
      one.resize(static_cast<std::size_t>(set[i].values.size()));
      gradients.of[static_cast<std::size_t>(i)] = one.data();
    }
  }
};

bool taken(const Encoding& encoding, const Positions& positions) {
  const Status status = encoding.check(positions, "positions");
  if (!status) expect_named(status.error());
  return status.has_value();
}

void run_input(Draw& draw, const InputEncoding& encoding, int64_t count) {
  const int64_t width = encoding.width();
  const auto drawn = draw_positions(draw, count, encoding.domain().axes);
  if (count * width > kMost || !taken(encoding, drawn.positions)) return;
  const auto x = draw.floats(count * width), d_out = draw.floats(count * width);
  auto out = filled(count * width, 0), d_x = out,
       scratch = filled(encoding.scratch_floats(count), 0);
  d_x.reserve(1);
  Grads grads(encoding);
  encoding.add(drawn.positions, x.data(), out.data(), scratch.data());
  if (encoding.reads_x()) {
    encoding.backward_from(drawn.positions, x.data(), d_out.data(), d_x.data(), grads.gradients);
    return;
  }
  encoding.encode(drawn.positions, out.data());
  encoding.backward(drawn.positions, d_out.data(), grads.gradients);
  const int64_t x_width = draw.below(4);
  const auto wide = draw.floats(count * x_width);
  auto joined = filled(count * (x_width + width), 0);
  encoding.concat(drawn.positions, wide.data(), x_width, joined.data(), scratch.data());
}

void run_rotary(Draw& draw, const RotaryEncoding& encoding, int64_t count) {
  const int64_t heads = 1 + draw.below(3), dim = encoding.head_dim();
  if (count * heads * dim > kMost) return;
  const auto drawn = draw_positions(draw, count, encoding.domain().axes);
  const auto x = draw.floats(count * heads * dim);
  auto out = filled(count * heads * dim, 7);
  const RotaryTask task = {
      .batch = 1,
      .heads = heads,
      .seq = count,
      .x = HeadRows<const float>::packed(x.data(), heads, count, dim),
      .out = HeadRows<float>::packed(out.data(), heads, count, dim),
      .positions = {&drawn.positions, 1},
      .direction = static_cast<RotaryDirection>(draw.below(3)),
      .side = static_cast<RotarySide>(draw.below(2)),
      .reached = draw.chance(4) ? draw.number() : 0,
  };
  const Status status = rotate(encoding, task);
  if (status) return;
  expect_named(status.error());
  expect(out == std::vector<float>(out.size(), 7), "a refused rotation writes nothing");
}

void run_bias(Draw& draw, const BiasEncoding& encoding, int64_t queries) {
  const int64_t keys = draw.below(24);
  if (encoding.heads() * queries * keys > kMost) return;
  const auto query = draw_positions(draw, queries, encoding.domain().axes);
  const auto key = draw_positions(draw, keys, encoding.domain().axes);
  const auto ids = draw.integers(queries * keys, static_cast<int32_t>(encoding.relations()));
  if (encoding.relations() > 0) {
    if (!check_relations(ids.data(), queries * keys, encoding.relations(), "relations")) return;
  } else if (!taken(encoding, query.positions) || !taken(encoding, key.positions)) {
    return;
  }
  const int64_t floats = encoding.scratch_floats(query.positions, key.positions);
  auto values = filled(floats, 0), sums = filled(floats, 0), out = filled(queries * keys, 0);
  const ScoreTile tile = {
      .first_query = 0, .queries = queries, .first_key = 0, .keys = keys, .stride = keys};
  Grads grads(encoding);
  for (int64_t h = 0; h < encoding.heads(); h++) {
    const BiasHead head = {h,           query.positions,   key.positions, values.data(),
                           sums.data(), {ids.data(), keys}};
    encoding.begin(head);
    encoding.apply(head, tile, out.data(), draw.chance(2));
    encoding.accumulate(head, tile, out.data(), grads.gradients);
    encoding.finish(head, grads.gradients);
  }
}

void run_relative(Draw& draw, const RelativeEncoding& encoding) {
  const int64_t heads = std::max<int64_t>(encoding.heads(), 1);
  const auto terms = encoding.terms();
  if (terms.empty()) return;
  const auto term = static_cast<std::size_t>(draw.below(static_cast<int64_t>(terms.size())));
  const bool is_value = terms[term].side == RelativeSide::kValue;
  const int64_t width = is_value ? encoding.value_dim() : encoding.head_dim(),
                count = 1 + draw.below(kRelativeRows);
  if (heads * count * width > kMost) return;
  const RelativeRows rows = {
      static_cast<int>(term),
      draw.chance(2) ? draw.between(-64, 64) : draw.between(-(1LL << 31), 1LL << 31), count};
  std::vector<float> out(static_cast<std::size_t>(heads * count * width)),
      bias(static_cast<std::size_t>(heads * count));
  std::vector<float> scratch(static_cast<std::size_t>(encoding.scratch_floats()));
  encoding.write(rows, out.data(), bias.data(), scratch.data());
}

}  // namespace

void run(Draw& draw) {
  const auto encoding = draw_encoding(draw, draw_type(draw));
  if (!encoding || encoding->parameters().total_elements() > kMost) return;
  const int64_t count = draw.below(40);
  switch (encoding->info().family) {
    case Family::kInput:
      return run_input(draw, static_cast<const InputEncoding&>(*encoding), count);
    case Family::kRotary:
      return run_rotary(draw, static_cast<const RotaryEncoding&>(*encoding), count);
    case Family::kBias: return run_bias(draw, static_cast<const BiasEncoding&>(*encoding), count);
    case Family::kRelative:
      return run_relative(draw, static_cast<const RelativeEncoding&>(*encoding));
    case Family::kNone: return;
  }
}

}  // namespace posenc::fuzz
