// Calls drawn at random over all options, for the tests that compare with the plain loops.
#pragma once

#include <memory>

#include "attention/setup.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "posenc/core/random.hpp"

namespace posenc::testing {

struct RandomSetup : Setup {
  explicit RandomSetup(uint64_t seed);

 private:
  template <typename T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(static_cast<int64_t>(from.size()))];
  }
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(random_.next() % static_cast<uint64_t>(bound));
  }
  bool chance(int64_t one_in) { return below(one_in) == 0; }
  void draw_sizes();
  void draw_masks();
  void draw_mask_tensor();
  void draw_encodings();
  void draw_patterns();
  std::vector<std::vector<double>> positions(int64_t count);

  Random random_;
  std::unique_ptr<PlainRotary> owned_rotary_;
  std::unique_ptr<DistanceBiasAdapter<Alibi>> owned_bias_;
};

}  // namespace posenc::testing
