#include "app/capture/container_end.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

namespace glint {
namespace {

uint64_t bigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

uint64_t littleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

std::string readAt(std::istream& file, uint64_t at, size_t count) {
  std::string bytes(count, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(at));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

/// A box of ISO/IEC 14496-12, 4.2.
struct Box {
  std::string type;
  uint64_t size = 0;  ///< bytes, with its header; 0: to the end of the file
};

std::optional<Box> boxAt(std::istream& file, uint64_t at) {
  const std::string head = readAt(file, at, 16);
  if (head.size() < 8) return std::nullopt;
  Box box{head.substr(4, 4), bigEndian(std::string_view(head).substr(0, 4))};
  if (box.size == 1 && head.size() == 16) box.size = bigEndian(std::string_view(head).substr(8));
  return box;
}

// libav names itself in the index (moov) of what it writes, and closes fragments with mfra unless
// they are meant for streaming (sidx, styp).
bool isLibavs(std::istream& file, uint64_t at, uint64_t size) {
  constexpr uint64_t kMost = 1 << 20;
  return readAt(file, at, static_cast<size_t>(std::min(size, kMost))).find("Lavf") !=
         std::string::npos;
}

bool mp4StopsWithin(std::istream& file, uint64_t length) {
  std::set<std::string> types;
  bool libavs = false;
  for (uint64_t at = 0; at < length;) {
    const auto box = boxAt(file, at);
    if (!box) return true;
    if (box->size == 0 && box->type == "mdat") break;
    if (box->size < 8 || box->size > length - at) return true;
    if (box->type == "moov") libavs = isLibavs(file, at, box->size);
    types.insert(box->type);
    at += box->size;
  }
  const bool streaming = types.contains("sidx") || types.contains("styp");
  return types.contains("moof") && libavs && !streaming && !types.contains("mfra");
}

/// Whether the parts of a RIFF file follow each other as their sizes say.
bool aviStopsWithin(std::istream& file, uint64_t length) {
  for (uint64_t at = 0; at + 12 <= length;) {
    const std::string head = readAt(file, at, 8);
    const bool isRiff = head.starts_with("RIFF");
    const bool printable =
        std::all_of(head.begin(), head.begin() + 4, [](char c) { return c >= ' ' && c <= '~'; });
    if (at > 0 && head.substr(0, 4) == std::string(4, '\0')) return false;  // padding at the end
    if (!printable) return true;
    const uint64_t size = littleEndian(std::string_view(head).substr(4));
    if (size > length - at - 8) return true;
    at += isRiff ? 12 : 8 + size + size % 2;
  }
  return false;
}

bool tsStopsWithin(std::istream& file, uint64_t length) {
  constexpr char kSync = 0x47;
  for (const uint64_t size : {188, 192, 204}) {
    const uint64_t lead = size == 192 ? 4 : 0;
    bool regular = length > 4 * size;
    for (uint64_t n = 0; regular && n < 4; ++n)
      regular = readAt(file, n * size + lead, 1) == std::string(1, kSync);
    if (regular) return length % size != 0;
  }
  return false;
}

/// Bytes of the planes of one Y4M frame; empty for a colour space that is not known here.
std::optional<uint64_t> y4mFrameBytes(std::string_view header) {
  uint64_t width = 0, height = 0;
  std::string space = "420";
  for (size_t at = 0; at < header.size();) {
    const size_t stop = std::min(header.find(' ', at), header.size());
    const std::string field(header.substr(at, stop - at));
    if (field.size() > 1 && field[0] == 'W') width = std::strtoull(field.c_str() + 1, nullptr, 10);
    if (field.size() > 1 && field[0] == 'H') height = std::strtoull(field.c_str() + 1, nullptr, 10);
    if (field.size() > 1 && field[0] == 'C') space = field.substr(1);
    at = stop + 1;
  }
  const uint64_t halfWidth = (width + 1) / 2, halfHeight = (height + 1) / 2;
  if (space == "mono") return width * height;
  if (space.starts_with("420") && space.find('p', 3) != 3)
    return width * height + 2 * halfWidth * halfHeight;
  if (space == "422") return (width + 2 * halfWidth) * height;
  if (space == "444") return 3 * width * height;
  return std::nullopt;
}

bool y4mStopsWithin(std::istream& file, uint64_t length) {
  const std::string head = readAt(file, 0, 256);
  const size_t headerEnd = head.find('\n');
  if (headerEnd == std::string::npos) return false;
  const auto bytes = y4mFrameBytes(std::string_view(head).substr(0, headerEnd));
  const std::string frame = head.substr(headerEnd + 1, 6);
  if (!bytes || frame != "FRAME\n") return false;  // frames with parameters have no one length
  return (length - headerEnd - 1) % (*bytes + 6) != 0;
}

// The index is the last packet; its length stands in the file's last bytes (NUT specification,
// "index"): startcode ... index_ptr (8 bytes), checksum (4 bytes).
bool nutStopsWithin(std::istream& file, uint64_t length) {
  constexpr uint64_t kIndexStart = 0x4E58DD672F23E64E;
  if (length < 12) return true;
  const uint64_t back = bigEndian(readAt(file, length - 12, 8));
  return back > length || bigEndian(readAt(file, length - back, 8)) != kIndexStart;
}

}  // namespace

bool stopsWithin(const std::string& path, std::string_view kind) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  const uint64_t length = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return false;
  if (kind.starts_with("mov")) return mp4StopsWithin(file, length);
  if (kind == "avi") return aviStopsWithin(file, length);
  if (kind == "mpegts") return tsStopsWithin(file, length);
  if (kind == "yuv4mpegpipe") return y4mStopsWithin(file, length);
  if (kind == "nut") return nutStopsWithin(file, length);
  return false;
}

}  // namespace glint
