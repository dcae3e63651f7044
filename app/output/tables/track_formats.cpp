#include "app/output/tables/track_formats.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/output/tables/table_sink.h"
#include "app/output/tables/tables.h"
#include "app/output/tables/wide_file.h"
#include "config/error.h"

namespace glint::output {
namespace {

/// The measured rows of one camera, for formats of other programs. These cannot mark predicted
/// rows, and have no column for the camera. Ids are those of tracks.csv.
class MeasuredTracks {
 public:
  using Row = TracksTable::Row;
  explicit MeasuredTracks(size_t camera) : camera_(camera) {}

  void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    if (camera != camera_) return;
    TracksTable::rows(frame, camera, [&](Row row) {
      if (row.track.state != motion::TrackState::measured) return;
      row.count = count_++;
      take(row);
    });
  }

 protected:
  static constexpr Column<Row> kProvisional{
      "provisional", "", "", [](const Row&) -> Cell { return true; }, 0, ColumnUse::provisional};

 private:
  size_t camera_;
  uint64_t count_ = 0;
};

/// The documentation of trackpy.locate defines these columns: size is the radius of gyration,
/// which of a uniform disc is its radius / sqrt(2); signal the brightest pixel; ep the standard
/// deviation of a coordinate; raw_mass, empty here, includes the background.
struct TrackpyTable : MeasuredTracks {
  using MeasuredTracks::MeasuredTracks;
  static std::span<const Column<Row>> columns() {
    using C = Column<Row>;
    using R = const Row&;
    static constexpr C kColumns[] = {
        C{"y", "", "", [](R r) -> Cell { return r.track.y; }, 4},
        C{"x", "", "", [](R r) -> Cell { return r.track.x; }, 4},
        C{"mass", "", "", [](R r) -> Cell { return r.track.seen.mass; }, 1},
        C{"size", "", "", [](R r) -> Cell { return r.track.seen.radius / std::numbers::sqrt2; }, 4},
        C{"ecc", "", "", [](R r) -> Cell { return r.track.seen.eccentricity; }, 3},
        C{"signal", "", "", [](R r) -> Cell { return r.track.seen.peak; }},
        C{"raw_mass", "", "", [](R) -> Cell { return {}; }},
        C{"ep", "", "",
          [](R r) -> Cell {
            return std::hypot(r.track.seen.sigmaX, r.track.seen.sigmaY) / std::numbers::sqrt2;
          },
          4},
        C{"frame", "", "", [](R r) -> Cell { return r.track.frame.value(); }},
        C{"particle", "", "", [](R r) -> Cell { return r.track.track.value(); }},
        kProvisional};
    return kColumns;
  }
};

/// The lines that TrackMate 7 writes, up to its features of intensity.
struct TrackMateTable : MeasuredTracks {
  using MeasuredTracks::MeasuredTracks;
  static std::span<const Column<Row>> columns() {
    using C = Column<Row>;
    using R = const Row&;
    static constexpr C kColumns[] = {
        C{"LABEL", "", "", [](R r) -> Cell { return fmt::format("ID{}", r.count); }},
        C{"ID", "", "", [](R r) -> Cell { return r.count; }},
        C{"TRACK_ID", "", "", [](R r) -> Cell { return r.track.track.value(); }},
        C{"QUALITY", "", "", [](R r) -> Cell { return r.track.seen.peak; }},
        C{"POSITION_X", "", "", [](R r) -> Cell { return r.track.x; }, 4},
        C{"POSITION_Y", "", "", [](R r) -> Cell { return r.track.y; }, 4},
        C{"POSITION_Z", "", "", [](R) -> Cell { return uint64_t{0}; }},
        C{"POSITION_T", "", "", [](R r) -> Cell { return r.track.time; }, 6},
        C{"FRAME", "", "", [](R r) -> Cell { return r.track.frame.value(); }},
        C{"RADIUS", "", "", [](R r) -> Cell { return r.track.seen.radius; }, 3},
        C{"VISIBILITY", "", "", [](R) -> Cell { return uint64_t{1}; }},
        C{"MANUAL_SPOT_COLOR", "", "", [](R) -> Cell { return {}; }},
        kProvisional};
    return kColumns;
  }
  static std::string headings(bool provisional) {
    const char* last = provisional ? ",provisional" : "";
    return fmt::format(
        "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,Radius,Visibility,Manual spot color{0}\n"
        "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,R,Visibility,Spot color{0}\n"
        ",,,(quality),(pixel),(pixel),(pixel),(sec),,(pixel),,{0}\n",
        last);
  }
};

using SinkPtr = std::unique_ptr<Sink>;

template <class Table>
SinkPtr makeMeasured(const std::string& path, size_t camera) {
  return std::make_unique<TableSink<Table>>(path, TextStyle::csv, Table(camera));
}

template <TextStyle style>
SinkPtr makeTracks(const std::string& path, size_t) {
  return std::make_unique<TableSink<TracksTable>>(path, style);
}

template <const WideLayout& layout>
SinkPtr makeWide(const std::string& path, size_t camera) {
  return std::make_unique<WideFile>(path, camera, layout);
}

const std::array<TrackFormat, 6> kFormats{{
    {"csv",
     {".csv"},
     "Glint's own table, with everything known about a track",
     true,
     false,
     makeTracks<TextStyle::csv>},
    {"jsonl",
     {".jsonl"},
     "JSON Lines: an object per row, with the columns of Glint's own table",
     true,
     false,
     makeTracks<TextStyle::jsonLines>},
    {"trackpy",
     {".trackpy.csv"},
     "the columns of trackpy's DataFrame",
     false,
     false,
     makeMeasured<TrackpyTable>},
    {"trackmate",
     {".trackmate.csv"},
     "TrackMate's table of spots (Fiji)",
     false,
     false,
     makeMeasured<TrackMateTable>},
    {"kinovea",
     {".kinovea.csv"},
     "Kinovea's table: a time, x and y of every track",
     false,
     true,
     makeWide<kKinoveaLayout>},
    {"qtm",
     {".tsv"},
     "Qualisys Track Manager's motion data, 2D",
     false,
     true,
     makeWide<kQtmLayout>},
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

/// Returns the longest suffix of the format in which `path` ends; empty if there is none.
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
    throw UsageError("there is no format '{}'; there are {}", name,
                     listOf([](const auto& f) { return f.name; }));
  }
  if (chosen) return *chosen;
  if (base::isDevice(path) || base::standardStream(path)) return kFormats.front();
  throw UsageError(
      "the name '{}' does not show the format of the tracks: it must end in one of {}, "
      "or --format must say it",
      path, listOf(suffixesOf));
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

}  // namespace glint::output
