// The list of all encodings. Adding one means adding its header and its line here.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "posenc/core/adapters.hpp"

#include "posenc/bias/alibi.hpp"
#include "posenc/bias/beit.hpp"
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/layout_bias.hpp"
#include "posenc/bias/relation.hpp"
#include "posenc/bias/sandwich.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/swin_v2.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/input/axial.hpp"
#include "posenc/input/binary.hpp"
#include "posenc/input/block.hpp"
#include "posenc/input/box.hpp"
#include "posenc/input/conv.hpp"
#include "posenc/input/coordinates.hpp"
#include "posenc/input/flow.hpp"
#include "posenc/input/fourier.hpp"
#include "posenc/input/graph.hpp"
#include "posenc/input/grid.hpp"
#include "posenc/input/grid_learned.hpp"
#include "posenc/input/learned.hpp"
#include "posenc/input/low_rank.hpp"
#include "posenc/input/mlp.hpp"
#include "posenc/input/recurrent.hpp"
#include "posenc/input/segment.hpp"
#include "posenc/input/sinusoidal.hpp"
#include "posenc/input/sparse.hpp"
#include "posenc/nope.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/decomposed.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "posenc/rotary/mrope.hpp"
#include "posenc/rotary/rope.hpp"
#include "posenc/rotary/rope_nd.hpp"
#include "posenc/rotary/xpos.hpp"

// A build may add encodings of its own: the header, which ends in
//   #define POSENC_EXTRA_TYPES encoding_type<Mine>(),
#ifdef POSENC_EXTRA_ENCODINGS
#include POSENC_EXTRA_ENCODINGS
#else
#define POSENC_EXTRA_TYPES
#endif

namespace posenc {

// Everything that offers encodings (bindings, manifest, site) walks this list and names none of
// them.
inline constexpr auto kEncodings = std::to_array<EncodingType>(
    {encoding_type<Sinusoidal>(),    encoding_type<Learned>(),     encoding_type<GridLearned>(),
     encoding_type<Axial>(),         encoding_type<Block>(),       encoding_type<Segment>(),
     encoding_type<Box>(),           encoding_type<Coordinates>(), encoding_type<LowRank>(),
     encoding_type<Sparse>(),        encoding_type<Grid>(),        encoding_type<Fourier>(),
     encoding_type<Binary>(),        encoding_type<Mlp>(),         encoding_type<Conv>(),
     encoding_type<Recurrent>(),     encoding_type<Flow>(),        encoding_type<Graph>(),
     encoding_type<Rope>(),          encoding_type<RopeNd>(),      encoding_type<Mrope>(),
     encoding_type<Xpos>(),          encoding_type<Alibi>(),       encoding_type<Shaw>(),
     encoding_type<TransformerXl>(), encoding_type<Deberta>(),     encoding_type<Decomposed>(),
     encoding_type<Cope>(),          encoding_type<T5>(),          encoding_type<Kerple>(),
     encoding_type<Sandwich>(),      encoding_type<Fire>(),        encoding_type<Swin>(),
     encoding_type<SwinV2>(),        encoding_type<Beit>(),        encoding_type<LayoutBias>(),
     encoding_type<Relation>(),      encoding_type<Nope>(),        POSENC_EXTRA_TYPES});

inline const EncodingType* find_encoding(std::string_view id) noexcept {
  for (const EncodingType& type : kEncodings) {
    if (id == type.info->id) return &type;
  }
  return nullptr;
}

}  // namespace posenc
