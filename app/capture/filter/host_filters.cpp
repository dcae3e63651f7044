#include "app/capture/filter/host_filters.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opencv2/imgproc.hpp>

namespace glint::capture {
namespace {

using filters::Head;
using filters::ParameterValues;
using gpu::HostFilter;
using gpu::ImageFormat;
using gpu::ImageView;

cv::Mat matOf(const ImageView& image) {
  const ImageFormat& format = image.format;
  const int depth = format.bits == 8 ? CV_8U : CV_16U;
  return {static_cast<int>(format.height), static_cast<int>(format.width),
          CV_MAKETYPE(depth, static_cast<int>(format.channels)), image.data, image.rowPitch};
}

/// Returns a filter that runs `work(const cv::Mat& from, cv::Mat& to)`. `to` is the output's
/// memory.
template <class Work>
HostFilter onMats(Work work) {
  return [work = std::move(work)](const ImageView& from, const ImageView& to) {
    cv::Mat out = matOf(to);
    work(matOf(from), out);
    CV_Assert(out.data == reinterpret_cast<const uchar*>(to.data));
  };
}

/// The parameters of a filter, within their ranges.
class Parameters {
 public:
  Parameters(const Head& head, const ParameterValues& values) : head_(head), values_(values) {}

  double number(std::string_view name) const {
    const filters::Parameter& parameter = *head_.find(name);
    const auto found = values_.find(name);
    const double value = found == values_.end() ? parameter.initial[0] : found->second[0];
    return parameter.choices.empty() ? std::clamp(value, parameter.least, parameter.most) : value;
  }
  int whole(std::string_view name) const { return static_cast<int>(number(name)); }
  const std::string& choice(std::string_view name) const {
    return head_.find(name)->choices[static_cast<size_t>(whole(name))];
  }

 private:
  const Head& head_;
  const ParameterValues& values_;
};

HostFilter box(const Parameters& of, const ImageFormat& image) {
  const int size = 2 * of.whole("radius") + 1;
  // From 15 px on, OpenCV rounds sums of 16-bit values in another way.
  if (image.bits == 16 && size >= 15) return {};
  return onMats([size](const cv::Mat& from, cv::Mat& to) { cv::blur(from, to, {size, size}); });
}

HostFilter median(const Parameters& of, const ImageFormat& image) {
  const int size = 2 * of.whole("radius") + 1;
  if (image.bits == 16 && size > 5) return {};  // OpenCV has none
  return onMats([size](const cv::Mat& from, cv::Mat& to) { cv::medianBlur(from, to, size); });
}

HostFilter morphology(const Parameters& of, const ImageFormat&) {
  static const std::vector<std::pair<std::string_view, int>> kOperations{
      {"dilate", cv::MORPH_DILATE},     {"erode", cv::MORPH_ERODE},
      {"open", cv::MORPH_OPEN},         {"close", cv::MORPH_CLOSE},
      {"gradient", cv::MORPH_GRADIENT}, {"tophat", cv::MORPH_TOPHAT},
      {"blackhat", cv::MORPH_BLACKHAT}};
  static const std::vector<std::pair<std::string_view, int>> kShapes{
      {"rect", cv::MORPH_RECT}, {"ellipse", cv::MORPH_ELLIPSE}, {"cross", cv::MORPH_CROSS}};
  const auto valueOf = [](const auto& table, const std::string& name) {
    return std::ranges::find(table, name, [](const auto& row) { return row.first; })->second;
  };
  const int size = of.whole("size");
  const int operation = valueOf(kOperations, of.choice("op"));
  const cv::Mat element =
      cv::getStructuringElement(valueOf(kShapes, of.choice("shape")), {size, size});
  return onMats([operation, element](const cv::Mat& from, cv::Mat& to) {
    cv::morphologyEx(from, to, operation, element);
  });
}

HostFilter canny(const Parameters& of, const ImageFormat& image) {
  if (image.bits != 8 || of.number("sigma") > 0) return {};
  const double low = of.number("low"), high = of.number("high");
  const int aperture = std::stoi(of.choice("aperture"));
  const bool length = of.choice("norm") == "L2";
  return onMats(
      [=](const cv::Mat& from, cv::Mat& to) { cv::Canny(from, to, low, high, aperture, length); });
}

HostFilter adaptiveThreshold(const Parameters& of, const ImageFormat& image) {
  if (image.bits != 8 || image.channels != 1) return {};
  const int size = 2 * of.whole("radius") + 1;
  const double below = std::floor(of.number("offset") * 255 + 0.5);
  return onMats([size, below](const cv::Mat& from, cv::Mat& to) {
    cv::adaptiveThreshold(from, to, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, size,
                          below);
  });
}

HostFilter demosaic(const Parameters& of, const ImageFormat& image) {
  if (image.width < 3 || image.height < 3) return {};  // OpenCV makes such pictures black
  const std::string& pattern = of.choice("pattern");
  const int code = pattern == "rggb"   ? cv::COLOR_BayerBG2BGR
                   : pattern == "grbg" ? cv::COLOR_BayerGB2BGR
                   : pattern == "gbrg" ? cv::COLOR_BayerGR2BGR
                                       : cv::COLOR_BayerRG2BGR;
  return onMats([code](const cv::Mat& from, cv::Mat& to) { cv::cvtColor(from, to, code); });
}

/// Returns the operation of OpenCV that replaces values as the table does, if one of the quick ones
/// does: adding a number, inverting, or comparing with a threshold.
HostFilter quickReplacement(std::span<const uint32_t> table) {
  const auto last = static_cast<int>(table.size()) - 1;  // full scale
  const auto is = [&](const auto& formula) {
    for (int v = 0; v <= last; ++v)
      if (table[static_cast<size_t>(v)] != static_cast<uint32_t>(formula(v))) return false;
    return true;
  };
  if (is([&](int v) { return last - v; }))
    return onMats([](const cv::Mat& from, cv::Mat& to) { cv::bitwise_not(from, to); });
  const int atLast = static_cast<int>(table.back()), atZero = static_cast<int>(table.front());
  const int added = atZero > 0 ? atZero : atLast - last;
  if (is([&](int v) { return std::clamp(v + added, 0, last); }))
    return onMats(
        [added](const cv::Mat& from, cv::Mat& to) { cv::add(from, cv::Scalar::all(added), to); });
  const auto step = std::ranges::find_if(table, [&](uint32_t v) { return v != table.front(); });
  const auto first = static_cast<int>(step - table.begin());
  if (atZero == 0 && is([&](int v) { return v >= first ? last : 0; }))
    return onMats([first, last](const cv::Mat& from, cv::Mat& to) {
      cv::threshold(from, to, first - 1, last, cv::THRESH_BINARY);
    });
  return {};
}

class OpenCvFilters : public gpu::HostFilters {
 public:
  HostFilter find(const Head& head, const ParameterValues& values,
                  const ImageFormat& image) const override {
    using Make = HostFilter (*)(const Parameters&, const ImageFormat&);
    static const std::vector<std::pair<std::string_view, Make>> kFilters{
        {"adaptive_threshold", adaptiveThreshold},
        {"box", box},
        {"canny", canny},
        {"demosaic", demosaic},
        {"median", median},
        {"morphology", morphology}};
    const auto found =
        std::ranges::find(kFilters, head.name, [](const auto& entry) { return entry.first; });
    if (found == kFilters.end()) return {};
    return found->second(Parameters(head, values), image);
  }

  HostFilter replaceValues(std::span<const uint32_t> table,
                           const ImageFormat& image) const override {
    if (HostFilter quick = quickReplacement(table)) return quick;
    if (image.bits == 16) return {};  // OpenCV has tables for 8-bit values only
    cv::Mat values(1, static_cast<int>(table.size()), CV_8U);
    std::ranges::transform(table, values.begin<uchar>(),
                           [](uint32_t v) { return static_cast<uchar>(v); });
    return onMats([values](const cv::Mat& from, cv::Mat& to) { cv::LUT(from, values, to); });
  }
};

}  // namespace

std::shared_ptr<const gpu::HostFilters> hostFilters() {
  static const auto filters = std::make_shared<const OpenCvFilters>();
  return filters;
}

gpu::DeviceOptions deviceOptions(const Settings::DeviceSettings& settings) {
  gpu::DeviceOptions options;
  options.name = settings.name;
  options.validation = settings.validation;
  options.hostFilters = hostFilters();
  return options;
}

}  // namespace glint::capture
