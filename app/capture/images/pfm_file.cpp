#include "app/capture/images/pfm_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "app/base/text.h"
#include "config/error.h"

namespace glint::capture {
namespace {

constexpr uint32_t kMostPfmSide = 1U << 16;

bool isSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// The next word of a header; a single white space behind it is passed over.
std::string_view takeWord(std::string_view text, size_t& at) {
  while (at < text.size() && isSpace(text[at])) ++at;
  const size_t from = at;
  while (at < text.size() && !isSpace(text[at])) ++at;
  const std::string_view word = text.substr(from, at - from);
  ++at;
  return word;
}

}  // namespace

bool isPfm(std::span<const std::byte> file) {
  return file.size() > 3 && file[0] == std::byte{'P'} &&
         (file[1] == std::byte{'f'} || file[1] == std::byte{'F'}) &&
         isSpace(static_cast<char>(file[2]));
}

cv::Mat decodePfm(const std::string& name, std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  size_t at = 0;
  const size_t channels = takeWord(text, at) == "PF" ? 3 : 1;
  const auto width = base::parseNumber<uint32_t>(takeWord(text, at));
  const auto height = base::parseNumber<uint32_t>(takeWord(text, at));
  const auto scale = base::parseNumber<double>(takeWord(text, at));
  const bool sized = width && height && *width > 0 && *height > 0 && *width <= kMostPfmSide &&
                     *height <= kMostPfmSide;
  const size_t row = sized ? *width * channels * sizeof(float) : 0;
  if (!sized || !scale || at > file.size() || row * *height > file.size() - at)
    throw Error("the image '{}' is cut short or damaged", name);
  cv::Mat image(static_cast<int>(*height), static_cast<int>(*width),
                CV_32FC(static_cast<int>(channels)));
  for (size_t y = 0; y < *height; ++y) {
    auto* to = image.ptr<float>(static_cast<int>(*height - 1 - y));
    const std::byte* from = file.data() + at + y * row;
    for (size_t i = 0; i < *width * channels; ++i) {
      std::array<std::byte, sizeof(float)> bytes{};
      std::memcpy(bytes.data(), from + i * bytes.size(), bytes.size());
      if (*scale > 0) std::ranges::reverse(bytes);  // big endian
      // Red, green, blue become blue, green, red.
      to[channels == 1 ? i : i / 3 * 3 + 2 - i % 3] = std::bit_cast<float>(bytes);
    }
  }
  return image;
}

}  // namespace glint::capture
