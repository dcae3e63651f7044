// Motive's CSV export, format 1.23, as docs.optitrack.com describes it: seven rows of headings,
// then a row for every frame, blank where something was not measured.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/output/tables/table.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/wide_rows.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr std::string_view kRigidBody = "Rigid Body", kMarkerType = "Marker";
constexpr std::string_view kRotation = "Rotation", kPositionOf = "Position";
constexpr std::string_view kMeanError = "Mean Marker Error";

/// A column of Motive's table, from the top.
struct MotiveColumn {
  std::string type, name, id, property, axis;
};

class MotiveWriter final : public TakeWriter {
 public:
  MotiveWriter(const std::string& path, const TakeSurvey& survey, double mmPerUnit)
      : file_(path), row_(survey), mmPerUnit_(mmPerUnit) {
    std::string name;
    appendCsv(name, std::filesystem::path(path).stem().stem().string(), 0);
    file_.add(fmt::format(
        "Format Version,1.23,Take Name,{},Take Notes,,Capture Frame Rate,{:.6f},Export Frame Rate,"
        "{:.6f},Capture Start Time,,Capture Start Frame,{},Total Frames in Take,{},Total Exported "
        "Frames,{},Rotation Type,Quaternion,Length Units,{},Coordinate Space,Global\n\n",
        name, survey.rate, survey.rate, survey.first, survey.frames, survey.frames,
        mmPerUnit == 1 ? "Millimeters" : "Meters"));
    addHeadings(columnsOf(survey));
  }

  void add(const TakeFrame& frame) override {
    row_.set(frame);
    text_ = fmt::format("{},{:.6f}", frame.frame, frame.time);
    for (size_t i = 0; i < row_.bodies(); ++i) appendPose(row_.pose(i));
    for (size_t i = 0; i < row_.markers(); ++i) {
      const motion::SpaceRow* point = row_.point(i);
      point ? appendPlace(point->at) : void(text_ += ",,,");
    }
    file_.add(text_ += '\n');
  }

  void finish() override { file_.finish(); }

 private:
  static std::vector<MotiveColumn> columnsOf(const TakeSurvey& survey) {
    std::vector<MotiveColumn> columns;
    uint64_t bodyId = 0;
    for (const std::string& body : survey.info.bodies) {
      MotiveColumn column{std::string(kRigidBody), body, fmt::format("{:032X}", ++bodyId), "", ""};
      const auto add = [&](std::string_view property, std::string_view axis) {
        column.property = property;
        column.axis = axis;
        columns.push_back(column);
      };
      for (const char* axis : {"X", "Y", "Z", "W"}) add(kRotation, axis);
      for (const char* axis : {"X", "Y", "Z"}) add(kPositionOf, axis);
      add(kMeanError, "");
    }
    for (size_t i = 0; i < survey.names.size(); ++i)
      for (const char* axis : {"X", "Y", "Z"})
        columns.push_back(
            {std::string(kMarkerType), survey.names[i],
             fmt::format("{:032X}", (uint64_t{1} << 32) + survey.info.markers[i].point),
             std::string(kPositionOf), axis});
    return columns;
  }

  void addHeadings(const std::vector<MotiveColumn>& columns) {
    const auto line = [&](std::string text, std::string MotiveColumn::*member) {
      for (const MotiveColumn& column : columns) {
        text += ',';
        appendCsv(text, column.*member, 0);
      }
      file_.add(text + '\n');
    };
    line(",Type", &MotiveColumn::type);
    line(",Name", &MotiveColumn::name);
    line(",ID", &MotiveColumn::id);
    line(",", &MotiveColumn::property);
    line("Frame,Time (Seconds)", &MotiveColumn::axis);
  }

  void appendPlace(const Eigen::Vector3d& at) {
    for (int axis = 0; axis < 3; ++axis) {
      text_ += ',';
      appendLength(text_, at[axis], mmPerUnit_);
    }
  }

  void appendPose(const motion::PoseRow* pose) {
    if (!pose) {
      text_ += ",,,,,,,,";
      return;
    }
    for (int n = 0; n < 4; ++n)
      fmt::format_to(std::back_inserter(text_), ",{:.7f}", pose->attitude.coeffs()[n]);
    appendPlace(pose->at);
    text_ += ',';
    if (std::isfinite(pose->residual)) appendLength(text_, pose->residual, mmPerUnit_);
  }

  RowFile file_;
  WideRow row_;
  double mmPerUnit_;
  std::string text_;
};

class MotiveReader final : public TakeReader {
 public:
  explicit MotiveReader(const std::string& path) : lines_(path) {
    if (!lines_.next() || !lines_.text().starts_with("Format Version,"))
      throw Error("{} is no CSV file of Motive: its first line does not begin with Format Version",
                  path);
    readFacts(lines_.split(','));
    readColumns();
  }

  const TakeInfo& info() const override { return info_; }

  bool next(TakeFrame& frame) override {
    do {
      if (!lines_.next()) return endAt();
    } while (lines_.text().empty());
    row_ = lines_.split(',');
    if (row_.size() > width_) {
      for (size_t i = width_; i < row_.size(); ++i)
        if (!row_[i].empty())
          lines_.refuse("{} for {}", counted(row_.size(), "field"), counted(width_, "column"));
    }
    row_.resize(width_);  // blanks at the end of a row may be missing
    readMarkers(lines_, row_, {info_.markers, places_, mmPerUnit_}, frames_, frame);
    for (size_t i = 0; i < bodies_.size(); ++i) readBody(i, frame);
    ++read_;
    return true;
  }

  std::vector<std::string> remarks() const override {
    std::vector<std::string> all;
    if (expected_ > 0)
      all.push_back(fmt::format(
          "{}: the places where {} of bodies were expected are left out; those where they "
          "were seen are kept",
          lines_.path(), counted(expected_, "marker")));
    if (!ignored_.empty())
      all.push_back(
          fmt::format("{}: columns of {} are left out", lines_.path(), fmt::join(ignored_, ", ")));
    if (stated_ && *stated_ != read_)
      all.push_back(fmt::format("{}: Total Exported Frames is {}, but the rows are {}",
                                lines_.path(), *stated_, read_));
    return all;
  }

 private:
  /// The columns of a body, 0 where it has none.
  struct BodyColumns {
    size_t rotation = 0, position = 0, error = 0;
  };

  void readFacts(const std::vector<std::string>& fields) {
    std::map<std::string, std::string> facts;
    for (size_t i = 0; i + 1 < fields.size(); i += 2) facts[fields[i]] = fields[i + 1];
    const auto rate = facts.contains("Export Frame Rate") ? facts["Export Frame Rate"]
                                                          : facts["Capture Frame Rate"];
    info_.rate = lines_.number(rate);
    if (!info_.rate || !(*info_.rate > 0)) lines_.refuse("there is no Export Frame Rate");
    if (const std::string& frames = facts["Total Exported Frames"]; !frames.empty())
      stated_ = lines_.count(frames);
    const auto unit = output::mmPerUnit(facts["Length Units"]);
    if (!unit) lines_.refuse("\"{}\" are no Length Units", facts["Length Units"]);
    mmPerUnit_ = *unit;
    rotations_ = facts["Rotation Type"];
    if (const std::string& space = facts["Coordinate Space"]; !space.empty() && space != "Global")
      lines_.refuse("the Coordinate Space is {}; export it as Global", space);
    info_.up = UpAxis::y;
  }

  /// Reads the rows of headings, down to that which begins with Frame.
  void readColumns() {
    std::vector<std::vector<std::string>> rows;
    constexpr size_t kMostRows = 12;
    do {
      if (!lines_.next()) throw Error("{} ends within its headings", lines_.path());
      if (lines_.text().find_first_not_of(", ") == std::string::npos) continue;
      rows.push_back(lines_.split(','));
      if (rows.size() > kMostRows) lines_.refuse("there is no row that begins with Frame");
    } while (rows.empty() || rows.back()[0] != "Frame");
    if (rows.size() < 4)
      lines_.refuse("the rows of types, names and properties above this one are missing");
    width_ = rows.back().size();
    for (auto& row : rows) row.resize(width_);
    if (width_ < 2) lines_.refuse("there is no column Time (Seconds)");
    const auto& types = rows[0];
    const auto& names = rows[1];
    const auto& properties = rows[rows.size() - 2];
    findColumns(types, names, properties, rows.back());
  }

  void findColumns(const std::vector<std::string>& types, const std::vector<std::string>& names,
                   const std::vector<std::string>& properties,
                   const std::vector<std::string>& axes) {
    std::set<std::string> seen;  // markers with columns of where they were seen
    for (size_t i = 2; i < width_; ++i)
      if (types[i] == kMarkerType) seen.insert(names[i]);
    std::vector<std::string> markers;
    for (size_t i = 2; i < width_;) {
      const size_t length = properties[i] == kRotation ? 4 : properties[i] == kPositionOf ? 3 : 1;
      checkAxes(i, length, names, properties, axes);
      const bool isBody = types[i] == kRigidBody || types[i] == "Bone";
      const bool isExpected = types[i] == "Rigid Body Marker" || types[i] == "Bone Marker" ||
                              types[i] == "Marker Constraint";
      if (isBody &&
          (length > 1 || properties[i] == kMeanError || properties[i] == "Error Per Marker")) {
        addBody(names[i], properties[i], i);
      } else if (isExpected && length == 3 && seen.contains(names[i])) {
        ++expected_;
      } else if ((isExpected || types[i] == kMarkerType || types[i] == "Unlabeled") &&
                 length == 3) {
        markers.push_back(names[i]);
        places_.push_back(i);
      } else {
        ignored_.insert(properties[i].empty() ? types[i] : properties[i]);
      }
      i += length;
    }
    info_.markers = markersOf(markers);
    for (const BodyColumns& body : bodies_)
      if (body.rotation != 0 && rotations_ != "Quaternion")
        throw Error("{}: rotations are of the type {}; export them as Quaternion", lines_.path(),
                    rotations_);
  }

  void checkAxes(size_t first, size_t length, const std::vector<std::string>& names,
                 const std::vector<std::string>& properties,
                 const std::vector<std::string>& axes) const {
    constexpr std::array<std::string_view, 4> kAxisNames{"X", "Y", "Z", "W"};
    if (length == 1) return;
    for (size_t n = 0; n < length; ++n) {
      const size_t i = first + n;
      if (i >= width_ || names[i] != names[first] || properties[i] != properties[first] ||
          axes[i] != kAxisNames[n])
        lines_.refuse("column {} is not the {} of the {} of \"{}\"", i + 1, kAxisNames[n],
                      properties[first], names[first]);
    }
  }

  void addBody(const std::string& name, const std::string& property, size_t column) {
    auto found = std::ranges::find(info_.bodies, name);
    if (found == info_.bodies.end()) {
      info_.bodies.push_back(name);
      bodies_.emplace_back();
      found = info_.bodies.end() - 1;
    }
    BodyColumns& body = bodies_[static_cast<size_t>(found - info_.bodies.begin())];
    size_t& to = property == kRotation     ? body.rotation
                 : property == kPositionOf ? body.position
                                           : body.error;
    if (to != 0) lines_.refuse("the body \"{}\" has two columns of its {}", name, property);
    to = column;
  }

  void readBody(size_t index, TakeFrame& frame) {
    const BodyColumns& columns = bodies_[index];
    motion::PoseRow row = poseOf(info_.bodies[index], frame);
    if (columns.position == 0 || !readPlace(lines_, row_, columns.position, mmPerUnit_, row.at))
      return;
    if (columns.rotation != 0) {
      Eigen::Vector4d q;
      for (size_t n = 0; n < 4; ++n)
        q[static_cast<Eigen::Index>(n)] = lines_.number(row_[columns.rotation + n]).value_or(0);
      if (!setAttitude(row, q)) lines_.refuse("the rotation of \"{}\" is none", row.body);
    }
    if (columns.error != 0)
      if (const auto error = lines_.number(row_[columns.error])) row.residual = *error * mmPerUnit_;
    frame.poses.push_back(row);
  }

  bool endAt() const {
    if (stated_ && read_ < *stated_)
      throw Error("{} ends after {} of {}", lines_.path(), read_, counted(*stated_, "frame"));
    return false;
  }

  LineReader lines_;
  TakeInfo info_;
  std::string rotations_;
  std::optional<uint64_t> stated_;
  uint64_t read_ = 0;
  size_t width_ = 0, expected_ = 0;
  double mmPerUnit_ = 1;
  std::vector<size_t> places_;  ///< first columns of markers
  std::vector<BodyColumns> bodies_;
  std::set<std::string> ignored_;
  std::vector<std::string> row_;
  RisingFrames frames_;
};

}  // namespace

std::unique_ptr<TakeReader> readMotive(const std::string& path) {
  return std::make_unique<MotiveReader>(path);
}

std::unique_ptr<TakeWriter> writeMotive(const std::string& path, const TakeSurvey& survey, UpAxis,
                                        double mmPerUnit) {
  return std::make_unique<MotiveWriter>(path, survey, mmPerUnit);
}

}  // namespace glint::output
