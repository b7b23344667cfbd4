// The frames of the bulk calls. JavaScript writes one in wasm memory and passes its address: data
// by pointer and length, no strings, no vectors. Shapes were checked in JavaScript; values are
// checked here.
#pragma once

#include <array>
#include <cstdint>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/layer/layer.hpp"
#include "slots.hpp"

namespace posenc::bindings {

struct InputCall {
  const Encoding* encoding;
  int32_t batch;
  PositionRows positions;
  const float* x;        // add and concat; backward: the gradient of the rows
  int32_t x_width;       // concat
  const float* content;  // backward: the x of the forward call, for encodings that read it
  float* d_content;      // and where its gradient goes
  float* out;            // backward: the gradients of the trained tensors, one after the other
};

struct RotaryCall {
  const Encoding* encoding;
  int32_t batch;
  int32_t heads;
  int32_t packed;  // 0: [batch, heads, seq, dim]; 1: [batch, seq, heads · dim]
  PositionRows positions;
  int32_t direction;  // rotary/apply.hpp
  int32_t side;       // RotarySide
  double reached;     // 0: the largest position + 1
  const float* x;
  float* out;
  int32_t table_rows;  // of cos and sin where they are given; -1: they are not
  float* cos;
  float* sin;
};

struct BiasCall {
  const Encoding* encoding;
  PositionRows query;
  PositionRows key;
  const int32_t* relations;  // [queries, keys], where the encoding reads them; else null
  const float* d_bias;       // [heads, queries, keys]
  float* out;                // of that shape; backward: the gradients of the trained tensors
};

struct RelativeCall {
  const Encoding* encoding;
  PositionRows distances;  // key - query
  int32_t term;
  float* out;  // [heads or 1, count, width]
};

// Relations for one encoding: [q_len, k_len], or [batch, q_len, k_len] where each_row is 1.
struct RelationRecord {
  const int32_t* ids;
  int32_t each_row;
};

struct AttentionCall {
  const Attention* attention;
  int32_t batch;
  int32_t q_len;
  int32_t k_len;
  int32_t packed;
  int32_t first_head;  // AttentionInputs
  int32_t head_count;
  const float* q;
  const float* k;
  const float* v;
  int32_t mask_kind;  // AttentionMask::Kind
  int32_t mask_rank;
  const void* mask;
  const int32_t* mask_shape;
  const int32_t* key_lengths;
  const int32_t* query_offsets;
  const int32_t* query_segments;
  const int32_t* key_segments;
  const int32_t* query_global;
  const int32_t* key_global;
  const float* sinks;
  PositionRows query;
  PositionRows key;
  const RelationRecord* relations;  // one per encoding; or null
  const float* logit_scale;         // [heads]; or null
  const float* gate_input;          // of the shape of q; or null
  int32_t stage;                    // ScoreStage
  float* out;                       // the output or the scores; backward: an input
  float* lse;
  KvCache* cache;  // or null
  const float* d_out;
  float* dq;
  float* dk;
  float* dv;
  float* d_gate_input;
  float* d_mask;
  float* d_logit_scale;
  float* d_sinks;
  float* gradients;   // of the trained tensors of all encodings, one after the other; or null
  int32_t each_head;  // gradients: as many such blocks as heads are computed in all batch rows,
                      // each a head's part
};

struct CacheCall {
  KvCache* cache;
  const Attention* attention;  // whose head counts and widths the cache has
  int32_t length;
  int32_t packed;
  const float* k;
  const float* v;
  const int32_t* counts;
  PositionRows positions;
};

// `attention` is a frame of its own, whose q, k, v, out and gradients of these are not read.
struct LayerCall {
  const AttentionLayer* layer;
  const AttentionCall* attention;
  const float* x;
  const float* context;      // or null: x
  PositionRows x_positions;  // of the input encodings, where they want others than attention's
  PositionRows context_positions;
  float* out;       // the output or the scores
  float* attended;  // backward: an input
  const float* d_out;
  float* dx;
  float* d_context;
  float* gradients;  // of the layer's trained tensors and then of those of all encodings, one after
                     // the other
};

inline constexpr auto kPositionRows = std::to_array<Slot>({
    slot<&PositionRows::given>("given"),
    slot<&PositionRows::start>("start"),
    slot<&PositionRows::count>("count"),
    slot<&PositionRows::axes>("axes"),
    slot<&PositionRows::per_row>("perRow"),
    slot<&PositionRows::present>("present"),
});

inline constexpr auto kInputCall = std::to_array<Slot>({
    slot<&InputCall::encoding>("encoding"),
    slot<&InputCall::batch>("batch"),
    slot<&InputCall::positions>("positions"),
    slot<&InputCall::x>("x"),
    slot<&InputCall::x_width>("xWidth"),
    slot<&InputCall::content>("content"),
    slot<&InputCall::d_content>("dContent"),
    slot<&InputCall::out>("out"),
});

inline constexpr auto kRotaryCall = std::to_array<Slot>({
    slot<&RotaryCall::encoding>("encoding"),
    slot<&RotaryCall::batch>("batch"),
    slot<&RotaryCall::heads>("heads"),
    slot<&RotaryCall::packed>("packed"),
    slot<&RotaryCall::positions>("positions"),
    slot<&RotaryCall::direction>("direction"),
    slot<&RotaryCall::side>("side"),
    slot<&RotaryCall::reached>("reached"),
    slot<&RotaryCall::x>("x"),
    slot<&RotaryCall::out>("out"),
    slot<&RotaryCall::table_rows>("tableRows"),
    slot<&RotaryCall::cos>("cos"),
    slot<&RotaryCall::sin>("sin"),
});

inline constexpr auto kBiasCall = std::to_array<Slot>({
    slot<&BiasCall::encoding>("encoding"),
    slot<&BiasCall::query>("query"),
    slot<&BiasCall::key>("key"),
    slot<&BiasCall::relations>("relations"),
    slot<&BiasCall::d_bias>("dBias"),
    slot<&BiasCall::out>("out"),
});

inline constexpr auto kRelativeCall = std::to_array<Slot>({
    slot<&RelativeCall::encoding>("encoding"),
    slot<&RelativeCall::distances>("distances"),
    slot<&RelativeCall::term>("term"),
    slot<&RelativeCall::out>("out"),
});

inline constexpr auto kAttentionCall = std::to_array<Slot>({
    slot<&AttentionCall::attention>("attention"),
    slot<&AttentionCall::batch>("batch"),
    slot<&AttentionCall::q_len>("qLen"),
    slot<&AttentionCall::k_len>("kLen"),
    slot<&AttentionCall::packed>("packed"),
    slot<&AttentionCall::first_head>("firstHead"),
    slot<&AttentionCall::head_count>("headCount"),
    slot<&AttentionCall::q>("q"),
    slot<&AttentionCall::k>("k"),
    slot<&AttentionCall::v>("v"),
    slot<&AttentionCall::mask_kind>("maskKind"),
    slot<&AttentionCall::mask_rank>("maskRank"),
    slot<&AttentionCall::mask>("mask"),
    slot<&AttentionCall::mask_shape>("maskShape"),
    slot<&AttentionCall::key_lengths>("keyLengths"),
    slot<&AttentionCall::query_offsets>("queryOffsets"),
    slot<&AttentionCall::query_segments>("querySegments"),
    slot<&AttentionCall::key_segments>("keySegments"),
    slot<&AttentionCall::query_global>("queryGlobal"),
    slot<&AttentionCall::key_global>("keyGlobal"),
    slot<&AttentionCall::sinks>("sinks"),
    slot<&AttentionCall::query>("query"),
    slot<&AttentionCall::key>("key"),
    slot<&AttentionCall::relations>("relations"),
    slot<&AttentionCall::logit_scale>("logitScale"),
    slot<&AttentionCall::gate_input>("gateInput"),
    slot<&AttentionCall::stage>("stage"),
    slot<&AttentionCall::out>("out"),
    slot<&AttentionCall::lse>("lse"),
    slot<&AttentionCall::cache>("cache"),
    slot<&AttentionCall::d_out>("dOut"),
    slot<&AttentionCall::dq>("dq"),
    slot<&AttentionCall::dk>("dk"),
    slot<&AttentionCall::dv>("dv"),
    slot<&AttentionCall::d_gate_input>("dGateInput"),
    slot<&AttentionCall::d_mask>("dMask"),
    slot<&AttentionCall::d_logit_scale>("dLogitScale"),
    slot<&AttentionCall::d_sinks>("dSinks"),
    slot<&AttentionCall::gradients>("gradients"),
    slot<&AttentionCall::each_head>("eachHead"),
});

inline constexpr auto kCacheCall = std::to_array<Slot>({
    slot<&CacheCall::cache>("cache"),
    slot<&CacheCall::attention>("attention"),
    slot<&CacheCall::length>("length"),
    slot<&CacheCall::packed>("packed"),
    slot<&CacheCall::k>("k"),
    slot<&CacheCall::v>("v"),
    slot<&CacheCall::counts>("counts"),
    slot<&CacheCall::positions>("positions"),
});

inline constexpr auto kLayerCall = std::to_array<Slot>({
    slot<&LayerCall::layer>("layer"),
    slot<&LayerCall::attention>("attention"),
    slot<&LayerCall::x>("x"),
    slot<&LayerCall::context>("context"),
    slot<&LayerCall::x_positions>("xPositions"),
    slot<&LayerCall::context_positions>("contextPositions"),
    slot<&LayerCall::out>("out"),
    slot<&LayerCall::attended>("attended"),
    slot<&LayerCall::d_out>("dOut"),
    slot<&LayerCall::dx>("dx"),
    slot<&LayerCall::d_context>("dContext"),
    slot<&LayerCall::gradients>("gradients"),
});

inline constexpr CallInfo kCalls[] = {
    {"positionRows", sizeof(PositionRows), kPositionRows},
    {"inputCall", sizeof(InputCall), kInputCall},
    {"rotaryCall", sizeof(RotaryCall), kRotaryCall},
    {"biasCall", sizeof(BiasCall), kBiasCall},
    {"relativeCall", sizeof(RelativeCall), kRelativeCall},
    {"attentionCall", sizeof(AttentionCall), kAttentionCall},
    {"cacheCall", sizeof(CacheCall), kCacheCall},
    {"layerCall", sizeof(LayerCall), kLayerCall},
};
// Where JavaScript writes a frame: room for the largest.
inline constexpr int32_t kFrameBytes = sizeof(AttentionCall);
static_assert(sizeof(LayerCall) <= kFrameBytes);

}  // namespace posenc::bindings
