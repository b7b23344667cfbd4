#include "posenc/bias/relation.hpp"

#include <algorithm>

#include "posenc/kernels/lookup.hpp"

namespace posenc {
namespace {

const int32_t* ids_of(const BiasHead& head, const PairRow& row) noexcept {
  return head.relations.ids + row.query * head.relations.stride + row.first_key;
}

}  // namespace

Status Relation::resolve(RelationOptions& options) noexcept {
  if (!options.padding_index || *options.padding_index < options.relations) return {};
  return fail(ErrorCode::kOutOfRange, "paddingIndex", text_of(*options.padding_index),
              text_of("0 to ", options.relations - 1, ", an id of a relation"));
}

void Relation::begin(const BiasHead& head) const noexcept {
  kernels::take_column(parameters_[0].values.data(), options_.relations, options_.heads, head.head,
                       head.values);
  if (options_.padding_index) head.values[*options_.padding_index] = 0;
  if (head.sums) std::fill_n(head.sums, options_.relations, 0.0F);
}

void Relation::evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept {
  kernels::gather(head.values, ids_of(head, row), row.count, out);
}

void Relation::backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                        Gradients&) const noexcept {
  kernels::scatter_add(d_bias, ids_of(head, row), row.count, head.sums);
}

void Relation::finish(const BiasHead& head, Gradients& gradients) const noexcept {
  if (options_.padding_index) head.sums[*options_.padding_index] = 0;
  if (gradients.of[0]) {
    kernels::add_to_column(head.sums, options_.relations, options_.heads, head.head,
                           gradients.of[0]);
  }
}

}  // namespace posenc
