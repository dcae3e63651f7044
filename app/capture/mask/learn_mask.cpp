#include <algorithm>
#include <cmath>

#include <opencv2/imgproc.hpp>

#include "app/capture/mask/mask.h"
#include "gpu/statistics.h"

namespace glint::capture {
namespace {

uint32_t channelAt(const std::byte* row, size_t index, uint32_t bits) {
  return bits == 8 ? reinterpret_cast<const uint8_t*>(row)[index]
                   : reinterpret_cast<const uint16_t*>(row)[index];
}

uint32_t luminanceAt(const std::byte* row, size_t x, const gpu::ImageFormat& format) {
  if (format.channels == 1) return channelAt(row, x, format.bits);
  const auto channel = [&](size_t i) { return channelAt(row, 3 * x + i, format.bits); };
  return (19 * channel(0) + 183 * channel(1) + 54 * channel(2) + 128) >> 8;
}

shared::PlaneStatistics sumsBelow(const std::vector<uint32_t>& histogram, uint32_t limit,
                                  uint64_t& pixels) {
  uint64_t sum = 0, squares = 0;
  pixels = 0;
  for (uint64_t value = 0; value < limit; ++value) {
    pixels += histogram[value];
    sum += histogram[value] * value;
    squares += histogram[value] * value * value;
  }
  shared::PlaneStatistics s{};
  s.sumLow = static_cast<uint32_t>(sum);
  s.sumHigh = static_cast<uint32_t>(sum >> 32);
  s.squaresLow = static_cast<uint32_t>(squares);
  s.squaresHigh = static_cast<uint32_t>(squares >> 32);
  return s;
}

}  // namespace

MaskLearner::MaskLearner(const Settings& settings, const gpu::ImageFormat& format)
    : format_(format),
      threshold_(settings.detect.threshold),
      sigma_(settings.detect.thresholdSigma),
      dark_(settings.response.dark || settings.response.kind == ResponseKind::inverted),
      values_(format.pixels()),
      counts_(format.pixels(), 0) {}

uint32_t MaskLearner::thresholdOf(const std::vector<uint32_t>& histogram) const {
  const uint32_t full = format_.fullScale();
  if (threshold_) return gpu::fixedThreshold(*threshold_, full);
  // To leave out bright pixels lowers the threshold, which leaves out more pixels, until no further
  // one is left out. A background of a single value counts as having the noise of rounding;
  // otherwise the background itself would disturb.
  uint32_t limit = full + 1;
  for (;;) {
    uint64_t pixels = 0;
    const auto sums = sumsBelow(histogram, limit, pixels);
    if (pixels == 0) return limit;
    const double deviation = std::sqrt(std::max(gpu::variance(sums, pixels), 1.0 / 12));
    const double level = std::ceil(gpu::mean(sums, pixels) + sigma_ * deviation);
    const auto next = static_cast<uint32_t>(std::clamp(level, 1.0, double(full)));
    if (next >= limit) return limit;
    limit = next;
  }
}

void MaskLearner::add(const gpu::ImageView& image) {
  std::vector<uint32_t> histogram(size_t{format_.fullScale()} + 1, 0);
  for (uint32_t y = 0; y < format_.height; ++y) {
    for (uint32_t x = 0; x < format_.width; ++x) {
      const uint32_t bright = luminanceAt(image.row(y), x, format_);
      const uint32_t value = dark_ ? format_.fullScale() - bright : bright;
      values_[size_t{y} * format_.width + x] = value;
      ++histogram[value];
    }
  }
  const uint32_t threshold = thresholdOf(histogram);
  for (size_t i = 0; i < values_.size(); ++i) counts_[i] += values_[i] >= threshold ? 1 : 0;
  ++frames_;
}

int MaskLearner::usualGrow(const Settings& settings) {
  return static_cast<int>(std::ceil(std::min(settings.detect.separation, 64.0) / 2));
}

gpu::LayerMask MaskLearner::mask(double share, int grow) const {
  const double least = std::max(1.0, std::ceil(share * static_cast<double>(frames_)));
  cv::Mat disturbed(static_cast<int>(format_.height), static_cast<int>(format_.width), CV_8U);
  std::transform(counts_.begin(), counts_.end(), disturbed.begin<uchar>(),
                 [&](uint32_t count) -> uchar { return count >= least ? 1 : 0; });
  const cv::Mat disc = cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * grow + 1, 2 * grow + 1});
  cv::dilate(disturbed, disturbed, disc);
  gpu::LayerMask mask{format_.width, format_.height, {}};
  mask.pixels.resize(format_.pixels());
  std::transform(disturbed.begin<uchar>(), disturbed.end<uchar>(), mask.pixels.begin(),
                 [](uchar pixel) -> uint8_t { return pixel == 0 ? 1 : 0; });
  return mask;
}

}  // namespace glint::capture
