#include "app/output/tables/wide_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "config/error.h"

namespace glint::output {
namespace {

constexpr std::string_view kRowsHeader = "frame,time_s,track,x,y\n";

}  // namespace

// The layout that Kinovea's ExporterCSV writes (RFC 4180): every field in quotes, and empty fields
// without. Kinovea calls the point of a trajectory 0.
const WideLayout kKinoveaLayout{.name = "kinovea",
                                .quoted = true,
                                .everyFrame = false,
                                .header = "\"Time\"{columns}\r\n",
                                .label = "Track {}",
                                .track = "",
                                .column = ",\"{0}/0/X\",\"{0}/0/Y\"",
                                .begin = "\"{1}\"",
                                .place = ",\"{}\",\"{}\"",
                                .none = ",,"};

// The layout that docs.qualisys.com describes as a "motion data (.tsv)" file, without values that
// are not known here (the date of the recording). Its frames are counted from 1.
const WideLayout kQtmLayout{.name = "qtm",
                            .quoted = false,
                            .everyFrame = true,
                            .header =
                                "NO_OF_FRAMES\t{frames}\r\n"
                                "NO_OF_CAMERAS\t1\r\n"
                                "NO_OF_MARKERS\t{markers}\r\n"
                                "FREQUENCY\t{rate:.6g}\r\n"
                                "NO_OF_ANALOG\t0\r\n"
                                "ANALOG_FREQUENCY\t0\r\n"
                                "DESCRIPTION\t--\r\n"
                                "TIME_STAMP\t--\r\n"
                                "DATA_INCLUDED\t2D\r\n"
                                "MARKER_NAMES{names}\r\n"
                                "Frame\tTime{columns}\r\n",
                            .label = "Track{}",
                            .track = "\t{}",
                            .column = "\t{0} X\t{0} Y",
                            .begin = "{}\t{}",
                            .place = "\t{}\t{}",
                            .none = "\tNaN\tNaN"};

namespace {

const std::string& refuseDevices(const std::string& path, const WideLayout& layout) {
  if (base::isDevice(path) || base::standardStream(path)) {
    throw UsageError("'{}' is not a file, which the format {} needs; name another output", path,
                     layout.name);
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
  uint64_t frame() const { return toNumber(fields[0]); }
  uint64_t track() const { return toNumber(fields[2]); }

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
  throw Error("cannot read '{}'", path);
}

/// A reader of one of the two kinds of lines, times of frames or places of tracks, in the order of
/// frames. Skips rows that came late.
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
  uint64_t newest_ = 0;
};

/// A reader of the rows that came late, in the order of frames.
class LateReader {
 public:
  LateReader(const std::string& path, std::vector<LateRow> rows)
      : path_(path), rows_(std::move(rows)), file_(path, std::ios::binary) {
    std::ranges::stable_sort(rows_, {}, &LateRow::frame);
  }

  bool ended() const { return next_ == rows_.size(); }
  uint64_t frame() const { return rows_[next_].frame.value(); }

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

/// The places of tracks in a frame, as text.
using Places = std::map<uint64_t, std::pair<std::string, std::string>>;

void put(Places& places, const SpooledRow& row) {
  places[row.track()] = {std::string(row.fields[3]), std::string(row.fields[4])};
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

void WideFile::accept(const motion::FramePtr& frame) {
  const motion::CameraFrame& camera = frame->cameras[camera_];
  provisional_ = frame->provisional();
  if (const auto* edits = frame->results.get<SharedEdits>()) edits_ = *edits;
  if (const auto& stamp = camera.measured.stamp) {
    if (frames_++ == 0) firstTime_ = stamp->time;
    lastTime_ = stamp->time;
    addLine(fmt::format("{},{:.6f},,,\n", stamp->sequence, stamp->time));
  }
  for (const motion::TrackRow& row : camera.finalised) {
    if (row.state != motion::TrackState::measured) continue;
    tracks_.insert(row.track.value());
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
  return frames_ > 0 || !tracks_.empty();
}

void WideFile::finish() {
  if (!holdsAnything() && file_.holdsEarlier()) return;  // leaves the earlier contents
  rows_.finish();
  try {
    writeLines();
  } catch (const Error& error) {
    throw Error("{}; every row that was measured is in '{}'", error.what(), rows_.path());
  }
  std::error_code ignored;
  std::filesystem::remove(rows_.path(), ignored);
}

/// Returns the heading of a track. A name that several tracks have is followed by the id.
std::string WideFile::labelOf(uint64_t track) const {
  std::string name = edits_ ? edits_->name(TrackId(track)) : std::string();
  if (name.empty())
    return fmt::format(fmt::runtime(layout_.label),
                       fmt::format("{}{}", provisional_ ? "~" : "", track));
  const auto same = std::ranges::count_if(
      tracks_, [&](uint64_t other) { return edits_->name(TrackId(other)) == name; });
  if (same > 1) name += fmt::format(" {}", track);
  for (size_t at = 0; layout_.quoted && (at = name.find('"', at)) != std::string::npos; at += 2)
    name.insert(at, 1, '"');
  return name;
}

std::string WideFile::header() const {
  std::string names, columns;
  for (const uint64_t track : tracks_) {
    const std::string label = labelOf(track);
    names += fmt::format(fmt::runtime(layout_.track), label);
    columns += fmt::format(fmt::runtime(layout_.column), label);
  }
  const double seconds = lastTime_ - firstTime_;  // 0 if there are too few frames to know a rate
  return fmt::format(fmt::runtime(layout_.header), fmt::arg("frames", frames_),
                     fmt::arg("markers", tracks_.size()),
                     fmt::arg("rate", seconds > 0 ? static_cast<double>(frames_ - 1) / seconds : 0),
                     fmt::arg("names", names), fmt::arg("columns", columns));
}

// Writes the lines, with several readers: a row comes some frames after the time of its frame, or
// even after rows of later frames.
void WideFile::writeLines() {
  file_.add(header());
  SpoolReader times(rows_.path(), true), rows(rows_.path(), false);
  LateReader late(rows_.path(), late_);
  Places places;
  for (; !times.ended(); times.next()) {
    const uint64_t frame = times.row().frame();
    for (places.clear(); !rows.ended() && rows.row().frame() == frame; rows.next())
      put(places, rows.row());
    while (!late.ended() && late.frame() == frame) put(places, late.take());
    if (places.empty() && !layout_.everyFrame) continue;
    std::string line = fmt::format(fmt::runtime(layout_.begin), frame + 1, times.row().time());
    for (const uint64_t track : tracks_) {
      const auto at = places.find(track);
      line += at == places.end()
                  ? std::string(layout_.none)
                  : fmt::format(fmt::runtime(layout_.place), at->second.first, at->second.second);
    }
    file_.add(line += "\r\n");
  }
  if (!rows.ended() || !late.ended()) {
    throw Error("cannot write '{}': a row belongs to frame {}, which does not exist", file_.path(),
                rows.ended() ? late.frame() : rows.row().frame());
  }
  file_.finish();
}

}  // namespace glint::output
