#include "app/capture/images/animation.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace glint::capture {

bool isAnimatedPng(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, 8> signature{};
  if (!in.read(signature.data(), signature.size()) ||
      std::string_view(signature.data(), signature.size()) != "\x89PNG\r\n\x1a\n")
    return false;
  // Each chunk has a length (4 bytes, big endian), a name, its data, and a checksum.
  for (std::array<char, 8> head{}; in.read(head.data(), head.size());) {
    const std::string_view name(head.data() + 4, 4);
    if (name == "acTL") return true;
    if (name == "IDAT") return false;
    uint32_t length = 0;
    for (size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<uint8_t>(head[i]);
    in.seekg(std::streamoff{length} + 4, std::ios::cur);
  }
  return false;
}

bool isAnimatedWebp(const std::string& path) {
  constexpr char kAnimation = 2;  // the flag in the first byte of the chunk VP8X
  std::array<char, 21> head{};
  std::ifstream in(path, std::ios::binary);
  if (!in.read(head.data(), head.size())) return false;
  const std::string_view text(head.data(), head.size());
  return text.starts_with("RIFF") && text.substr(8, 8) == "WEBPVP8X" &&
         (text[20] & kAnimation) != 0;
}

}  // namespace glint::capture
