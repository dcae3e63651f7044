#include "app/capture/video/cine_times.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

namespace glint::capture {
namespace {

/// Little-endian numbers at places of a file.
class FileNumbers {
 public:
  explicit FileNumbers(const std::string& path) : in_(path, std::ios::binary) {}

  std::optional<uint32_t> at(uint64_t place, size_t bytes) {
    std::array<unsigned char, 4> read{};
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(place));
    in_.read(reinterpret_cast<char*>(read.data()), static_cast<std::streamsize>(bytes));
    if (!in_) return std::nullopt;
    uint32_t value = 0;
    for (size_t i = bytes; i-- > 0;) value = value << 8 | read[i];
    return value;
  }

 private:
  std::ifstream in_;
};

}  // namespace

std::vector<double> cineTimes(const std::string& path) {
  constexpr uint32_t kMark = 0x4943, kTimesBlock = 1002;  // "CI"
  constexpr uint64_t kImageCount = 20, kOffSetup = 28, kOffImageOffsets = 32;
  constexpr uint64_t kSetupLength = 142, kBlockHead = 8, kTime = 8;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  FileNumbers file(path);
  if (file.at(0, 2) != kMark) return {};
  const auto images = file.at(kImageCount, 4), setup = file.at(kOffSetup, 4),
             end = file.at(kOffImageOffsets, 4);
  if (!images || !setup || !end) return {};
  const auto length = file.at(*setup + kSetupLength, 2);
  if (!length) return {};
  std::vector<double> times;
  for (uint64_t at = uint64_t{*setup} + *length; at + kBlockHead <= *end;) {
    const auto size = file.at(at, 4), type = file.at(at + 4, 2);
    if (!size || !type || *size < kBlockHead) return {};
    if (*type != kTimesBlock) {
      at += *size;
      continue;
    }
    const uint64_t count = std::min<uint64_t>(*images, (*size - kBlockHead) / kTime);
    for (uint64_t i = 0; i < count; ++i) {
      const auto fraction = file.at(at + kBlockHead + i * kTime, 4);
      const auto seconds = file.at(at + kBlockHead + i * kTime + 4, 4);
      if (!fraction || !seconds) return {};
      // The two lowest bits of the fraction tell of synchronisation.
      const double time = *seconds + (*fraction & ~3U) / 4294967296.0;
      if (!times.empty() && time <= times.back()) return {};
      times.push_back(time);
    }
    return count == *images ? times : std::vector<double>();
  }
  return {};
}

}  // namespace glint::capture
