#include "app/shell/desk/recording_meter.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "app/base/paths.h"

namespace glint::shell {
namespace fs = std::filesystem;

void RowCounter::accept(const motion::FramePtr& frame) {
  uint64_t rows = 0;
  for (const motion::CameraFrame& camera : frame->cameras) rows += camera.finalised.size();
  rows_ += rows;
}

std::optional<uint64_t> freeBytes(const std::string& path) {
  std::error_code error;
  fs::path place = fs::absolute(base::followLinks(path), error);
  while (!error && !fs::exists(place, error) && place.has_relative_path())
    place = place.parent_path();
  const fs::space_info space = fs::space(place, error);
  if (error || space.available == static_cast<std::uintmax_t>(-1)) return std::nullopt;
  return space.available;
}

uint64_t bytesOf(const std::vector<std::string>& files) {
  uint64_t sum = 0;
  for (const std::string& file : files) {
    for (const char* suffix : {"", ".rows"}) {
      std::error_code error;
      const auto size = fs::file_size(file + suffix, error);
      if (!error) sum += size;
    }
  }
  return sum;
}

void RecordingMeter::update(double seconds, uint64_t rows, uint64_t bytes,
                            std::optional<uint64_t> free) {
  samples_.push_back({seconds, bytes});
  while (samples_.size() > 2 && samples_[1].seconds <= seconds - kWindow) samples_.pop_front();
  const double span = seconds - samples_.front().seconds;
  const uint64_t before = samples_.front().bytes;
  status_ = {.elapsed = std::max(seconds - begin_, 0.0),
             .rows = rows > firstRows_ ? rows - firstRows_ : 0,
             .bytes = bytes,
             .freeBytes = free,
             .lasts = {}};
  if (span > 0 && bytes > before)
    status_.bytesPerSecond = static_cast<double>(bytes - before) / span;
  if (free && status_.bytesPerSecond > 0)
    status_.lasts = static_cast<double>(*free) / status_.bytesPerSecond;
}

std::string clockText(double seconds) {
  const auto whole = static_cast<uint64_t>(std::max(seconds, 0.0));
  const uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours == 0) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
}

std::string aboutText(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 24 * kHour;
  if (seconds < kMinute) return "less than a minute";
  if (seconds < 99.5 * kMinute) return fmt::format("~{:.0f} min", seconds / kMinute);
  if (seconds < kDay) return fmt::format("~{:.0f} h", seconds / kHour);
  return "more than a day";
}

std::string bytesText(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, kUnits[unit]);
}

}  // namespace glint::shell
