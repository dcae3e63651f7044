// The responses `blur` and `dog`, written from docs/detection.md.
#include <algorithm>
#include <cmath>

#include "tests/gpu/reference.h"

namespace glint::reference {
namespace {

/// Returns weights from -reach to reach that add up to 65536.
std::vector<uint64_t> weights(double sigma) {
  const int reach = static_cast<int>(std::ceil(3 * sigma));
  const auto gauss = [&](int i) { return std::exp(-i * i / (2 * sigma * sigma)); };
  double sum = 0;
  for (int i = -reach; i <= reach; ++i) sum += gauss(i);
  std::vector<uint64_t> w;
  uint64_t others = 0;
  for (int i = -reach; i <= reach; ++i) {
    w.push_back(static_cast<uint64_t>(std::floor(65536 * gauss(i) / sum + 0.5)));
    if (i != 0) others += w.back();
  }
  w[static_cast<size_t>(reach)] = 65536 - others;
  return w;
}

/// Smooths columns, then rows, without the last rounding. The result is the response times 2^24 (8
/// bits) or 2^16 (16 bits).
std::vector<uint64_t> smooth(const Image& image, double sigma) {
  const auto w = weights(sigma);
  const auto reach = static_cast<int64_t>(w.size() / 2);
  const int64_t width = image.format.width, height = image.format.height;
  const uint64_t divisor = image.format.bits == 8 ? 256 : 65536;
  std::vector<uint64_t> columns, result;
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      uint64_t sum = 0;
      for (int64_t i = -reach; i <= reach; ++i) {
        sum += w[static_cast<size_t>(i + reach)] *
               image.at(x, std::clamp<int64_t>(y + i, 0, height - 1));
      }
      columns.push_back((sum + divisor / 2) / divisor);
    }
  }
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      uint64_t sum = 0;
      for (int64_t i = -reach; i <= reach; ++i) {
        sum += w[static_cast<size_t>(i + reach)] *
               columns[static_cast<size_t>(y * width + std::clamp<int64_t>(x + i, 0, width - 1))];
      }
      result.push_back(sum);
    }
  }
  return result;
}

Image rounded(const Image& like, const std::vector<uint64_t>& sums) {
  const uint64_t divisor = like.format.bits == 8 ? 1U << 24 : 1U << 16;
  Image image{like.format, {}};
  for (const uint64_t sum : sums)
    image.values.push_back(static_cast<uint16_t>(
        std::min<uint64_t>((sum + divisor / 2) / divisor, like.format.fullScale())));
  return image;
}

}  // namespace

Image blurred(const Image& grey, double radius) {
  return rounded(grey, smooth(grey, radius / 2));
}

Image differenceOfGaussians(const Image& grey, double radius, uint64_t gain) {
  auto narrow = smooth(grey, radius / 2);
  const auto wide = smooth(grey, radius);
  for (size_t i = 0; i < narrow.size(); ++i)
    narrow[i] = (narrow[i] - std::min(narrow[i], wide[i])) * gain;
  return rounded(grey, narrow);
}

}  // namespace glint::reference
