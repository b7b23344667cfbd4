// The passes behind Attention's calls; inputs and outputs are checked before.
#pragma once

#include "posenc/attention/attention.hpp"

namespace posenc::attn {

// Up to this many queries go by the keys as they stand in memory; packing them would cost more than
// it saves.
inline constexpr int64_t kFewQueries = 4;

Status attend_tiles(const Attention& attention, const AttentionInputs& inputs,
                    const AttentionOutputs& outputs) noexcept;
Status attend_rows(const Attention& attention, const AttentionInputs& inputs,
                   const AttentionOutputs& outputs) noexcept;
// scores [batch, heads, q_len, k_len]
Status write_scores(const Attention& attention, const AttentionInputs& inputs, ScoreStage stage,
                    float* scores) noexcept;
Status differentiate(const Attention& attention, const AttentionInputs& inputs,
                     const HeadRows<const float>& out, const float* lse,
                     const HeadRows<const float>& d_out,
                     const AttentionGradients& gradients) noexcept;

}  // namespace posenc::attn
