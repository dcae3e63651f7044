// The header of NorPix sequences (StreamPix manual, "Sequence file format"; pims reads it, too).
// Numbers are little-endian.
#include <bit>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "app/capture/video/container_walk.h"
#include "app/capture/video/stored_frames.h"
#include "config/error.h"

namespace glint::capture {
namespace {

// Positions of fields in the header, bytes.
constexpr uint64_t kVersion = 28, kWidthAt = 548, kHeightAt = 552, kBitsAt = 556, kDepthAt = 560,
                   kImageBytes = 564, kImageFormat = 568, kAllocatedFrames = 572, kOrigin = 576,
                   kDistance = 580, kSuggestedRate = 584, kCompression = 620;
constexpr uint64_t kMono = 100, kBlueGreenRed = 200;

std::string refusal(const std::string& path, const std::string& what) {
  return fmt::format("'{}' {}, which Glint does not read: save it as TIFF or AVI with StreamPix",
                     path, what);
}

/// Reads the time stamps, each of which follows its picture: seconds, and milliseconds and, from
/// version 5 on, microseconds. Returns the times since the first one, s; empty if they do not rise.
std::vector<double> timesOf(FileBytes& file, const StoredFrames& frames, uint64_t imageBytes,
                            bool hasMicroseconds) {
  const uint64_t stampBytes = hasMicroseconds ? 8 : 6;
  std::vector<double> times;
  uint64_t first = 0;  // microseconds
  for (uint64_t n = 0; !frames.frames || n < *frames.frames; ++n) {
    const uint64_t at = frames.first + n * frames.distance + imageBytes;
    if (at + stampBytes > file.length()) break;
    const uint64_t stamp = file.little(at, 4) * 1'000'000 + file.little(at + 4, 2) * 1000 +
                           (hasMicroseconds ? file.little(at + 6, 2) : 0);
    if (n == 0) first = stamp;
    const double time = static_cast<double>(stamp - first) * 1e-6;
    if (stamp < first || (n > 0 && time <= times.back())) return {};
    times.push_back(time);
  }
  return times;
}

}  // namespace

bool isNorpix(const std::string& path) {
  constexpr uint64_t kMark = 0xFEED;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  FileBytes file(path);
  return file.length() > 32 && file.little(0, 4) == kMark &&
         file.at(4, 12) == std::string_view("N\0o\0r\0p\0i\0x\0", 12);
}

StoredFrames readNorpix(const std::string& path) {
  FileBytes file(path);
  const bool isNew = static_cast<int32_t>(file.little(kVersion, 4)) >= 5;
  StoredFrames frames{.bits = 0,
                      .path = path,
                      .first = isNew ? 8192U : 1024U,
                      .distance = file.little(kDistance, 4),
                      .rateFrom = "its header"};
  if (file.length() < frames.first) throw Error("'{}' is cut short: its header is not whole", path);
  const uint64_t format = file.little(kImageFormat, 4);
  if (format != kMono && format != kBlueGreenRed)
    throw Error(refusal(path, fmt::format("holds pictures of the format {}", format)));
  if (isNew && file.little(kCompression, 4) != 0)
    throw Error(refusal(path, "holds compressed pictures"));
  frames.channels = format == kMono ? 1 : 3;
  frames.width = static_cast<uint32_t>(file.little(kWidthAt, 4));
  frames.height = static_cast<uint32_t>(file.little(kHeightAt, 4));
  // The header counts the bits of all colours of a pixel.
  frames.bits = static_cast<uint32_t>(file.little(kBitsAt, 4)) / frames.channels;
  const auto depth = static_cast<uint32_t>(file.little(kDepthAt, 4)) / frames.channels;
  frames.depth = depth == 0 || depth > frames.bits ? frames.bits : depth;
  if (frames.bits != 8 && frames.bits != 16)
    throw Error(refusal(path, fmt::format("holds values of {} bits", frames.bits)));
  const uint64_t imageBytes = file.little(kImageBytes, 4);
  if (imageBytes != frames.frameBytes() || frames.distance < imageBytes)
    throw Error(
        "'{}' is damaged or of a kind that Glint does not read: it promises pictures of {} bytes, "
        "{} apart, and {} x {} pixels need {}",
        path, imageBytes, frames.distance, frames.width, frames.height, frames.frameBytes());
  if (const uint64_t allocated = file.little(kAllocatedFrames, 4); allocated > 0)
    frames.frames = allocated;
  const auto rate = std::bit_cast<double>(file.little(kSuggestedRate, 8));
  if (std::isfinite(rate) && rate > 0) frames.rate = rate;
  frames.times = timesOf(file, frames, imageBytes, isNew);
  if (frames.times.empty())
    frames.remarks.push_back("its time stamps are not used, since they do not rise");
  if (const uint64_t origin = file.little(kOrigin, 4); origin != 0)
    frames.remarks.push_back(fmt::format(
        "frames are read as they are stored, although its header names {} as their origin",
        origin));
  return frames;
}

}  // namespace glint::capture
