#include "gpu/filters/templates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "config/error.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kMostBox = 255;  // px, since each coordinate of a pixel has 8 bits
constexpr double kTiny = 1e-6;

using Parameters = filters::ParameterValues;

std::vector<double> listOf(const filters::Head& head, const Parameters& values, const char* name) {
  const auto found = values.find(name);
  return found == values.end() ? head.find(name)->initial : found->second;
}

/// Returns a part of an image in grey. `part`: left, top, width, height, px; width 0: all of it.
TemplateImage partOf(const FilterImage& image, std::vector<double> part, const std::string& who) {
  const auto& format = image.format;
  if (part[2] == 0) part = {0, 0, double(format.width), double(format.height)};
  if (part[2] < 1 || part[3] < 1 || part[0] + part[2] > format.width ||
      part[1] + part[3] > format.height)
    throw UsageError(who + ": its part reaches beyond the image, which is " +
                     std::to_string(format.width) + "x" + std::to_string(format.height));
  TemplateImage grey{static_cast<int64_t>(part[2]), static_cast<int64_t>(part[3]), {}};
  for (int64_t y = 0; y < grey.height; ++y) {
    for (int64_t x = 0; x < grey.width; ++x) {
      const auto pixel = static_cast<size_t>((y + static_cast<int64_t>(part[1])) * format.width +
                                             x + static_cast<int64_t>(part[0]));
      const uint16_t* v = &image.values[pixel * format.channels];
      grey.values.push_back(format.channels == 1 ? v[0]
                                                 : (19 * v[0] + 183 * v[1] + 54 * v[2] + 128) >> 8);
    }
  }
  return grey;
}

/// Returns the numbers from `from` to `to` at distances of `step`; at least `from`, and no more
/// than kMostVariants + 1 of them.
std::vector<double> steps(double from, double to, double step) {
  std::vector<double> all;
  for (size_t i = 0; all.size() <= kMostVariants; ++i) {
    const double v = from + double(i) * step;
    if (i > 0 && v > to + kTiny) break;
    all.push_back(v);
  }
  return all;
}

uint32_t fraction(double v, double from, double to) {
  return std::bit_cast<uint32_t>(static_cast<float>(to > from ? (v - from) / (to - from) : 0));
}

}  // namespace

double TemplateImage::at(int64_t x, int64_t y) const {
  x = std::clamp<int64_t>(x, 0, width - 1);
  y = std::clamp<int64_t>(y, 0, height - 1);
  return values[static_cast<size_t>(y * width + x)];
}

TemplateImage templateImage(const FilterImage& image, const filters::Head& head,
                            const Parameters& values, const std::string& who) {
  TemplateImage pattern = partOf(image, listOf(head, values, "part"), who);
  if (pattern.width > kMostTemplateSide || pattern.height > kMostTemplateSide)
    throw UsageError(who + ": its pattern is " + std::to_string(pattern.width) + "x" +
                     std::to_string(pattern.height) +
                     " px; at most 64x64 are allowed (take a part of it with 'part')");
  return pattern;
}

std::vector<TemplateVariant> templateVariants(const filters::Head& head, const Parameters& values) {
  const auto number = [&](const char* name) { return listOf(head, values, name).at(0); };
  const auto angles = steps(number("angle_from"), number("angle_to"), number("angle_step"));
  const auto scales = steps(number("scale_from"), number("scale_to"), number("scale_step"));
  std::vector<TemplateVariant> variants;
  for (const double scale : scales)
    for (const double angle : angles) variants.push_back({angle, scale});
  return variants;
}

std::pair<int64_t, int64_t> templateBox(const TemplateImage& pattern,
                                        const TemplateVariant& variant) {
  const double angle = variant.angle / 180 * std::numbers::pi;
  const double c = std::abs(std::cos(angle)), s = std::abs(std::sin(angle));
  const double w = double(pattern.width), h = double(pattern.height);
  const auto side = [&](double along, double across) {
    const double length = variant.scale * (along * c + across * s);
    return static_cast<int64_t>(std::clamp(std::ceil(length - kTiny), 1.0, kMostBox + 1.0));
  };
  return {side(w, h), side(h, w)};
}

TemplateShape templateShape(const TemplateImage& pattern, const TemplateVariant& variant) {
  const double scale = variant.scale, angle = variant.angle / 180 * std::numbers::pi;
  const double c = std::cos(angle), s = std::sin(angle);
  const double w = double(pattern.width), h = double(pattern.height);
  const auto [wide, high] = templateBox(pattern, variant);
  TemplateShape v{
      .width = static_cast<uint32_t>(wide), .height = static_cast<uint32_t>(high), .pixels = {}};
  if (v.width > kMostBox || v.height > kMostBox) return v;
  for (uint32_t j = 0; j < v.height; ++j) {
    for (uint32_t i = 0; i < v.width; ++i) {
      const double x = i - (v.width - 1) / 2.0, y = j - (v.height - 1) / 2.0;
      const double u = (c * x + s * y) / scale + (w - 1) / 2;
      const double t = (c * y - s * x) / scale + (h - 1) / 2;
      const double most = 0.5 + kTiny;
      if (u < -most || t < -most || u > w - 1 + most || t > h - 1 + most) continue;
      const auto qx = static_cast<int64_t>(std::floor(u)), qy = static_cast<int64_t>(std::floor(t));
      const double a = u - double(qx), b = t - double(qy);
      const double mean = (1 - b) * ((1 - a) * pattern.at(qx, qy) + a * pattern.at(qx + 1, qy)) +
                          b * ((1 - a) * pattern.at(qx, qy + 1) + a * pattern.at(qx + 1, qy + 1));
      const auto value = static_cast<uint32_t>(std::floor(mean + 0.5));
      v.pixels.push_back(value | i << 16 | j << 24);
      v.sum += value;
      v.squares += uint64_t{value} * value;
    }
  }
  return v;
}

TemplateImage templateSeen(const TemplateImage& window, const TemplateVariant& variant,
                           int64_t width, int64_t height) {
  const double angle = variant.angle / 180 * std::numbers::pi;
  const double c = std::cos(angle) * variant.scale, s = std::sin(angle) * variant.scale;
  TemplateImage upright{width, height, {}};
  for (int64_t j = 0; j < height; ++j) {
    for (int64_t i = 0; i < width; ++i) {
      const double u = double(i) - double(width - 1) / 2, t = double(j) - double(height - 1) / 2;
      const double x = c * u - s * t + double(window.width - 1) / 2;
      const double y = s * u + c * t + double(window.height - 1) / 2;
      const double left = std::floor(x + kTiny), top = std::floor(y + kTiny);
      const double a = std::max(x - left, 0.0), b = std::max(y - top, 0.0);
      const auto qx = static_cast<int64_t>(left), qy = static_cast<int64_t>(top);
      upright.values.push_back(
          (1 - b) * ((1 - a) * window.at(qx, qy) + a * window.at(qx + 1, qy)) +
          b * ((1 - a) * window.at(qx, qy + 1) + a * window.at(qx + 1, qy + 1)));
    }
  }
  return upright;
}

std::vector<uint32_t> templateWords(const TemplateImage& pattern, const filters::Head& head,
                                    const Parameters& values, const std::string& who) {
  const auto number = [&](const char* name) { return listOf(head, values, name).at(0); };
  const double from = number("angle_from"), to = number("angle_to");
  const double least = number("scale_from"), most = number("scale_to");
  const auto variants = templateVariants(head, values);
  const size_t count = variants.size();
  if (count > kMostVariants)
    throw UsageError(who + ": more than " + std::to_string(kMostVariants) +
                     " angles and scales; use larger steps");
  std::vector<uint32_t> words{static_cast<uint32_t>(count)}, pixels;
  for (const TemplateVariant& variant : variants) {
    const TemplateShape v = templateShape(pattern, variant);
    if (v.width > kMostBox || v.height > kMostBox)
      throw UsageError(who + ": its pattern is too large at its largest scale");
    const size_t begin = 1 + count * kVariantWords + pixels.size();
    words.insert(words.end(),
                 {v.width, v.height, static_cast<uint32_t>(v.pixels.size()),
                  static_cast<uint32_t>(v.sum), static_cast<uint32_t>(v.squares),
                  static_cast<uint32_t>(v.squares >> 32), static_cast<uint32_t>(begin),
                  fraction(variant.angle, from, to), fraction(variant.scale, least, most)});
    pixels.insert(pixels.end(), v.pixels.begin(), v.pixels.end());
  }
  words.insert(words.end(), pixels.begin(), pixels.end());
  return words;
}

}  // namespace glint::gpu
