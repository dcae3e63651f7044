#include <cmath>
#include <cstring>
#include <functional>
#include <map>

#include <opencv2/imgproc.hpp>

#include "bench/app/peers.h"

namespace glint::bench {
namespace {

using Work = std::function<void(const cv::Mat& in, cv::Mat& out)>;

/// The operation of OpenCV that computes the same as one filter.
struct Operation {
  const char* name;
  Work work;
};

cv::Mat gammaTable() {
  cv::Mat table(1, 256, CV_8U);
  for (int v = 0; v < 256; ++v)
    table.at<uint8_t>(v) = static_cast<uint8_t>(std::floor(255 * std::pow(v / 255.0, 2.2) + 0.5));
  return table;
}

Operation gaussian(int size, double sigma) {
  return {"GaussianBlur", [=](const cv::Mat& in, cv::Mat& out) {
            cv::GaussianBlur(in, out, {size, size}, sigma, sigma, cv::BORDER_REPLICATE);
          }};
}

Operation box(int size) {
  return {"blur", [=](const cv::Mat& in, cv::Mat& out) { cv::blur(in, out, {size, size}); }};
}

Operation median(int size) {
  return {"medianBlur", [=](const cv::Mat& in, cv::Mat& out) { cv::medianBlur(in, out, size); }};
}

Operation morphology(int op, int shape, int size) {
  const cv::Mat element = cv::getStructuringElement(shape, {size, size});
  return {"morphologyEx",
          [=](const cv::Mat& in, cv::Mat& out) { cv::morphologyEx(in, out, op, element); }};
}

void aboveMean(const cv::Mat& in, cv::Mat& out) {
  // The offset of 13 is 0.05 of 255, rounded.
  cv::adaptiveThreshold(in, out, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, 31, 13);
}

void fiveInTurn(const cv::Mat& in, cv::Mat& out) {
  static const cv::Mat table = gammaTable();
  cv::Mat a, b;
  cv::add(in, cv::Scalar(26), a);
  cv::LUT(a, table, b);
  cv::medianBlur(b, a, 3);
  cv::GaussianBlur(a, b, {5, 5}, 0.66, 0.66, cv::BORDER_REPLICATE);
  cv::threshold(b, out, 50, 255, cv::THRESH_BINARY);
}

/// Returns the operations by the names of the filter cases.
const std::map<std::string, Operation>& operations() {
  static const cv::Mat table = gammaTable();
  static const std::map<std::string, Operation> all{
      {"brightness",
       {"add", [](const cv::Mat& in, cv::Mat& out) { cv::add(in, cv::Scalar(26), out); }}},
      {"gamma", {"LUT", [](const cv::Mat& in, cv::Mat& out) { cv::LUT(in, table, out); }}},
      {"threshold",
       {"threshold", [](const cv::Mat& in,
                        cv::Mat& out) { cv::threshold(in, out, 50, 255, cv::THRESH_BINARY); }}},
      {"invert",
       {"bitwise_not", [](const cv::Mat& in, cv::Mat& out) { cv::bitwise_not(in, out); }}},
      {"box 5 px", box(5)},
      {"box 31 px", box(31)},
      {"gaussian 5 px", gaussian(5, 0.66)},
      {"gaussian 15 px", gaussian(15, 2.33)},
      {"median 3 px", median(3)},
      {"median 5 px", median(5)},
      {"median 15 px", median(15)},
      {"dilate rect 3 px", morphology(cv::MORPH_DILATE, cv::MORPH_RECT, 3)},
      {"dilate rect 9 px", morphology(cv::MORPH_DILATE, cv::MORPH_RECT, 9)},
      {"dilate rect 31 px", morphology(cv::MORPH_DILATE, cv::MORPH_RECT, 31)},
      {"tophat rect 15 px", morphology(cv::MORPH_TOPHAT, cv::MORPH_RECT, 15)},
      {"tophat ellipse 15 px", morphology(cv::MORPH_TOPHAT, cv::MORPH_ELLIPSE, 15)},
      {"bilateral 11 px",
       {"bilateralFilter",
        [](const cv::Mat& in, cv::Mat& out) { cv::bilateralFilter(in, out, 11, 25.5, 3.3); }}},
      {"adaptive threshold 31 px", {"adaptiveThreshold", aboveMean}},
      {"chain of five", {"the same five", fiveInTurn}}};
  return all;
}

}  // namespace

std::optional<FilterPeer> measureFilterPeer(const FilterCase& what, const Image& image,
                                            const Effort& effort) {
  const auto found = operations().find(what.name);
  if (found == operations().end()) return std::nullopt;
  cv::Mat in(static_cast<int>(image.format.height), static_cast<int>(image.format.width), CV_8U);
  std::memcpy(in.data, image.pixels.data(), image.pixels.size());
  cv::Mat out;
  std::vector<double> times, cpuTimes;
  repeat(effort, [&](bool count) {
    double time = 0;
    const double cpu = cpuTime([&] { time = wallTime([&] { found->second.work(in, out); }); });
    if (!count) return;
    times.push_back(time);
    cpuTimes.push_back(cpu);
  });
  const auto* values = out.ptr<uint8_t>();
  return FilterPeer{found->second.name,
                    summarise(std::move(times)),
                    summarise(std::move(cpuTimes)),
                    {values, values + out.total()}};
}

}  // namespace glint::bench
