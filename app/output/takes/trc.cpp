// TRC, the text format of marker trajectories that OpenSim reads (TRCFileAdapter).
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "app/output/takes/take_formats.h"
#include "app/output/takes/wide_rows.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr std::array<std::string_view, 8> kTrcKeys{
    "DataRate", "CameraRate",   "NumFrames",          "NumMarkers",
    "Units",    "OrigDataRate", "OrigDataStartFrame", "OrigNumFrames"};

// Lines end in CR LF: OpenSim takes CR for a separator, and would count a missing last marker as
// one field less without it. A row has 3n + 2 fields.
constexpr std::string_view kTrcEnd = "\r\n";

class TrcWriter final : public TakeWriter {
 public:
  TrcWriter(const std::string& path, const TakeSurvey& survey, double mmPerUnit)
      : file_(path), row_(survey), mmPerUnit_(mmPerUnit) {
    const std::string file = onOneField(std::filesystem::path(path).filename().string());
    std::string text = fmt::format("PathFileType\t4\t(X/Y/Z)\t{}{}", file, kTrcEnd);
    for (const std::string_view& key : kTrcKeys)
      text += fmt::format("{}{}", key, &key == &kTrcKeys.back() ? kTrcEnd : "\t");
    text += fmt::format("{0}\t{0}\t{1}\t{2}\t{3}\t{0}\t{4}\t{1}{5}", survey.rate, survey.frames,
                        row_.markers(), mmPerUnit == 1 ? "mm" : "m", survey.first + 1, kTrcEnd);
    text += "Frame#\tTime";
    for (const std::string& name : survey.names) text += fmt::format("\t{}\t\t", name);
    text += fmt::format("{}\t", kTrcEnd);
    for (size_t n = 1; n <= row_.markers(); ++n) text += fmt::format("\tX{0}\tY{0}\tZ{0}", n);
    file_.add(text += fmt::format("{0}{0}", kTrcEnd));
  }

  void add(const TakeFrame& frame) override {
    row_.set(frame);
    text_ = fmt::format("{}\t{:.6f}", frame.frame + 1, frame.time);
    for (size_t i = 0; i < row_.markers(); ++i) {
      const motion::SpaceRow* point = row_.point(i);
      for (int axis = 0; axis < 3; ++axis) {
        text_ += '\t';
        if (point) appendLength(text_, point->at[axis], mmPerUnit_);
      }
    }
    file_.add(text_ += kTrcEnd);
  }

  void finish() override { file_.finish(); }

 private:
  RowFile file_;
  WideRow row_;
  double mmPerUnit_;
  std::string text_;
};

/// Returns the fields that are not empty.
std::vector<std::string> wordsOf(const std::vector<std::string>& fields) {
  std::vector<std::string> words;
  for (std::string word : fields) {
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

class TrcReader final : public TakeReader {
 public:
  explicit TrcReader(const std::string& path) : lines_(path) {
    if (!lines_.next() || !lines_.text().starts_with("PathFileType"))
      throw Error("{} is no TRC file: its first line does not begin with PathFileType", path);
    readHeader();
    readLabels();
  }

  const TakeInfo& info() const override { return info_; }

  bool next(TakeFrame& frame) override {
    const std::vector<std::string>* fields = nullptr;
    do {
      if (!lines_.next()) return endAt();
      fields = &lines_.split('\t');
    } while (wordsOf(*fields).empty());
    // Writers may end a row with a tab, or leave out the fields of missing last markers.
    row_ = *fields;
    while (row_.size() > width() && row_.back().empty()) row_.pop_back();
    if (row_.size() > width())
      lines_.refuse("{} for {}", counted(row_.size(), "field"), counted(markers(), "marker"));
    row_.resize(width());
    frame.points.clear();
    frame.poses.clear();
    readMoment(frame);
    for (size_t i = 0; i < markers(); ++i) {
      motion::SpaceRow row = rowOf(info_.markers[i], frame);
      if (readPlace(lines_, row_, 2 + 3 * i, mmPerUnit_, row.at)) frame.points.push_back(row);
    }
    ++read_;
    return true;
  }

  std::vector<std::string> remarks() const override {
    if (read_ == stated_) return {};
    return {fmt::format("{}: NumFrames is {}, but the rows are {}", lines_.path(), stated_, read_)};
  }

 private:
  size_t markers() const { return info_.markers.size(); }
  size_t width() const { return 2 + 3 * markers(); }

  void step(const char* what) {
    if (!lines_.next()) throw Error("{} ends before {}", lines_.path(), what);
  }

  void readHeader() {
    step("the keys of its header");
    const std::vector<std::string> keys = wordsOf(lines_.split('\t'));
    step("the values of its header");
    const std::vector<std::string> values = wordsOf(lines_.split('\t'));
    if (keys.size() != values.size())
      lines_.refuse("{} for the {} above", counted(values.size(), "value"),
                    counted(keys.size(), "key"));
    const auto valueOf = [&](std::string_view key) -> const std::string& {
      const auto found = std::ranges::find(keys, key);
      if (found == keys.end()) lines_.refuse("the header has no {}", key);
      return values[static_cast<size_t>(found - keys.begin())];
    };
    info_.rate = lines_.number(valueOf("DataRate"));
    if (!info_.rate || !(*info_.rate > 0)) lines_.refuse("DataRate is no rate");
    stated_ = lines_.count(valueOf("NumFrames"));
    statedMarkers_ = lines_.count(valueOf("NumMarkers"));
    const auto unit = output::mmPerUnit(valueOf("Units"));
    if (!unit) lines_.refuse("\"{}\" is no unit of length", valueOf("Units"));
    mmPerUnit_ = *unit;
    info_.up = UpAxis::y;  // as OpenSim has it; the file itself does not say it
  }

  void readLabels() {
    step("the names of its markers");
    std::vector<std::string> names = wordsOf(lines_.split('\t'));
    if (names.size() < 2 || names[0] != "Frame#" || names[1] != "Time")
      lines_.refuse("the names of columns do not begin with Frame# and Time");
    names.erase(names.begin(), names.begin() + 2);
    if (names.size() != statedMarkers_)
      lines_.refuse("{}, but NumMarkers is {}", counted(names.size(), "marker name"),
                    statedMarkers_);
    info_.markers = markersOf(names);
    step("the names of its axes");
    const std::vector<std::string> axes = wordsOf(lines_.split('\t'));
    if (axes.size() != 3 * names.size() || (!axes.empty() && axes[0] != "X1"))
      lines_.refuse("{} such as X1 for {}", counted(axes.size(), "axis name"),
                    counted(names.size(), "marker"));
  }

  void readMoment(TakeFrame& frame) {
    const uint64_t number = lines_.count(row_[0]);
    if (read_ == 0) base_ = number == 0 ? 0 : 1;  // files of others may count from 0
    if (number < base_) lines_.refuse("there is a frame 0");
    frame.frame = number - base_;
    frames_.check(lines_, frame.frame);
    frame.time = timeOf(lines_, row_[1]);
  }

  /// The end of the file: a NumFrames that is larger means that it was cut off.
  bool endAt() const {
    if (read_ < stated_)
      throw Error("{} ends after {} of {}", lines_.path(), read_, counted(stated_, "frame"));
    return false;
  }

  LineReader lines_;
  TakeInfo info_;
  uint64_t stated_ = 0, statedMarkers_ = 0, read_ = 0, base_ = 1;
  double mmPerUnit_ = 1;
  std::vector<std::string> row_;
  RisingFrames frames_;
};

}  // namespace

std::unique_ptr<TakeReader> readTrc(const std::string& path) {
  return std::make_unique<TrcReader>(path);
}

std::unique_ptr<TakeWriter> writeTrc(const std::string& path, const TakeSurvey& survey, UpAxis,
                                     double mmPerUnit) {
  return std::make_unique<TrcWriter>(path, survey, mmPerUnit);
}

}  // namespace glint::output
