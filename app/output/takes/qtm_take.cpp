// QTM's table of trajectories in space, as docs.qualisys.com describes "motion data (.tsv)".
#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "app/output/takes/take_formats.h"
#include "app/output/takes/wide_rows.h"
#include "config/printable.h"

namespace glint::output {
namespace {

class QtmWriter final : public TakeWriter {
 public:
  QtmWriter(const std::string& path, const TakeSurvey& survey) : file_(path), row_(survey) {
    std::string names, columns, types;
    for (const std::string& name : survey.names) {
      names += '\t' + name;
      types += "\tMeasured";
      columns += fmt::format("\t{0} X\t{0} Y\t{0} Z", name);
    }
    int cameras = 0;
    file_.add(
        fmt::format("NO_OF_FRAMES\t{}\r\n"
                    "NO_OF_CAMERAS\t{}\r\n"
                    "NO_OF_MARKERS\t{}\r\n"
                    "FREQUENCY\t{}\r\n"
                    "NO_OF_ANALOG\t0\r\n"
                    "ANALOG_FREQUENCY\t0\r\n"
                    "DESCRIPTION\t--\r\n"
                    "TIME_STAMP\t--\r\n"
                    "DATA_INCLUDED\t3D\r\n"
                    "MARKER_NAMES{}\r\n"
                    "TRAJECTORY_TYPES{}\r\n"
                    "Frame\tTime{}\r\n",
                    survey.frames, cameras, row_.markers(), survey.rate, names, types, columns));
  }

  void add(const TakeFrame& frame) override {
    row_.set(frame);
    text_ = fmt::format("{}\t{:.6f}", frame.frame + 1, frame.time);
    for (size_t i = 0; i < row_.markers(); ++i) {
      const motion::SpaceRow* point = row_.point(i);
      for (int axis = 0; axis < 3; ++axis) {
        text_ += '\t';
        point ? appendLength(text_, point->at[axis], 1) : void(text_ += "NaN");
      }
    }
    file_.add(text_ += "\r\n");
  }

  void finish() override { file_.finish(); }

 private:
  RowFile file_;
  WideRow row_;
  std::string text_;
};

class QtmReader final : public TakeReader {
 public:
  explicit QtmReader(const std::string& path) : lines_(path) {
    bool any = false;
    while (lines_.next()) {
      const auto& fields = lines_.split('\t');
      if (!isKey(fields[0])) {
        readFirstRow(fields);
        any = true;
        break;
      }
      readKey(fields);
    }
    if (info_.markers.empty() && !named_)
      throw Error("{} is no table of QTM's: it has no MARKER_NAMES", path);
    if (dimensions_ != "3D") throw Error("{}: DATA_INCLUDED is \"{}\", not 3D", path, dimensions_);
    if (statedMarkers_ && *statedMarkers_ != markers())
      throw Error("{}: NO_OF_MARKERS is {}, but MARKER_NAMES has {}", path, *statedMarkers_,
                  markers());
    if (!any) ended_ = true;
  }

  const TakeInfo& info() const override { return info_; }

  bool next(TakeFrame& frame) override {
    if (!pending_ && !step()) return false;
    pending_ = false;
    const bool hasFrame = info_.timed;
    frame.points.clear();
    frame.poses.clear();
    frame.frame = read_;
    if (hasFrame) {
      const uint64_t number = lines_.count(row_[0]);
      if (read_ == 0) base_ = number == 0 ? 0 : 1;
      if (number < base_) lines_.refuse("there is a frame 0");
      frame.frame = number - base_;
      frames_.check(lines_, frame.frame);
    }
    frame.time = hasFrame ? lines_.number(row_[1]).value_or(0)
                          : static_cast<double>(read_) / info_.rate.value_or(1);
    for (size_t i = 0; i < markers(); ++i) {
      motion::SpaceRow row = rowOf(info_.markers[i], frame);
      const bool there = readPlace(lines_, row_, (hasFrame ? 2 : 0) + 3 * i, 1, row.at);
      if (there && !row.at.isZero(0)) frame.points.push_back(row);  // three zeros: no measurement
    }
    ++read_;
    return true;
  }

  std::vector<std::string> remarks() const override {
    std::vector<std::string> all;
    if (events_ > 0) all.push_back(fmt::format("{}: {}", lines_.path(), leftOut(events_, "event")));
    if (stated_ && *stated_ != read_)
      all.push_back(fmt::format("{}: NO_OF_FRAMES is {}, but the rows are {}", lines_.path(),
                                *stated_, read_));
    return all;
  }

 private:
  size_t markers() const { return info_.markers.size(); }

  /// Keys are words in capitals, with underlines.
  static bool isKey(const std::string& word) {
    return word.size() > 2 &&
           std::ranges::all_of(word, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
  }

  void readKey(const std::vector<std::string>& fields) {
    const std::string& key = fields[0];
    const std::string value = fields.size() > 1 ? fields[1] : "";
    if (key == "NO_OF_FRAMES") stated_ = lines_.count(value);
    if (key == "NO_OF_MARKERS") statedMarkers_ = lines_.count(value);
    if (key == "FREQUENCY" && value != "EXT") {
      info_.rate = lines_.number(value);
      if (info_.rate && !(*info_.rate > 0)) info_.rate.reset();
    }
    if (key == "DATA_INCLUDED") dimensions_ = value;
    if (key == "EVENT") ++events_;
    if (key != "MARKER_NAMES") return;
    named_ = true;
    std::vector<std::string> names(fields.begin() + 1, fields.end());
    while (!names.empty() && names.back().empty()) names.pop_back();
    info_.markers = markersOf(names);
  }

  /// Reads the line after the header: names of columns, or the first frame.
  void readFirstRow(const std::vector<std::string>& fields) {
    const std::string first = fields[0];
    const bool names = first == "Frame" || first.ends_with(" X");
    info_.timed = fields.size() == 3 * markers() + 2 || (names && first == "Frame");
    if (names) return;
    take(fields);
  }

  bool step() {
    while (!ended_ && lines_.next()) {
      if (lines_.text().empty()) continue;
      take(lines_.split('\t'));
      return true;
    }
    if (stated_ && read_ < *stated_)
      throw Error("{} ends after {} of {}", lines_.path(), read_, counted(*stated_, "frame"));
    return false;
  }

  void take(const std::vector<std::string>& fields) {
    row_ = fields;
    const size_t width = 3 * markers() + (info_.timed ? 2 : 0);
    while (row_.size() > width && row_.back().empty()) row_.pop_back();
    if (row_.size() != width)
      lines_.refuse("{} for {}", counted(row_.size(), "field"), counted(markers(), "marker"));
    pending_ = true;
  }

  LineReader lines_;
  TakeInfo info_;
  std::optional<uint64_t> stated_, statedMarkers_;
  std::string dimensions_ = "3D";
  bool named_ = false, pending_ = false, ended_ = false;
  uint64_t read_ = 0, base_ = 1, events_ = 0;
  std::vector<std::string> row_;
  RisingFrames frames_;
};

}  // namespace

std::unique_ptr<TakeReader> readQtm3d(const std::string& path) {
  return std::make_unique<QtmReader>(path);
}

std::unique_ptr<TakeWriter> writeQtm3d(const std::string& path, const TakeSurvey& survey, UpAxis,
                                       double) {
  return std::make_unique<QtmWriter>(path, survey);
}

}  // namespace glint::output
