// Compares histograms of luminance with OpenCV's, and histograms of markers with plain counting.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "app/shell/desk/luminance_histogram.h"
#include "app/shell/desk/marker_histograms.h"

namespace glint {
namespace {

gpu::ImageView viewOf(cv::Mat& image) {
  const gpu::ImageFormat format{
      static_cast<uint32_t>(image.cols), static_cast<uint32_t>(image.rows),
      static_cast<uint32_t>(image.channels()), image.depth() == CV_8U ? 8U : 16U};
  return {format, reinterpret_cast<std::byte*>(image.data), image.step};
}

/// Returns noise of all values with a bright square. Its rows have padding behind them.
cv::Mat noise(int width, int height, int type, uint64_t seed) {
  cv::Mat whole(height, width + 7, type);
  cv::RNG random(seed);
  random.fill(whole, cv::RNG::UNIFORM, 0, CV_MAT_DEPTH(type) == CV_8U ? 256 : 65536);
  cv::Mat image = whole(cv::Rect(0, 0, width, height));
  image(cv::Rect(2, 1, 3, 2)).setTo(cv::Scalar::all(CV_MAT_DEPTH(type) == CV_8U ? 255 : 65535));
  return image;
}

/// Returns the luminance by its definition. The floating point arithmetic is exact for these
/// weights.
cv::Mat greyOf(const cv::Mat& image) {
  if (image.channels() == 1) return image;
  cv::Mat wide, sum, grey;
  image.convertTo(wide, CV_64F);
  cv::transform(wide, sum, cv::Matx13d(19, 183, 54));
  sum = (sum + 128) / 256;
  grey.create(image.size(), image.depth());
  for (int y = 0; y < image.rows; ++y) {
    for (int x = 0; x < image.cols; ++x) {
      const double value = std::floor(sum.at<double>(y, x));
      if (image.depth() == CV_8U)
        grey.at<uint8_t>(y, x) = static_cast<uint8_t>(value);
      else
        grey.at<uint16_t>(y, x) = static_cast<uint16_t>(value);
    }
  }
  return grey;
}

std::vector<uint32_t> countsOf(const cv::Mat& grey) {
  const int bins = grey.depth() == CV_8U ? 256 : 65536;
  const std::array<float, 2> range{0, static_cast<float>(bins)};
  const float* ranges = range.data();
  const int channel = 0;
  cv::Mat counts;
  cv::calcHist(&grey, 1, &channel, cv::Mat(), counts, 1, &bins, &ranges);
  std::vector<uint32_t> list;
  for (int i = 0; i < bins; ++i) list.push_back(static_cast<uint32_t>(counts.at<float>(i)));
  return list;
}

TEST(Histogram, OfLuminanceIsOpenCvs) {
  uint64_t seed = 1;
  for (const int type : {CV_8UC1, CV_8UC3, CV_16UC1, CV_16UC3}) {
    for (const cv::Size size : {cv::Size(64, 48), cv::Size(61, 47), cv::Size(5, 3)}) {
      cv::Mat image = noise(size.width, size.height, type, ++seed);
      const shell::LuminanceHistogram histogram = shell::luminanceHistogram(viewOf(image));
      EXPECT_EQ(histogram.counts, countsOf(greyOf(image))) << type << " " << size;
      EXPECT_EQ(histogram.pixels, static_cast<uint64_t>(size.area()));
    }
  }
}

TEST(Histogram, OfEveryThirdPixelIsThatOfASmallerImage) {
  cv::Mat image = noise(50, 31, CV_8UC3, 9);
  cv::Mat small(11, 17, CV_8UC3);
  for (int y = 0; y < small.rows; ++y)
    for (int x = 0; x < small.cols; ++x)
      small.at<cv::Vec3b>(y, x) = image.at<cv::Vec3b>(3 * y, 3 * x);
  EXPECT_EQ(shell::luminanceHistogram(viewOf(image), 3).counts, countsOf(greyOf(small)));
}

TEST(Histogram, PercentilesAreThoseOfTheSortedPixels) {
  cv::Mat image = noise(37, 29, CV_16UC1, 3);
  const shell::LuminanceHistogram histogram = shell::luminanceHistogram(viewOf(image));
  std::vector<uint16_t> sorted;
  for (int y = 0; y < image.rows; ++y)
    sorted.insert(sorted.end(), image.ptr<uint16_t>(y), image.ptr<uint16_t>(y) + image.cols);
  std::sort(sorted.begin(), sorted.end());
  for (const double share : {0.0, 0.01, 0.5, 0.75, 0.999, 1.0}) {
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    EXPECT_EQ(histogram.percentile(share), sorted[std::max<size_t>(rank, 1) - 1]) << share;
  }
  EXPECT_EQ(shell::LuminanceHistogram{}.percentile(0.5), 0U);
}

TEST(Histogram, BinsAreSumsOfNeighbours) {
  cv::Mat image = noise(64, 64, CV_16UC1, 5);
  const shell::LuminanceHistogram histogram = shell::luminanceHistogram(viewOf(image));
  const std::vector<uint64_t> bins = histogram.binned(128);
  std::vector<uint64_t> expected(128);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) ++expected[image.at<uint16_t>(y, x) / 512];
  EXPECT_EQ(bins, expected);
}

TEST(Histogram, TheFittedRangeHoldsMarkersAndBackground) {
  // 50 of the 100 x 100 pixels belong to markers, and 3 of those are saturated. The background has
  // the values 20 to 29.
  cv::Mat image(100, 100, CV_8UC1);
  for (int i = 0; i < 10000; ++i) image.data[i] = static_cast<uint8_t>(20 + i % 10);
  for (int i = 0; i < 50; ++i) image.data[i * 7] = i < 3 ? 255 : 200;
  const shell::DisplayRange range = shell::fittedRange(shell::luminanceHistogram(viewOf(image)));
  EXPECT_EQ(range, (shell::DisplayRange{20, 200}));
}

TEST(Histogram, AFlatImageHasARangeThatIsNotEmpty) {
  for (const int value : {0, 1, 128, 255}) {
    cv::Mat image(10, 10, CV_8UC1, cv::Scalar(value));
    const shell::DisplayRange range = shell::fittedRange(shell::luminanceHistogram(viewOf(image)));
    EXPECT_GE(range.white - range.black, 255 / 64.0 - 1e-9) << value;
    EXPECT_LE(range.black, value);
    EXPECT_GE(range.white, value);
    EXPECT_GE(range.black, 0);
    EXPECT_LE(range.white, 255 + 1e-9);
  }
}

shared::Detection detection(float mass, float radius, float eccentricity, float sigma) {
  shared::Detection d{};
  d.mass = mass;
  d.radius = radius;
  d.eccentricity = eccentricity;
  d.sigmaX = sigma / 2;
  d.sigmaY = sigma;
  return d;
}

const gpu::MarkerQuantity& quantityOf(std::string_view name) {
  return *std::ranges::find(gpu::markerQuantities(), name, &gpu::MarkerQuantity::name);
}

shell::MarkerHistogram histogramOf(shell::MarkerHistograms& all, std::string_view quantity) {
  return all.histogram(quantityOf(quantity), 10);
}

TEST(Histogram, OfMarkersCountsFoundAndRejectedApart) {
  gpu::LayerMeasurement one;
  one.markers = {detection(900, 2, 0.1F, 0.1F), detection(1000, 4, 0.95F, 0.1F)};
  one.rejected = {
      {.reason = gpu::Rejection::tooSmall, .seen = detection(3, 0.5F, 1, 0.2F), .measured = true},
      {.reason = gpu::Rejection::beyondMost, .seen = {}, .measured = false}};
  gpu::LayerMeasurement two;
  two.markers = {detection(40, 3, 0.1F, 0.0F)};
  shell::MarkerHistograms all;
  const std::array both{&std::as_const(one), &std::as_const(two)};
  all.add(both);
  EXPECT_EQ(all.found(), 3U);
  EXPECT_EQ(all.rejected(), 1U);

  const shell::MarkerHistogram radius = histogramOf(all, "radius");
  EXPECT_EQ(radius.least, 0);
  EXPECT_EQ(radius.most, 5);
  EXPECT_EQ(radius.found, (std::vector<uint32_t>{0, 0, 0, 0, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(radius.rejected, (std::vector<uint32_t>{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}));

  const shell::MarkerHistogram mass = histogramOf(all, "mass");
  EXPECT_TRUE(mass.logarithmic);
  EXPECT_EQ(mass.least, 2);
  EXPECT_EQ(mass.most, 1000);
  EXPECT_EQ(mass.found.back(), 2U) << "900 and 1000";
  EXPECT_EQ(mass.rejected.front(), 1U);

  const shell::MarkerHistogram round = histogramOf(all, "eccentricity");
  EXPECT_EQ(round.least, 0);
  EXPECT_EQ(round.most, 1);
  EXPECT_EQ(round.found[9], 1U);
  EXPECT_EQ(round.rejected[9], 1U) << "1 is in the last bin";

  const shell::MarkerHistogram significance = histogramOf(all, "significance");
  uint32_t sum = 0;
  for (const uint32_t count : significance.found) sum += count;
  EXPECT_EQ(sum, 2U) << "a sigma of 0 has no significance to draw";
}

TEST(Histogram, SignificanceIsWhatTheLimitLooksAt) {
  // A marker is faint if d.radius < least * sqrt(2) * sigma, so the significance is the limit
  // `least` at which this changes.
  const auto d = detection(100, 2, 0, 0.25F);
  EXPECT_NEAR(quantityOf("significance").valueOf(d), 2 / (std::sqrt(2.0) * 0.25), 1e-12);
}

TEST(Histogram, PlacesAndValuesAreInverse) {
  for (const bool logarithmic : {false, true}) {
    const shell::MarkerHistogram h{
        .least = 2, .most = 500, .logarithmic = logarithmic, .found = {}, .rejected = {}};
    EXPECT_NEAR(h.place(2), 0, 1e-12);
    EXPECT_NEAR(h.place(500), 1, 1e-12);
    for (const double place : {0.1, 0.5, 0.9}) EXPECT_NEAR(h.place(h.value(place)), place, 1e-12);
    EXPECT_TRUE(std::isfinite(h.place(0)));
  }
}

TEST(Histogram, OfNothingIsEmpty) {
  shell::MarkerHistograms all;
  EXPECT_EQ(all.found(), 0U);
  EXPECT_EQ(histogramOf(all, "mass").found, std::vector<uint32_t>(10));
}

}  // namespace
}  // namespace glint
