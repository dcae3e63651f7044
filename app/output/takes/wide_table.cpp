// Glint's wide table of points: a line for every frame, and named columns.
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "app/output/tables/table.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/wide_rows.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr std::array<std::string_view, 3> kAxes{"x", "y", "z"};
constexpr std::array<std::string_view, 4> kTurns{"qx", "qy", "qz", "qw"};
constexpr std::string_view kBodyMark = "_body";  // between a body's name and its columns

class WideTableWriter final : public TakeWriter {
 public:
  WideTableWriter(const std::string& path, const TakeSurvey& survey, double mmPerUnit)
      : file_(path), row_(survey), mmPerUnit_(mmPerUnit) {
    const std::string_view unit = mmPerUnit == 1 ? "mm" : "m";
    std::string text = "frame,time_s";
    const auto column = [&](const std::string& name) {
      text += ',';
      appendCsv(text, name, 0);
    };
    for (const std::string& name : survey.names)
      for (const auto axis : kAxes) column(fmt::format("{}_{}_{}", name, axis, unit));
    for (const std::string& body : survey.info.bodies) {
      for (const auto axis : kAxes) column(fmt::format("{}{}_{}_{}", body, kBodyMark, axis, unit));
      for (const auto turn : kTurns) column(fmt::format("{}{}_{}", body, kBodyMark, turn));
    }
    file_.add(text += '\n');
  }

  void add(const TakeFrame& frame) override {
    row_.set(frame);
    text_ = fmt::format("{},{:.6f}", frame.frame, frame.time);
    for (size_t i = 0; i < row_.markers(); ++i) {
      const motion::SpaceRow* point = row_.point(i);
      point ? appendPlace(point->at) : void(text_ += ",,,");
    }
    for (size_t i = 0; i < row_.bodies(); ++i) {
      const motion::PoseRow* pose = row_.pose(i);
      if (!pose) {
        text_ += ",,,,,,,";
        continue;
      }
      appendPlace(pose->at);
      for (int n = 0; n < 4; ++n)
        fmt::format_to(std::back_inserter(text_), ",{:.7f}", pose->attitude.coeffs()[n]);
    }
    file_.add(text_ += '\n');
  }

  void finish() override { file_.finish(); }

 private:
  void appendPlace(const Eigen::Vector3d& at) {
    for (int axis = 0; axis < 3; ++axis) {
      text_ += ',';
      appendLength(text_, at[axis], mmPerUnit_);
    }
  }

  RowFile file_;
  WideRow row_;
  double mmPerUnit_;
  std::string text_;
};

class WideTableReader final : public TakeReader {
 public:
  explicit WideTableReader(const std::string& path) : lines_(path) {
    if (!lines_.next()) throw Error("{} is empty: a header line is missing", path);
    const auto& names = lines_.split(',');
    if (names.size() < 2 || names[0] != "frame" || names[1] != "time_s")
      lines_.refuse("a wide table begins with the columns frame and time_s");
    width_ = names.size();
    std::vector<std::string> markers;
    for (size_t i = 2; i < names.size();) i = readColumns(names, i, markers);
    info_.markers = markersOf(markers);
  }

  const TakeInfo& info() const override { return info_; }

  bool next(TakeFrame& frame) override {
    do {
      if (!lines_.next()) return false;
    } while (lines_.text().empty());
    const auto& fields = lines_.split(',');
    if (fields.size() != width_)
      lines_.refuse("{} where the header has {}", counted(fields.size(), "field"), width_);
    readMarkers(lines_, fields, {info_.markers, places_, mmPerUnit_}, frames_, frame);
    for (size_t i = 0; i < poses_.size(); ++i) readPose(fields, i, frame);
    return true;
  }

 private:
  /// Reads the names of a marker's or a body's columns, and returns the index after them.
  size_t readColumns(const std::vector<std::string>& names, size_t i,
                     std::vector<std::string>& markers) {
    const std::string& name = names[i];
    const bool metres = name.ends_with("_x_m");
    if (!metres && !name.ends_with("_x_mm"))
      lines_.refuse("\"{}\" is not the x of a marker: NAME_x_mm or NAME_x_m", name);
    if (i > 2 && metres != (mmPerUnit_ != 1)) lines_.refuse("columns are in mm and in m");
    mmPerUnit_ = metres ? 1000 : 1;
    const std::string_view unit = metres ? "m" : "mm";
    const std::string of = name.substr(0, name.size() - (metres ? 4 : 5));
    const auto check = [&](size_t at, const std::string& expected) {
      if (at >= names.size() || names[at] != expected)
        lines_.refuse("after \"{}\" there is no column \"{}\"", name, expected);
    };
    for (size_t axis = 1; axis < 3; ++axis)
      check(i + axis, fmt::format("{}_{}_{}", of, kAxes[axis], unit));
    const bool isBody = of.ends_with(kBodyMark) && i + 3 < names.size() &&
                        names[i + 3] == fmt::format("{}_{}", of, kTurns[0]);
    if (!isBody) {
      markers.push_back(of);
      places_.push_back(i);
      return i + 3;
    }
    for (size_t n = 1; n < 4; ++n) check(i + 3 + n, fmt::format("{}_{}", of, kTurns[n]));
    info_.bodies.push_back(of.substr(0, of.size() - kBodyMark.size()));
    if (std::ranges::count(info_.bodies, info_.bodies.back()) > 1)
      lines_.refuse("the body \"{}\" has columns twice", info_.bodies.back());
    poses_.push_back(i);
    return i + 7;
  }

  void readPose(const std::vector<std::string>& fields, size_t index, TakeFrame& frame) {
    motion::PoseRow row = poseOf(info_.bodies[index], frame);
    const size_t first = poses_[index];
    if (!readPlace(lines_, fields, first, mmPerUnit_, row.at)) return;
    Eigen::Vector4d q;
    for (size_t n = 0; n < 4; ++n)
      q[static_cast<Eigen::Index>(n)] = lines_.number(fields[first + 3 + n]).value_or(0);
    if (!setAttitude(row, q)) lines_.refuse("the attitude of {} is no rotation", row.body);
    frame.poses.push_back(row);
  }

  LineReader lines_;
  TakeInfo info_;
  size_t width_ = 0;
  double mmPerUnit_ = 1;
  std::vector<size_t> places_, poses_;  ///< first fields of markers, of bodies
  RisingFrames frames_;
};

}  // namespace

std::unique_ptr<TakeReader> readWideTable(const std::string& path) {
  return std::make_unique<WideTableReader>(path);
}

std::unique_ptr<TakeWriter> writeWideTable(const std::string& path, const TakeSurvey& survey,
                                           UpAxis, double mmPerUnit) {
  return std::make_unique<WideTableWriter>(path, survey, mmPerUnit);
}

}  // namespace glint::output
