// Continuous coordinates - points, sensors, time stamps - as rows: each is brought to [-1, 1] and
// projected.
//   c = 2 (x - low) / (high - low) - 1      linear:  PE = W c + b
//   fourier:  PE = W [sin(π 2^k c) | cos(π 2^k c), k = 0 .. bands - 1, one coordinate after the
//   other] + b
// Carion et al. 2020 and Tancik et al. 2020 use such features. They are formed in double; sines are
// of the exact angle.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/make.hpp"
#include "posenc/input/table.hpp"

namespace posenc {

enum class CoordinateFeatures : uint8_t { kLinear, kFourier };
inline constexpr const char* kCoordinateFeaturesNames[] = {"linear", "fourier"};
enum class CoordinateOutside : uint8_t { kError, kClamp };
inline constexpr const char* kCoordinateOutsideNames[] = {"error", "clamp"};

inline constexpr int kMaxCoordinateAxes = 8;
inline constexpr int kMaxCoordinateBands = 32;

struct CoordinatesOptions {
  int64_t dim = 0;
  int64_t axes = 2;
  NumberList low = {}, high = {};
  CoordinateFeatures features = CoordinateFeatures::kLinear;
  int64_t bands = 6;
  CoordinateOutside outside = CoordinateOutside::kError;
};

class Coordinates : public EncodingBase<CoordinatesOptions> {
 public:
  static const Info info;

  int64_t width() const noexcept { return options_.dim; }
  PositionDomain domain() const noexcept;
  void encode(const Positions& positions, float* out) const noexcept;
  void backward(const Positions& positions, const float* d_out,
                Gradients& gradients) const noexcept;
  static Status resolve(CoordinatesOptions& options) noexcept;
  Status prepare() noexcept;

 private:
  int64_t feature_count() const noexcept { return parameters_[0].shape[1]; }
  // What one position is before the projection.
  void features_of(const Positions& positions, int64_t i, float* out) const noexcept;

  std::array<AxisRange, kMaxCoordinateAxes> ranges_ = {};
};

inline constexpr auto kCoordinatesFields = std::to_array<Field>({
    field<&CoordinatesOptions::dim>("dim").least(1).most(1 << 20).required().shown(2, 256).about(
        "width d of a row"),
    field<&CoordinatesOptions::axes>("axes")
        .least(1)
        .most(kMaxCoordinateAxes)
        .about("coordinates of a position"),
    field<&CoordinatesOptions::low>("low").unless_given("0").about(
        "lower end of the range: one number for all coordinates, or one for each"),
    field<&CoordinatesOptions::high>("high").unless_given("1").about(
        "upper end of the range: one number for all coordinates, or one for each"),
    field<&CoordinatesOptions::features>("features")
        .of(kCoordinateFeaturesNames)
        .about("what is projected: the coordinates themselves, or sines and cosines of them"),
    field<&CoordinatesOptions::bands>("bands")
        .least(1)
        .most(kMaxCoordinateBands)
        .only(when("features", CoordinateFeatures::kFourier))
        .shown(1, 12)
        .about("frequencies per coordinate, each twice the one before"),
    field<&CoordinatesOptions::outside>("outside")
        .of(kCoordinateOutsideNames)
        .about("coordinates outside the range: an error, or the nearest end"),
});

inline constexpr auto kCoordinatesTensors = std::to_array<TensorInfo>({
    {.name = "weight",
     .shape = "[dim, axes * (1 - features) + 2 * axes * bands * features]",
     .initialise =
         [](const void* options, std::span<float> values, Random& random) noexcept {
           const auto& given = *static_cast<const CoordinatesOptions*>(options);
           const auto inputs = static_cast<double>(values.size()) / static_cast<double>(given.dim);
           for (float& value : values)
             value = static_cast<float>((2 * random.uniform() - 1) / std::sqrt(inputs));
         },
     .doc = "projection of the features; features counts as 0 (linear) or 1 (fourier) in the shape",
     .initial_doc = "uniform, up to 1 / sqrt(features)"},
    {.name = "bias", .shape = "[dim]", .doc = "added to every row", .initial_doc = "zeros"},
});

inline constexpr Info Coordinates::info = {
    .id = "coordinates",
    .family = Family::kInput,
    .domain = {.kind = DomainKind::kReals, .limit = 0x1p53, .axes = 2},
    .fields = kCoordinatesFields,
    .tensors = kCoordinatesTensors,
    .docs =
        {
            .title = "Coordinates",
            .summary = "For tokens that stand at real places - points of a cloud, stations on a "
                       "map, events in time: coordinates are "
                       "brought to one range and a linear layer makes a vector of them.",
            .paper = "Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency "
                     "Functions in Low Dimensional Domains",
            .url = "https://arxiv.org/abs/2006.10739",
            .formula = "PE(x) = W\\,\\phi\\!\\left(2\\,\\tfrac{x-l}{h-l}-1\\right) + b",
            .kind = "absolute",
            .extrapolates = "no: coordinates outside the range are refused or clamped",
            .models = "Point Transformer (input), Perceiver (Fourier), SAM's prompt points (random "
                      "Fourier)",
            .good = "real positions, any number of axes, smooth in the coordinates",
            .bad = "linear features alone carry little detail; the range must be known",
            .tasks = "point clouds, time series with gaps, geography",
        },
};

}  // namespace posenc
