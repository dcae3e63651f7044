#include "app/motion/track/samples.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "app/motion/track/sorted_once.h"

namespace glint::motion {
namespace {

std::vector<Sample> readSamples(const std::string& path,
                                std::span<const std::string_view> columns) {
  base::CsvReader csv(path, columns);
  std::vector<Sample> samples;
  while (csv.next()) {
    Sample sample;
    sample.camera = csv.value<uint16_t>(0);
    sample.frame = csv.value<uint32_t>(1);
    sample.id = csv.value<uint64_t>(2);
    sample.x = csv.value<double>(3);
    sample.y = csv.value<double>(4);
    if (columns.size() > 5) sample.visible = csv.flag(5);
    samples.push_back(sample);
  }
  return sorted(std::move(samples), path, columns[2]);
}

}  // namespace

std::vector<Sample> sorted(std::vector<Sample> samples, const std::string& where,
                           std::string_view id) {
  return sortedOnce(
      std::move(samples), where, [](const Sample& s) { return std::tie(s.camera, s.frame, s.id); },
      [&](const Sample& s) {
        return fmt::format("camera {}, frame {} has {} {}", s.camera, s.frame, id, s.id);
      });
}

std::vector<Sample> readTracks(const std::string& path) {
  constexpr std::array<std::string_view, 5> columns{"camera", "frame", "track", "x", "y"};
  return readSamples(path, columns);
}

std::vector<Sample> readTruth(const std::string& path) {
  constexpr std::array<std::string_view, 6> columns{"camera", "frame", "id", "x", "y", "visible"};
  return readSamples(path, columns);
}

}  // namespace glint::motion
