#include "app/sinks/formats.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/sinks/other_programs.h"
#include "app/sinks/row_sink.h"
#include "app/sinks/tables.h"
#include "config/error.h"

namespace glint {
namespace {

template <class Rows>
std::unique_ptr<Sink> makeTable(const std::string& path, size_t) {
  return std::make_unique<RowSink<Rows>>(path);
}

const std::array<TrackFormat, 6> kFormats{{
    {"csv",
     {".csv"},
     "Glint's own table, with everything that is known of a track",
     true,
     false,
     makeTable<CsvRows<TracksTable>>},
    {"jsonl",
     {".jsonl"},
     "JSON Lines: an object a row, with the columns of Glint's own table",
     true,
     false,
     makeTable<JsonRows<TracksTable>>},
    {"trackpy",
     {".trackpy.csv"},
     "the columns of trackpy's DataFrame",
     false,
     false,
     makeTrackpyCsv},
    {"trackmate",
     {".trackmate.csv"},
     "TrackMate's table of spots (Fiji)",
     false,
     false,
     makeTrackMateCsv},
    {"kinovea",
     {".kinovea.csv"},
     "Kinovea's table: a time, x and y of every track",
     false,
     true,
     makeKinoveaCsv},
    {"qtm", {".tsv"}, "Qualisys Track Manager's motion data, 2D", false, true, makeQtmTsv},
}};

std::string listOf(const auto& part) {
  std::string all;
  for (const TrackFormat& format : kFormats)
    all += fmt::format("{}{}", all.empty() ? "" : ", ", part(format));
  return all;
}

std::string suffixesOf(const TrackFormat& format) {
  return fmt::format("{}", fmt::join(format.suffixes, " "));
}

/// The longest of the format's suffixes that `path` ends in, or empty.
std::string_view suffixOf(const std::string& path, const TrackFormat& format) {
  std::string_view longest;
  for (const std::string_view suffix : format.suffixes) {
    if (path.ends_with(suffix) && suffix.size() > longest.size()) longest = suffix;
  }
  return longest;
}

}  // namespace

std::span<const TrackFormat> trackFormats() {
  return kFormats;
}

const TrackFormat& chooseTrackFormat(const std::string& path, const std::string& name) {
  const TrackFormat* chosen = nullptr;
  size_t longest = 0;
  for (const TrackFormat& format : kFormats) {
    if (!name.empty() && format.name == name) return format;
    const size_t length = suffixOf(path, format).size();
    if (length > longest) {
      chosen = &format;
      longest = length;
    }
  }
  if (!name.empty()) {
    throw UsageError(fmt::format("there is no format '{}'; there are {}", name,
                                 listOf([](const auto& f) { return f.name; })));
  }
  if (chosen) return *chosen;
  if (isDevice(path) || standardStream(path)) return kFormats.front();
  throw UsageError(fmt::format(
      "the name '{}' does not tell the format of the tracks: it must end in one of {}, or --format "
      "must say it",
      path, listOf(suffixesOf)));
}

std::vector<std::string> trackFiles(const std::string& path, const TrackFormat& format,
                                    size_t cameras) {
  if (format.allCameras || cameras == 1) return {path};
  std::string_view suffix = suffixOf(path, format);
  const std::string last = std::filesystem::path(path).extension().string();
  if (suffix.empty()) suffix = last;
  std::vector<std::string> files;
  for (size_t i = 0; i < cameras; ++i) {
    files.push_back(
        fmt::format("{}_cam{}{}", path.substr(0, path.size() - suffix.size()), i, suffix));
  }
  return files;
}

std::string describeTrackFormats() {
  std::string text;
  for (const TrackFormat& format : kFormats)
    text += fmt::format("  {:<11}{:<16}{}\n", format.name, suffixesOf(format), format.about);
  return text;
}

}  // namespace glint
