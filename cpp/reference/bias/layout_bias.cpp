#include "reference/bias/layout_bias.hpp"

#include <map>

#include "reference/bias/t5.hpp"

namespace posenc::reference {
namespace {

// Calls body(index of the pair in [heads, q_len, k_len], index of its number in the table).
template <typename Body>
void for_pairs(const LayoutPart& part, int64_t heads, Body body) {
  std::map<double, int64_t> buckets;  // by distance: their exact arithmetic is slow
  const auto bucket_of = [&](double distance) {
    const auto [found, is_new] = buckets.try_emplace(distance);
    if (is_new) {
      found->second =
          t5_bucket({part.buckets, part.max_distance, true}, static_cast<int64_t>(distance));
    }
    return found->second;
  };
  std::size_t at = 0;
  for (int64_t h = 0; h < heads; h++) {
    for (double i : part.query) {
      for (double j : part.key) {
        body(at++, static_cast<std::size_t>(h * part.buckets + bucket_of(j - i)));
      }
    }
  }
}

}  // namespace

std::vector<double> layout_bias(const std::vector<LayoutPart>& parts, int64_t heads,
                                double factor) {
  const std::size_t pairs = parts[0].query.size() * parts[0].key.size();
  std::vector<double> bias(static_cast<std::size_t>(heads) * pairs);
  for (const LayoutPart& part : parts) {
    for_pairs(part, heads,
              [&](std::size_t at, std::size_t place) { bias[at] += factor * part.table[place]; });
  }
  return bias;
}

std::vector<std::vector<double>> layout_backward(const std::vector<LayoutPart>& parts,
                                                 int64_t heads, double factor,
                                                 const std::vector<double>& d_bias) {
  std::vector<std::vector<double>> gradients;
  for (const LayoutPart& part : parts) {
    gradients.emplace_back(part.table.size());
    for_pairs(part, heads, [&](std::size_t at, std::size_t place) {
      gradients.back()[place] += factor * d_bias[at];
    });
  }
  return gradients;
}

}  // namespace posenc::reference
