#include "app/capture/images/exif.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace glint::capture {
namespace {

using Bytes = std::span<const std::byte>;

bool begins(Bytes bytes, std::string_view with) {
  return bytes.size() >= with.size() && std::memcmp(bytes.data(), with.data(), with.size()) == 0;
}

/// Numbers in the byte order that Exif data begin with; 0 beyond their end.
class Numbers {
 public:
  Numbers(Bytes bytes, bool bigEndian) : bytes_(bytes), bigEndian_(bigEndian) {}

  uint32_t at(size_t from, size_t count) const {
    if (from + count > bytes_.size()) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i)
      value =
          value << 8 | std::to_integer<uint32_t>(bytes_[from + (bigEndian_ ? i : count - 1 - i)]);
    return value;
  }

 private:
  Bytes bytes_;
  bool bigEndian_;
};

/// Exif data are a TIFF file without a picture; the tag is in its first directory.
std::optional<Orientation> orientationIn(Bytes exif) {
  constexpr size_t kEntry = 12;
  constexpr uint32_t kTag = 0x0112, kShort = 3;
  const bool big = begins(exif, {"MM\0*", 4});
  if (!big && !begins(exif, {"II*\0", 4})) return std::nullopt;
  const Numbers numbers(exif, big);
  const size_t directory = numbers.at(4, 4);
  for (size_t i = 0; i < numbers.at(directory, 2); ++i) {
    const size_t entry = directory + 2 + i * kEntry;
    if (numbers.at(entry, 2) != kTag) continue;
    const uint32_t value = numbers.at(entry + 8, 2);
    if (numbers.at(entry + 2, 2) != kShort || value < 1 || value > 8) return std::nullopt;
    return static_cast<Orientation>(value);
  }
  return std::nullopt;
}

std::optional<Orientation> inJpeg(Bytes file) {
  const Numbers numbers(file, true);
  for (size_t at = 2; at + 4 <= file.size();) {
    const uint32_t marker = numbers.at(at, 2), length = numbers.at(at + 2, 2);
    // The picture's own data begin behind SOS.
    if (marker < 0xFFC0 || marker == 0xFFDA || length < 2) return std::nullopt;
    const Bytes segment = file.subspan(at + 4, std::min<size_t>(length - 2, file.size() - at - 4));
    if (marker == 0xFFE1 && begins(segment, {"Exif\0\0", 6}))
      return orientationIn(segment.subspan(6));
    at += 2 + length;
  }
  return std::nullopt;
}

/// A chunk of PNG is length, type, data and checksum; one of WebP is type, length and data.
std::optional<Orientation> inChunks(Bytes file, size_t first, bool png) {
  const Numbers numbers(file, png);
  for (size_t at = first; at + 8 <= file.size();) {
    const size_t length = numbers.at(png ? at : at + 4, 4);
    const Bytes type = file.subspan(png ? at + 4 : at, 4);
    if (begins(type, png ? "eXIf" : "EXIF")) {
      const Bytes data = file.subspan(at + 8, std::min(length, file.size() - at - 8));
      return orientationIn(begins(data, {"Exif\0\0", 6}) ? data.subspan(6) : data);
    }
    if (length > file.size()) return std::nullopt;
    at += 8 + length + (png ? 4 : length % 2);
  }
  return std::nullopt;
}

}  // namespace

Orientation exifOrientation(Bytes file) {
  std::optional<Orientation> found;
  if (begins(file, "\xFF\xD8")) found = inJpeg(file);
  if (begins(file, "\x89PNG\r\n\x1a\n")) found = inChunks(file, 8, true);
  if (begins(file, "RIFF") && file.size() > 12 && begins(file.subspan(8), "WEBP"))
    found = inChunks(file, 12, false);
  return found.value_or(Orientation::upright);
}

}  // namespace glint::capture
