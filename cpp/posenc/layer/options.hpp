// What an attention layer is: attention's options, the widths around it and the form of its
// weights.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "posenc/attention/options.hpp"
#include "posenc/core/info.hpp"

namespace posenc {

// inOut: y = x · W, a weight is [in, out], as the papers and ONNX have it. outIn: y = x · Wᵀ, a
// weight is [out, in], as torch.nn.Linear has it. Their names tell which; for a square weight
// nothing else would.
enum class WeightLayout : uint8_t { kInOut, kOutIn };
inline constexpr const char* kWeightLayoutNames[] = {"inOut", "outIn"};

// What is made from the tokens with their input encodings: queries, keys and values (BERT, GPT-2),
// queries and keys (DETR), or queries alone (DeBERTa's last layers, which see absolute positions
// for the first time).
enum class AddTo : uint8_t { kQkv, kQk, kQ };
inline constexpr const char* kAddToNames[] = {"qkv", "qk", "q"};

struct LayerOptions {
  AttentionOptions attention;  // first, so that attention's fields find it where the options begin
  int64_t dim = 0;
  std::optional<int64_t> head_dim = {};
  std::optional<int64_t> context_dim = {};
  bool qkv_bias = true;
  bool output_projection = true;
  bool output_bias = true;
  WeightLayout weight_layout = WeightLayout::kInOut;
  AddTo add_to = AddTo::kQkv;
};
static_assert(std::is_standard_layout_v<LayerOptions>);

inline constexpr auto kOwnLayerFields = std::to_array<Field>({
    field<&LayerOptions::dim>("dim").least(1).most(1 << 20).required().shown(8, 1024).about(
        "width of the tokens and of the output"),
    field<&LayerOptions::head_dim>("headDim")
        .least(1)
        .most(1 << 16)
        .unless_given("dim / heads")
        .about("width of a query and key head"),
    field<&LayerOptions::context_dim>("contextDim")
        .least(1)
        .most(1 << 20)
        .unless_given("dim")
        .about("width of the tokens that keys and values are made from in cross-attention"),
    field<&LayerOptions::qkv_bias>("qkvBias").about(
        "whether queries, keys and values get biases bq, bk and bv"),
    field<&LayerOptions::output_projection>("outputProjection")
        .about("whether Wo follows; without it the output is the heads side by side, heads · "
               "valueDim wide"),
    field<&LayerOptions::output_bias>("outputBias")
        .only(when("outputProjection", true))
        .about("whether the output gets the bias bo"),
    field<&LayerOptions::weight_layout>("weightLayout")
        .of(kWeightLayoutNames)
        .about("inOut: y = x · W, a weight is [in, out] (the papers, ONNX); outIn: y = x · Wᵀ, "
               "[out, in] (torch.nn.Linear, "
               "most checkpoints)"),
    field<&LayerOptions::add_to>("addTo")
        .of(kAddToNames)
        .about("what is made from the tokens with their input encodings added: queries, keys and "
               "values (qkv); queries and "
               "keys (qk, DETR); or queries alone (q, DeBERTa's last layers). The rest is made "
               "from the tokens as they come"),
});

// The layer's fields and those of its attention, whose headDim has a default here.
inline constexpr auto kLayerFields = [] {
  std::array<Field, kOwnLayerFields.size() + kAttentionFields.size() - 1> fields{};
  std::size_t count = 0;
  for (const Field& field : kOwnLayerFields) fields[count++] = field;
  for (const Field& field : kAttentionFields) {
    if (std::string_view(field.name) != "headDim") fields[count++] = field;
  }
  return fields;
}();

// The layer's tensors, weights as [in, out].
extern const Info kLayerInfo;

}  // namespace posenc
