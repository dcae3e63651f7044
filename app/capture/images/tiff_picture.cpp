#include "app/capture/images/tiff_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <opencv2/imgproc.hpp>

#include "app/capture/source/value_range.h"
#include "config/error.h"

namespace glint::capture {
namespace {

int depthOf(const TiffPage& page) {
  const bool negative = page.kind == TiffPage::Kind::negative;
  if (page.kind == TiffPage::Kind::floating) return page.bits == 32 ? CV_32F : CV_64F;
  if (page.bytesPerSample() == 1) return negative ? CV_8S : CV_8U;
  if (page.bytesPerSample() == 2) return negative ? CV_16S : CV_16U;
  return CV_32S;
}

/// The samples that are shown: grey or red, green and blue, as they are stored.
cv::Mat shownSamples(const TiffPage& page, std::vector<std::byte>& samples,
                     std::optional<uint16_t> sample) {
  const cv::Mat all(static_cast<int>(page.height), static_cast<int>(page.width),
                    CV_MAKETYPE(depthOf(page), page.samples), samples.data());
  const int wanted = page.colour == TiffPage::Colour::rgb && !sample && page.samples >= 3 ? 3 : 1;
  cv::Mat shown = all;
  if (page.samples != wanted) {
    shown.create(all.rows, all.cols, CV_MAKETYPE(all.depth(), wanted));
    const int first = sample.value_or(0);
    std::array<int, 6> pairs{first, 0, first + 1, 1, first + 2, 2};
    cv::mixChannels(&all, 1, &shown, 1, pairs.data(), static_cast<size_t>(wanted));
  }
  const bool unsignedWide = page.kind == TiffPage::Kind::whole && page.bits == 32;
  if (!unsignedWide) return shown;
  // OpenCV has no unsigned numbers of 32 bits.
  cv::Mat wide(shown.rows, shown.cols, CV_MAKETYPE(CV_64F, shown.channels()));
  for (int y = 0; y < shown.rows; ++y) {
    const auto* from = reinterpret_cast<const uint32_t*>(shown.ptr(y));
    std::copy(from, from + shown.cols * shown.channels(), wide.ptr<double>(y));
  }
  return wide;
}

/// Samples of fewer bits than their bytes have, scaled to full scale.
void fillScale(cv::Mat& picture, unsigned bits) {
  if (bits == 8 || bits == 16) return;
  picture = scaled(picture, {0, std::ldexp(1.0, static_cast<int>(bits)) - 1});
}

}  // namespace

bool needsRange(const TiffPage& page) {
  return page.kind != TiffPage::Kind::whole || page.bits > 16;
}

ValueRange rangeOf(const TiffPage& page, std::vector<std::byte>& samples,
                   std::optional<uint16_t> sample) {
  return rangeOf(shownSamples(page, samples, sample));
}

cv::Mat tiffPicture(const TiffPage& page, std::vector<std::byte>& samples,
                    std::optional<uint16_t> sample, const std::optional<ValueRange>& range) {
  cv::Mat picture = shownSamples(page, samples, sample);
  if (range)
    picture = scaled(picture, *range);
  else
    fillScale(picture, page.bits);
  if (page.colour == TiffPage::Colour::inverseGrey) cv::bitwise_not(picture, picture);
  if (picture.channels() == 1) return picture;
  cv::Mat colours;
  cv::cvtColor(picture, colours, cv::COLOR_RGB2BGR);
  return colours;
}

}  // namespace glint::capture
