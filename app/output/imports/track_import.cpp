#include "app/output/imports/track_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "app/base/suffix.h"
#include "app/base/text.h"
#include "app/motion/labels/pose_files.h"
#include "app/output/edit/track_edits.h"
#include "app/output/takes/take_names.h"
#include "app/output/takes/text_lines.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr double kUsualRate = 60;  // Hz, where nothing tells one
constexpr uint64_t kMostNumber = 0xffffffff;

/// Returns a row of which nothing is known.
motion::TrackRow unknownRow() {
  motion::TrackRow row;
  row.time = row.vx = row.vy = kNotKnown;
  row.seen.sigmaX = row.seen.sigmaY = row.seen.mass = row.seen.radius = kNotKnown;
  row.seen.eccentricity = kNotKnown;
  return row;
}

void place(motion::TrackRow& row, double x, double y) {
  row.x = row.seen.x = x;
  row.y = row.seen.y = y;
}

void add(ImportedTracks& tracks, size_t camera, const motion::TrackRow& row) {
  constexpr size_t kMostCameras = 64;
  if (camera >= kMostCameras) throw Error("camera {} is beyond the 64 that Glint knows", camera);
  if (camera >= tracks.cameras.size()) tracks.cameras.resize(camera + 1);
  tracks.cameras[camera].push_back(row);
}

/// A table with named columns, of which some may be missing.
class NamedTable {
 public:
  NamedTable(const std::string& path, std::span<const std::string_view> columns,
             std::span<const std::string_view> others)
      : csv_(path, columns, others) {}

  bool next() { return csv_.next(); }
  double number(size_t index) const {
    return csv_.has(index) && !csv_.missing(index) ? csv_.value<double>(index) : kNotKnown;
  }
  /// A whole number, which programs may write as 3.0.
  uint64_t count(size_t index) const {
    const double value = number(index);
    if (!(value >= 0 && value <= kMostNumber) || value != std::floor(value)) csv_.refuse(index);
    return static_cast<uint64_t>(value);
  }
  std::string text(size_t index) const {
    return csv_.has(index) ? std::string(csv_.text(index)) : std::string();
  }
  [[noreturn]] void refuse(size_t index) const { csv_.refuse(index); }
  bool has(size_t index) const { return csv_.has(index); }

 private:
  base::CsvReader csv_;
};

/// "Track 17" or "Track17" is track 17; other labels are names.
std::vector<TrackId> idsOf(const std::vector<std::string>& labels, ImportedTracks& tracks) {
  std::vector<std::optional<uint64_t>> known;
  std::set<uint64_t> taken;
  for (const std::string& label : labels) {
    std::string_view digits = label;
    if (digits.starts_with("Track")) digits.remove_prefix(5);
    if (digits.starts_with(' ')) digits.remove_prefix(1);
    auto id = label.starts_with("Track") ? base::parseNumber<uint64_t>(digits) : std::nullopt;
    if (id && (*id == 0 || *id > kMostNumber || !taken.insert(*id).second)) id.reset();
    known.push_back(id);
  }
  std::vector<TrackId> ids;
  uint64_t free = 1;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!known[i]) {
      while (taken.contains(free)) ++free;
      taken.insert(free);
      tracks.names[TrackId(free)] = labels[i];
    }
    ids.emplace_back(known[i] ? *known[i] : free);
  }
  return ids;
}

/// Ids that count from 0 become those that count from 1.
void countFromOne(ImportedTracks& tracks, const std::string& path) {
  bool any = false;
  for (const auto& rows : tracks.cameras)
    for (const motion::TrackRow& row : rows) any = any || row.track == TrackId();
  if (!any) return;
  for (auto& rows : tracks.cameras)
    for (motion::TrackRow& row : rows) row.track = TrackId(row.track.value() + 1);
  std::map<TrackId, std::string> names;
  for (auto& [id, name] : tracks.names) names[TrackId(id.value() + 1)] = std::move(name);
  tracks.names = std::move(names);
  tracks.remarks.push_back(
      fmt::format("{} counts tracks from 0: each id is one greater here", path));
}

/// Changes names that no track can have: see canBeName().
void makeNamesValid(ImportedTracks& tracks, const std::string& path) {
  size_t changed = 0;
  for (auto& [id, name] : tracks.names) {
    if (canBeName(name)) continue;
    name = fitName(plainName(name), {.most = TrackEdits::kLongestName});
    ++changed;
  }
  if (changed > 0)
    tracks.remarks.push_back(fmt::format(
        "{}: {} changed, because a name is UTF-8 of one line and at most {} bytes", path,
        counted(changed, "name") + (changed == 1 ? " is" : " are"), TrackEdits::kLongestName));
}

double rateOf(const std::vector<motion::TrackRow>& rows) {
  double rate = 0;
  for (const motion::TrackRow& row : rows) {
    const double frames = static_cast<double>(row.frame.value() - rows.front().frame.value());
    const double seconds = row.time - rows.front().time;
    if (frames > 0 && seconds > 0) rate = frames / seconds;
  }
  const double whole = std::round(rate);
  constexpr double kRounding = 1e-4;  // of times with few decimals
  return whole > 0 && std::abs(rate / whole - 1) < kRounding ? whole : rate;
}

/// Returns a row with the first four columns of a line: frame, track, x and y. Throws Error if one
/// of them is missing.
motion::TrackRow placedRow(const NamedTable& table) {
  motion::TrackRow row = unknownRow();
  row.frame = FrameNumber(table.count(0));
  row.track = TrackId(table.count(1));
  place(row, table.number(2), table.number(3));
  if (!std::isfinite(row.x)) table.refuse(2);
  if (!std::isfinite(row.y)) table.refuse(3);
  return row;
}

}  // namespace

void completeTracks(ImportedTracks& tracks, const std::string& path, double rate) {
  countFromOne(tracks, path);
  makeNamesValid(tracks, path);
  bool timed = true;
  for (auto& rows : tracks.cameras) {
    std::ranges::stable_sort(rows, [](const auto& a, const auto& b) {
      return std::pair(a.frame, a.track) < std::pair(b.frame, b.track);
    });
    const auto twice = std::ranges::adjacent_find(rows, [](const auto& a, const auto& b) {
      return a.frame == b.frame && a.track == b.track;
    });
    if (twice != rows.end())
      throw Error("{}: track {} is there twice in frame {}", path, twice->track, twice->frame);
    for (const motion::TrackRow& row : rows) timed = timed && std::isfinite(row.time);
    if (timed && tracks.rate == 0 && !rows.empty()) tracks.rate = rateOf(rows);
  }
  if (rate > 0) tracks.rate = rate;
  if (tracks.rate == 0) {
    tracks.rate = kUsualRate;
    if (!timed)
      tracks.remarks.push_back(
          fmt::format("{} has no times: {} frames a second are assumed; give the rate with --rate",
                      path, kUsualRate));
  }
  if (timed) return;
  for (auto& rows : tracks.cameras)
    for (motion::TrackRow& row : rows)
      row.time = static_cast<double>(row.frame.value()) / tracks.rate;
}

ImportedTracks importGlintTracks(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"frame", "track", "x", "y"};
  constexpr std::array<std::string_view, 13> kOthers{
      "camera", "time_s",       "state",   "vx",      "vy",    "peak", "mass",
      "radius", "eccentricity", "sigma_x", "sigma_y", "flags", "name"};
  NamedTable table(path, kColumns, kOthers);
  ImportedTracks tracks;
  while (table.next()) {
    motion::TrackRow row = placedRow(table);
    row.time = table.number(5);
    const std::string state = table.text(6);
    if (state == "predicted") row.state = motion::TrackState::predicted;
    if (!state.empty() && state != "predicted" && state != "measured") table.refuse(6);
    row.vx = table.number(7), row.vy = table.number(8);
    if (const double peak = table.number(9); std::isfinite(peak)) row.seen.peak = peak;
    row.seen.mass = table.number(10), row.seen.radius = table.number(11);
    row.seen.eccentricity = table.number(12);
    row.seen.sigmaX = table.number(13), row.seen.sigmaY = table.number(14);
    if (std::isfinite(table.number(15))) row.seen.flags = static_cast<uint32_t>(table.count(15));
    if (const std::string name = table.text(16); !name.empty()) tracks.names[row.track] = name;
    add(tracks, table.has(4) ? table.count(4) : 0, row);
  }
  return tracks;
}

ImportedTracks importTrackpy(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"frame", "particle", "x", "y"};
  constexpr std::array<std::string_view, 5> kOthers{"mass", "size", "ecc", "signal", "ep"};
  NamedTable table(path, kColumns, kOthers);
  ImportedTracks tracks;
  while (table.next()) {
    motion::TrackRow row = placedRow(table);
    row.seen.mass = table.number(4);
    row.seen.radius = table.number(5) * std::sqrt(2);  // trackpy's size is the radius of gyration
    row.seen.eccentricity = table.number(6);
    if (const double signal = table.number(7); std::isfinite(signal)) row.seen.peak = signal;
    row.seen.sigmaX = row.seen.sigmaY = table.number(8);
    add(tracks, 0, row);
  }
  return tracks;
}

ImportedTracks importTrackMate(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"FRAME", "TRACK_ID", "POSITION_X",
                                                     "POSITION_Y"};
  constexpr std::array<std::string_view, 4> kOthers{"POSITION_T", "RADIUS", "QUALITY", "LABEL"};
  LineReader lines(path);
  if (!lines.next()) throw Error("{} is empty: a header line is missing", path);
  const std::vector<std::string> names = lines.split(',');
  std::vector<size_t> at;
  for (const auto name : kColumns) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) lines.refuse("there is no column \"{}\"", name);
    if (std::ranges::count(names, name) > 1)
      lines.refuse("there are two columns \"{}\"; rename or remove one", name);
    at.push_back(static_cast<size_t>(found - names.begin()));
  }
  for (const auto name : kOthers)
    at.push_back(static_cast<size_t>(std::ranges::find(names, name) - names.begin()));
  ImportedTracks tracks;
  size_t alone = 0;
  for (size_t line = 2; lines.next(); ++line) {
    if (lines.text().empty()) continue;
    const std::vector<std::string>& fields = lines.split(',');
    if (fields.size() != names.size())
      lines.refuse("{} where the header has {}", counted(fields.size(), "field"), names.size());
    // TrackMate 7 repeats its headings in words and units.
    if (line <= 4 && !base::parseNumber<double>(fields[at[2]])) continue;
    const auto number = [&](size_t index) {
      return at[index] < fields.size() ? lines.number(fields[at[index]]).value_or(kNotKnown)
                                       : kNotKnown;
    };
    if (fields[at[1]].empty() || fields[at[1]] == "None") {
      ++alone;
      continue;
    }
    motion::TrackRow row = unknownRow();
    row.frame = FrameNumber(lines.count(fields[at[0]]));
    row.track = TrackId(lines.count(fields[at[1]]));
    place(row, number(2), number(3));
    if (!std::isfinite(row.x) || !std::isfinite(row.y)) lines.refuse("there is no position");
    row.time = number(4);
    row.seen.radius = number(5);
    if (const double quality = number(6); std::isfinite(quality)) row.seen.peak = quality;
    add(tracks, 0, row);
  }
  if (alone > 0)
    tracks.remarks.push_back(fmt::format("{}: {} without a track {} left out", path,
                                         counted(alone, "spot"), alone == 1 ? "is" : "are"));
  return tracks;
}

ImportedTracks importKinovea(const std::string& path) {
  LineReader lines(path);
  if (!lines.next()) throw Error("{} is empty: a header line is missing", path);
  const std::vector<std::string> names = lines.split(',');
  if (names.size() < 3 || names[0] != "Time" || names.size() % 2 != 1)
    lines.refuse("the columns are not Time, and the x and y of each track");
  std::vector<std::string> labels;
  for (size_t i = 1; i < names.size(); i += 2) {
    const std::string label = names[i].substr(0, names[i].find_last_of('/'));
    if (!names[i].ends_with("/X") || names[i + 1] != label + "/Y")
      lines.refuse("\"{}\" and \"{}\" are not the x and y of a track", names[i], names[i + 1]);
    labels.push_back(label.ends_with("/0") ? label.substr(0, label.size() - 2) : label);
  }
  ImportedTracks tracks;
  const std::vector<TrackId> ids = idsOf(labels, tracks);
  double before = kNotKnown, least = std::numeric_limits<double>::infinity(), first = 0;
  while (lines.next()) {
    if (lines.text().empty()) continue;
    const std::vector<std::string>& fields = lines.split(',');
    if (fields.size() != names.size())
      lines.refuse("{} where the header has {}", counted(fields.size(), "field"), names.size());
    const auto time = lines.number(fields[0]);
    if (!time || *time <= before) lines.refuse("times do not rise");
    if (std::isfinite(before))
      least = std::min(least, *time - before);
    else
      first = *time;
    before = *time;
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto x = lines.number(fields[1 + 2 * i]), y = lines.number(fields[2 + 2 * i]);
      if (x.has_value() != y.has_value()) lines.refuse("a place has one coordinate alone");
      if (!x) continue;
      motion::TrackRow row = unknownRow();
      row.time = *time;
      row.track = ids[i];
      place(row, *x, *y);
      add(tracks, 0, row);
    }
  }
  // There are no numbers of frames: the smallest step of time is one frame.
  if (tracks.cameras.empty()) return tracks;
  const double step = std::isfinite(least) ? least : 1 / kUsualRate;
  for (motion::TrackRow& row : tracks.cameras[0]) {
    const double frame = std::round((row.time - std::min(first, 0.0)) / step);
    if (frame > static_cast<double>(kMostNumber))
      throw Error("{}: the time {} is frame {} of {} s each", path, row.time, frame, step);
    row.frame = FrameNumber(static_cast<uint64_t>(frame));
  }
  tracks.remarks.push_back(
      fmt::format("{} numbers no frames: {:.6g} ms are taken for one frame", path, 1e3 * step));
  return tracks;
}

ImportedTracks importQtmTracks(const std::string& path) {
  LineReader lines(path);
  ImportedTracks tracks;
  std::vector<std::string> names;
  std::vector<TrackId> ids;
  while (lines.next()) {
    if (lines.text().empty()) continue;
    const std::vector<std::string> fields = lines.split('\t');
    if (fields[0] == "FREQUENCY" && fields.size() > 1) {
      tracks.rate = std::max(0.0, lines.number(fields[1]).value_or(0));
      continue;
    }
    if (fields[0] == "Frame") {
      if (fields.size() < 2 || fields.size() % 2 != 0 || fields[1] != "Time")
        lines.refuse("the columns are not Frame, Time, and the X and Y of each track");
      for (size_t i = 2; i < fields.size(); i += 2) {
        if (!fields[i].ends_with(" X") || !fields[i + 1].ends_with(" Y"))
          lines.refuse("\"{}\" is not the X of a track", fields[i]);
        names.push_back(fields[i].substr(0, fields[i].size() - 2));
      }
      ids = idsOf(names, tracks);
      continue;
    }
    if (names.empty()) continue;  // of the header
    if (fields.size() != 2 + 2 * ids.size())
      lines.refuse("{} for {}", counted(fields.size(), "field"), counted(ids.size(), "track"));
    const uint64_t frame = lines.count(fields[0]);
    if (frame == 0) lines.refuse("frames do not count from 1");
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto x = lines.number(fields[2 + 2 * i]), y = lines.number(fields[3 + 2 * i]);
      if (x.has_value() != y.has_value()) lines.refuse("a place has one coordinate alone");
      if (!x) continue;
      motion::TrackRow row = unknownRow();
      row.frame = FrameNumber(frame - 1);
      row.time = lines.number(fields[1]).value_or(kNotKnown);
      row.track = ids[i];
      place(row, *x, *y);
      add(tracks, 0, row);
    }
  }
  if (names.empty()) throw Error("{} has no line of names that begins with Frame", path);
  return tracks;
}

ImportedTracks importPoses(const std::string& path) {
  motion::PointTable table = motion::readPoses(path);
  ImportedTracks tracks;
  tracks.remarks = std::move(table.remarks);
  for (size_t i = 0; i < table.labels.size(); ++i)
    tracks.names[TrackId(i + 1)] = std::move(table.labels[i]);
  for (const motion::PointRow& point : table.rows) {
    if (point.frame < 0 || static_cast<uint64_t>(point.frame) > kMostNumber)
      throw Error("{}, line {}: {} is not the number of a frame", path, point.line, point.frame);
    motion::TrackRow row = unknownRow();
    row.frame = FrameNumber(static_cast<uint64_t>(point.frame));
    row.track = TrackId(static_cast<uint64_t>(point.label) + 1);
    place(row, point.dot.at.x(), point.dot.at.y());
    add(tracks, 0, row);
  }
  return tracks;
}

const TrackImport* recognizeTracks(const std::string& path) {
  static constexpr TrackImport kGlint{"csv", importGlintTracks}, kTrackpy{"trackpy", importTrackpy},
      kTrackMate{"trackmate", importTrackMate}, kXml{"trackmate-xml", importTrackMateXml},
      kKinovea{"kinovea", importKinovea}, kQtm{"qtm", importQtmTracks},
      kPoses{"poses", importPoses};
  if (motion::isPoseFile(path)) return &kPoses;
  constexpr std::array<std::string_view, 3> kSuffixes{".csv", ".tsv", ".xml"};
  const std::string_view suffix = base::longestSuffix(path, kSuffixes);
  if (suffix.empty()) return nullptr;
  if (suffix == ".xml") return &kXml;
  LineReader lines(path);
  if (suffix == ".tsv") {
    while (lines.next())
      if (lines.text().starts_with("DATA_INCLUDED"))
        return lines.text().ends_with("2D") ? &kQtm : nullptr;
    return nullptr;
  }
  if (!lines.next()) return nullptr;
  const std::vector<std::string>& names = lines.split(',');
  const auto has = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (has("particle") && has("x")) return &kTrackpy;
  if (has("TRACK_ID") && has("POSITION_X")) return &kTrackMate;
  if (has("track") && has("x") && has("y")) return &kGlint;
  return names.size() > 2 && names[0] == "Time" && names[1].ends_with("/X") ? &kKinovea : nullptr;
}

}  // namespace glint::output
