#include "app/study/volume/slice_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "app/capture/images/image_codecs.h"

namespace glint::study {
namespace {

constexpr int kLargest = 560;  // The longest side of a volume in the picture, px.
constexpr int kMargin = 12;    // The space around slices, px.
constexpr int kText = 22;      // The height of a line of text, px.
const cv::Scalar kInk(235, 235, 235), kPaper(24, 24, 24);

using Point = std::array<size_t, 3>;

Point pointAt(const gpu::VolumeShape& shape, size_t index) {
  return {index % shape.width, index / shape.width % shape.height,
          index / shape.width / shape.height};
}

/// A slice through the voxel `through_`: the axes of the volume that run to the right and down.
struct Slice {
  size_t across, down;
};

// Draws the page with all slices and two lines of text.
class Painter {
 public:
  explicit Painter(const DistanceMap& map)
      : map_(map), sides_{map.shape.width, map.shape.height, map.shape.depth} {
    const auto farthest = map.farthest();
    through_ = pointAt(map.shape, farthest.value_or(map.shape.voxels() / 2));
    most_ = farthest ? std::abs(map.at(*farthest)) : 0;
    step_ = isolineStep(most_);
    double longest = 0;
    for (size_t i = 0; i < 3; ++i)
      longest = std::max(longest, double(sides_[i]) * map.options.spacing[i]);
    for (size_t i = 0; i < 3; ++i)
      pixels_[i] =
          std::max(6, static_cast<int>(std::lround(double(sides_[i]) * map.options.spacing[i] /
                                                   longest * kLargest)));
  }

  cv::Mat paint() const {
    const bool flat = sides_[2] == 1;
    const int wide = pixels_[0] + (flat ? 0 : kMargin + pixels_[2]);
    const int high = pixels_[1] + (flat ? 0 : kMargin + pixels_[2]);
    cv::Mat page(high + 2 * kMargin + 2 * kText, std::max(wide, 420) + 2 * kMargin, CV_8UC3,
                 kPaper);
    place(page, {0, 1}, kMargin, kMargin);
    if (!flat) {
      place(page, {2, 1}, 2 * kMargin + pixels_[0], kMargin);
      place(page, {0, 2}, kMargin, 2 * kMargin + pixels_[1]);
    }
    write(page,
          fmt::format("x y{} through ({}, {}, {})", flat ? "" : ", z y, x z", through_[0],
                      through_[1], through_[2]),
          page.rows - kText - kMargin);
    write(page, fmt::format("largest distance {:.4g}, a line every {:g}", most_, step_),
          page.rows - kMargin);
    return page;
  }

 private:
  static void write(cv::Mat& page, const std::string& text, int y) {
    cv::putText(page, text, {kMargin, y}, cv::FONT_HERSHEY_SIMPLEX, 0.45, kInk, 1, cv::LINE_AA);
  }

  /// Returns the distances in a slice; NaN where there is none.
  cv::Mat1f distances(const Slice& slice) const {
    cv::Mat1f values(static_cast<int>(sides_[slice.down]), static_cast<int>(sides_[slice.across]));
    Point at = through_;
    for (int y = 0; y < values.rows; ++y) {
      for (int x = 0; x < values.cols; ++x) {
        at[slice.across] = static_cast<size_t>(x);
        at[slice.down] = static_cast<size_t>(y);
        const double value = map_.at((at[2] * sides_[1] + at[1]) * sides_[0] + at[0]);
        values(y, x) = std::isfinite(value) ? static_cast<float>(value) : NAN;
      }
    }
    return values;
  }

  cv::Vec3b colorOf(float value, const cv::Mat3b& colors) const {
    if (std::isnan(value)) return {90, 90, 90};
    double share = most_ > 0 ? value / most_ : 0;
    if (map_.side == DistanceSide::both) share = 0.5 + share / 2;
    return colors(static_cast<int>(std::lround(255 * std::clamp(share, 0.0, 1.0))), 0);
  }

  void place(cv::Mat& page, const Slice& slice, int left, int top) const {
    cv::Mat1f values = distances(slice);
    const cv::Size size(pixels_[slice.across], pixels_[slice.down]);
    cv::resize(values, values, size, 0, 0,
               size.width >= values.cols ? cv::INTER_LINEAR : cv::INTER_AREA);
    cv::Mat1b ramp(256, 1);
    for (int i = 0; i < 256; ++i) ramp(i, 0) = static_cast<uint8_t>(i);
    cv::Mat3b colors;
    cv::applyColorMap(
        ramp, colors,
        map_.side == DistanceSide::both ? cv::COLORMAP_TWILIGHT_SHIFTED : cv::COLORMAP_VIRIDIS);
    cv::Mat3b panel(size);
    const auto level = [&](int y, int x) { return std::floor(values(y, x) / step_); };
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        const bool line = (x + 1 < size.width && level(y, x) != level(y, x + 1)) ||
                          (y + 1 < size.height && level(y, x) != level(y + 1, x));
        const bool known = !std::isnan(values(y, x));
        panel(y, x) = line && known ? cv::Vec3b(255, 255, 255) : colorOf(values(y, x), colors);
      }
    }
    mark(panel, slice);
    panel.copyTo(page(cv::Rect(left, top, size.width, size.height)));
  }

  /// Draws a small cross at the largest distance.
  void mark(cv::Mat3b& panel, const Slice& slice) const {
    if (most_ <= 0) return;
    const auto place = [&](size_t axis) {
      return static_cast<int>((double(through_[axis]) + 0.5) / double(sides_[axis]) *
                              pixels_[axis]);
    };
    cv::drawMarker(panel, {place(slice.across), place(slice.down)}, {60, 60, 255}, cv::MARKER_CROSS,
                   14, 2);
  }

  const DistanceMap& map_;
  std::array<size_t, 3> sides_;
  std::array<int, 3> pixels_{};
  Point through_{};
  double most_ = 0, step_ = 1;
};

}  // namespace

double isolineStep(double most) {
  if (!(most > 0)) return 1;
  const double wanted = most / 8;
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= wanted) return factor * power;
  }
  return 10 * power;
}

std::vector<std::byte> drawSlices(const DistanceMap& map) {
  std::vector<uint8_t> png;
  if (!capture::encodeImage(".png", Painter(map).paint(), png))
    throw Error("the picture of the slices cannot be made");
  const auto bytes = std::as_bytes(std::span(png));
  return {bytes.begin(), bytes.end()};
}

}  // namespace glint::study
