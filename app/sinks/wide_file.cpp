#include "app/sinks/wide_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr std::string_view kRowsHeader = "frame,time_s,track,x,y\n";

const std::string& refuseDevices(const std::string& path, const WideLayout& layout) {
  if (isDevice(path) || standardStream(path)) {
    throw UsageError(fmt::format("'{}' is no file, which the format {} needs; name another output",
                                 path, layout.name));
  }
  return path;
}

uint64_t toNumber(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// One line of `path`.rows.
struct SpooledRow {
  std::string text;
  std::string_view fields[5];

  std::string_view time() const { return fields[1]; }
  bool saysWhen() const { return fields[2].empty(); }
  FrameNumber frame() const { return FrameNumber(toNumber(fields[0])); }
  TrackId track() const { return TrackId(toNumber(fields[2])); }

  void split() {
    std::string_view rest = text;
    for (std::string_view& field : fields) {
      const size_t comma = rest.find(',');
      field = rest.substr(0, comma);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
};

[[noreturn]] void refuse(const std::string& path) {
  throw Error(fmt::format("cannot read '{}'", path));
}

/// Reads one of the two kinds of lines, times of frames or places of tracks, in the order of
/// frames: passes over what came late.
class SpoolReader {
 public:
  SpoolReader(const std::string& path, bool times) : path_(path), times_(times), file_(path) {
    if (!std::getline(file_, row_.text)) refuse(path_);  // the header
    next();
  }

  bool ended() const { return !file_; }
  const SpooledRow& row() const { return row_; }

  void next() {
    while (std::getline(file_, row_.text)) {
      row_.split();
      if (row_.saysWhen() != times_ || row_.frame() < newest_) continue;
      newest_ = row_.frame();
      return;
    }
    if (!file_.eof()) refuse(path_);
  }

 private:
  std::string path_;
  bool times_;
  std::ifstream file_;
  SpooledRow row_;
  FrameNumber newest_;
};

/// Reads the rows that came late, in the order of frames.
class LateReader {
 public:
  LateReader(const std::string& path, std::vector<LateRow> rows)
      : path_(path), rows_(std::move(rows)), file_(path, std::ios::binary) {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const LateRow& a, const LateRow& b) { return a.frame < b.frame; });
  }

  bool ended() const { return next_ == rows_.size(); }
  FrameNumber frame() const { return rows_[next_].frame; }

  const SpooledRow& take() {
    file_.seekg(static_cast<std::streamoff>(rows_[next_++].at));
    if (!std::getline(file_, row_.text)) refuse(path_);
    row_.split();
    return row_;
  }

 private:
  std::string path_;
  std::vector<LateRow> rows_;
  size_t next_ = 0;
  std::ifstream file_;
  SpooledRow row_;
};

struct Place {
  TrackId track;
  std::string x, y;
};

Place toPlace(const SpooledRow& row) {
  return {row.track(), std::string(row.fields[3]), std::string(row.fields[4])};
}

}  // namespace

WideFile::WideFile(const std::string& path, size_t camera, const WideLayout& layout)
    : camera_(camera), layout_(layout), file_(refuseDevices(path, layout)), rows_(path + ".rows") {
  rows_.add(kRowsHeader);
  spooled_ = kRowsHeader.size();
}

void WideFile::addLine(const std::string& line) {
  spooled_ += line.size();
  rows_.add(line);
}

void WideFile::accept(const FramePtr& frame) {
  const CameraFrame& camera = frame->cameras[camera_];
  if (!holdsAnything()) contents_.provisional = frame->provisional();
  if (const auto& stamp = camera.measured.stamp) {
    if (contents_.frames++ == 0) contents_.firstTime = stamp->time;
    contents_.lastTime = stamp->time;
    addLine(fmt::format("{},{:.6f},,,\n", stamp->sequence, stamp->time));
  }
  for (const TrackRow& row : camera.finalised) {
    if (row.state != TrackState::measured) continue;
    contents_.tracks.insert(row.track);
    if (row.frame < newest_) late_.push_back({row.frame, spooled_});
    newest_ = std::max(newest_, row.frame);
    addLine(
        fmt::format("{},{:.6f},{},{:.4f},{:.4f}\n", row.frame, row.time, row.track, row.x, row.y));
  }
}

void WideFile::poll() {
  if (holdsAnything()) rows_.poll();
}

bool WideFile::holdsAnything() const {
  return contents_.frames > 0 || !contents_.tracks.empty();
}

void WideFile::finish() {
  if (!holdsAnything() && file_.holdsEarlier()) return;  // which stays
  rows_.finish();
  try {
    writeLines();
  } catch (const Error& error) {
    throw Error(fmt::format("{}; all that was measured is in '{}'", error.what(), rows_.path()));
  }
  std::error_code ignored;
  std::filesystem::remove(rows_.path(), ignored);
}

// Several readers, since a row comes some frames after its frame's time, or after later frames'
// rows.
void WideFile::writeLines() {
  file_.add(layout_.header(contents_));
  SpoolReader times(rows_.path(), true), rows(rows_.path(), false);
  LateReader late(rows_.path(), late_);
  const std::vector<TrackId> tracks(contents_.tracks.begin(), contents_.tracks.end());
  std::vector<Place> places;
  std::vector<WideCell> cells;
  std::string line;
  for (; !times.ended(); times.next()) {
    const FrameNumber frame = times.row().frame();
    for (places.clear(); !rows.ended() && rows.row().frame() == frame; rows.next())
      places.push_back(toPlace(rows.row()));
    while (!late.ended() && late.frame() == frame) places.push_back(toPlace(late.take()));
    if (places.empty() && !layout_.everyFrame) continue;
    cells.assign(tracks.size(), {});
    for (const Place& place : places) {
      const auto column = std::lower_bound(tracks.begin(), tracks.end(), place.track);
      cells[static_cast<size_t>(column - tracks.begin())] = {place.x, place.y};
    }
    line.clear();
    layout_.line(line, frame, times.row().time(), cells);
    file_.add(line);
  }
  if (!rows.ended() || !late.ended()) {
    throw Error(fmt::format("cannot write '{}': there was no frame {} that a row is of",
                            file_.path(), rows.ended() ? late.frame() : rows.row().frame()));
  }
  file_.finish();
}

}  // namespace glint
