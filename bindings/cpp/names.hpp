// What JavaScript names by number: kinds of objects, changes of them, numbers about them, and what
// calls are told. The manifest gives these lists to scripts/generate, so that both sides count by
// the same ones.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "options.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/rotary/apply.hpp"

namespace posenc::bindings {

inline constexpr const char* kKinds[] = {"encoding",     "operation", "attention", "layer",
                                         "layerWeights", "cache",     "cacheCopy"};
inline constexpr const char* kChanges[] = {"tensor",       "packedTensor", "truncate",
                                           "truncateRows", "reorder",      "slide"};
inline constexpr const char* kEncodingNumbers[] = {
    "axes",          "tensorCount", "tensorName", "tensorRank", "tensorExtent", "tensorTrained",
    "tensorAddress", "width",       "readsX",     "inputScale", "headDim",      "rotaryDim",
    "heads",         "relations",   "termCount",  "termSide",   "termWidth"};
inline constexpr const char* kOperationNumbers[] = {"dataAddress", "rank", "extent"};
inline constexpr const char* kAttentionNumbers[] = {"heads", "kvHeads", "headDim", "valueDim"};
inline constexpr const char* kLayerNumbers[] = {"dim", "contextDim", "outWidth", "inOut",
                                                "attention"};
inline constexpr const char* kCacheNumbers[] = {"batch", "capacity", "longest", "length", "bytes"};

struct NameList {
  const char* name;
  std::span<const char* const> entries;
};
inline constexpr NameList kNameLists[] = {
    {"kind", kKinds},
    {"change", kChanges},
    {"encodingNumber", kEncodingNumbers},
    {"operationNumber", kOperationNumbers},
    {"attentionNumber", kAttentionNumbers},
    {"layerNumber", kLayerNumbers},
    {"cacheNumber", kCacheNumbers},
    {"optionKind", kOptionKindNames},
    {"maskKind", kMaskKindNames},
    {"scoreStageNumber", kScoreStageNames},
    {"rotaryDirection", kRotaryDirectionNames},
    {"rotarySideNumber", kRotarySideNames},
    {"relativeSide", kRelativeSideNames},
};

// The number of a name; does not compile for one that is not in the list.
consteval int32_t number_of(std::span<const char* const> names, std::string_view name) {
  std::size_t place = 0;
  while (names[place] != name) place++;
  return static_cast<int32_t>(place);
}

}  // namespace posenc::bindings
