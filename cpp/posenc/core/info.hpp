// What an encoding says about itself. Everything that lists or offers encodings reads it here.
#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/doc.hpp"
#include "posenc/core/fields.hpp"
#include "posenc/core/operation.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/random.hpp"

namespace posenc {

// Where position enters attention.
enum class Family : uint8_t { kInput, kRotary, kBias, kRelative, kNone };
inline constexpr const char* kFamilyNames[] = {"input", "rotary", "bias", "relative", "none"};

// A named tensor that an encoding owns and that may be trained.
struct TensorInfo {
  const char* name;
  const char* shape;       // "[2 * window + 1, headDim]"; see evaluate()
  Condition present = {};  // exists only where this holds
  Condition trained = {};  // has a gradient only where this holds
  // Not trained: whole numbers from 0 to below this size, an expression like those of the shape.
  const char* index_below = nullptr;
  // Writes the paper's initial values. `options` are those of the encoding.
  void (*initialise)(const void* options, std::span<float> values,
                     Random& random) noexcept = nullptr;
  Doc doc = {};
  Doc initial_doc = {};
};

// Text for catalogue, docs and site; empty in builds without docs.
struct InfoDocs {
  Doc title;
  Doc summary;  // one or two sentences for someone who has never seen it
  Doc paper;    // "Vaswani et al. 2017, Attention Is All You Need, §3.5"
  Doc url;
  Doc formula;       // LaTeX
  Doc kind;          // "absolute" or "relative"
  Doc extrapolates;  // what happens beyond the trained length
  Doc models;        // comma separated
  Doc good;
  Doc bad;
  Doc tasks;  // comma separated
};

struct Info {
  const char* id;
  Family family;
  PositionDomain domain;
  Fields fields;
  std::span<const TensorInfo> tensors = {};
  std::span<const Operation> operations = {};
  InfoDocs docs;
};

}  // namespace posenc
