#include "reference/input/block.hpp"

namespace posenc::reference {
namespace {

// Calls body(inner or not, element of the table, element of the output) for all terms.
template <typename Body>
void for_terms(const BlockRule& rule, const std::vector<double>& positions, Body body) {
  const int64_t dim = rule.concat ? rule.block_dim + rule.inner_dim : rule.block_dim;
  for (std::size_t i = 0; i < positions.size(); i++) {
    std::size_t block = 0;
    while (block + 1 < rule.starts.size() && rule.starts[block + 1] <= positions[i]) block++;
    const auto inner = static_cast<int64_t>(positions[i] - rule.starts[block]);
    const auto row = static_cast<int64_t>(i) * dim;
    for (int64_t c = 0; c < rule.block_dim; c++)
      body(false, static_cast<int64_t>(block) * rule.block_dim + c, row + c);
    const int64_t second = rule.concat ? rule.block_dim : 0;
    for (int64_t c = 0; c < rule.inner_dim; c++)
      body(true, inner * rule.inner_dim + c, row + second + c);
  }
}

}  // namespace

std::vector<double> block(const BlockRule& rule, const BlockTables& tables,
                          const std::vector<double>& positions) {
  std::vector<double> out;
  for_terms(rule, positions, [&](bool inner, int64_t from, int64_t to) {
    if (to >= static_cast<int64_t>(out.size())) out.resize(static_cast<std::size_t>(to + 1));
    out[static_cast<std::size_t>(to)] +=
        (inner ? tables.inner : tables.block)[static_cast<std::size_t>(from)];
  });
  return out;
}

BlockTables block_backward(const BlockRule& rule, const std::vector<double>& positions,
                           const std::vector<double>& d_out) {
  BlockTables gradients{
      std::vector<double>(rule.starts.size() * static_cast<std::size_t>(rule.block_dim)),
      std::vector<double>(static_cast<std::size_t>(rule.block_size * rule.inner_dim))};
  for_terms(rule, positions, [&](bool inner, int64_t from, int64_t to) {
    (inner ? gradients.inner : gradients.block)[static_cast<std::size_t>(from)] +=
        d_out[static_cast<std::size_t>(to)];
  });
  return gradients;
}

}  // namespace posenc::reference
