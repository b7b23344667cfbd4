// Reads the cases of tests/golden: safetensors files whose outputs a published implementation
// computed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "posenc/core/shape.hpp"

namespace posenc::testing {

struct GoldenTensor {
  Shape shape;
  std::vector<float> floats;  // F32
  std::vector<int32_t> ints;  // I32
  std::vector<double> as_doubles() const;
};

struct GoldenCase {
  std::string name;      // the file's name without its ending
  std::string params;    // JSON text
  double tolerance = 0;  // bound on |a - b| / (1 + |b|)
  std::map<std::string, GoldenTensor> tensors;

  const GoldenTensor& operator[](const std::string& tensor) const;
  // A value of `params` by its key, at any depth; false or 0 where it is absent.
  double number(const std::string& key, double otherwise = 0) const;
  std::string text(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;  // a list
  bool has(const std::string& key) const;
};

// tests/golden, or what the environment variable POSENC_GOLDEN names.
std::string golden_folder();
// The case "rope--half-d6-l9"; a missing file is a failed test.
GoldenCase load_golden(const std::string& name);

}  // namespace posenc::testing
