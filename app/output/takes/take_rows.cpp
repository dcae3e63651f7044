#include "app/output/takes/take_rows.h"

#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/csv_reader.h"
#include "app/base/text.h"
#include "app/output/tables/table.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/text_lines.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostRays = 56;  // so that the first seven cameras stay unknown

/// The columns of all tables of takes.
enum TakeColumn : size_t {
  cFrame,
  cX,
  cY,
  cZ,
  kRequired,
  cTime = kRequired,
  cPoint,
  cMarker,
  cState,
  cVx,
  cVy,
  cVz,
  cSigmaX,
  cSigmaY,
  cSigmaZ,
  cCovXy,
  cCovXz,
  cCovYz,
  cRays,
  cResidual,
  cBody,
  cLabel,
  cFlags,
  cCameras,
  cQx,
  cQy,
  cQz,
  cQw,
  cSigma,
  cSigmaDeg,
  cMarkers,
  cResidualMm,
  kColumnCount
};
constexpr std::array<std::string_view, kColumnCount> kTakeColumns{
    "frame",   "x_mm",    "y_mm",        "z_mm",     "time_s",    "point",   "marker",     "state",
    "vx_mm_s", "vy_mm_s", "vz_mm_s",     "sigma_x",  "sigma_y",   "sigma_z", "cov_xy",     "cov_xz",
    "cov_yz",  "rays",    "residual_px", "body",     "label",     "flags",   "cameras",    "qx",
    "qy",      "qz",      "qw",          "sigma_mm", "sigma_deg", "markers", "residual_mm"};

/// The cells of one row, wherever they come from.
class Cells {
 public:
  virtual ~Cells() = default;
  /// Throws Error where the cell is no number; NaN where there is none.
  virtual double number(TakeColumn column) const = 0;
  virtual std::string text(TakeColumn column) const = 0;
  virtual bool empty(TakeColumn column) const = 0;
  [[noreturn]] virtual void refuse(TakeColumn column) const = 0;

  uint64_t count(TakeColumn column, uint64_t most) const {
    const double value = number(column);
    if (!(value >= 0) || value != std::floor(value) || value > static_cast<double>(most))
      refuse(column);
    return static_cast<uint64_t>(value);
  }
};

constexpr uint64_t kMostCount = uint64_t{1} << 53;

/// "0+2+5" as bits.
uint64_t camerasIn(const Cells& cells, TakeColumn column) {
  const std::string all = cells.text(column);
  uint64_t cameras = 0;
  for (std::string_view rest = all; !rest.empty();) {
    const size_t plus = std::min(rest.find('+'), rest.size());
    const auto camera = base::parseNumber<unsigned>(rest.substr(0, plus));
    if (!camera || *camera > 63) cells.refuse(column);
    cameras |= uint64_t{1} << *camera;
    rest.remove_prefix(std::min(plus + 1, rest.size()));
  }
  return cameras;
}

Eigen::Vector3d vectorOf(const Cells& cells, TakeColumn first) {
  const auto at = [&](int n) { return static_cast<TakeColumn>(first + n); };
  return {cells.number(at(0)), cells.number(at(1)), cells.number(at(2))};
}

void readCoordinates(const Cells& cells, Eigen::Vector3d& at) {
  for (const TakeColumn column : {cX, cY, cZ}) {
    at[column - cX] = cells.number(column);
    if (!std::isfinite(at[column - cX])) cells.refuse(column);
  }
}

void readPoint(const Cells& cells, TakeColumn id, motion::SpaceRow& row) {
  row = {};
  row.point = cells.count(id, kMostCount);
  const std::string state = cells.text(cState);
  if (state == "predicted")
    row.state = motion::TrackState::predicted;
  else if (!state.empty() && state != "measured")
    cells.refuse(cState);
  readCoordinates(cells, row.at);
  row.velocity = vectorOf(cells, cVx);
  const Eigen::Vector3d sigma = vectorOf(cells, cSigmaX), mixed = vectorOf(cells, cCovXy);
  row.covariance.setConstant(kUnknown);
  row.covariance.diagonal() = sigma.cwiseAbs2();
  row.covariance(0, 1) = row.covariance(1, 0) = mixed[0];
  row.covariance(0, 2) = row.covariance(2, 0) = mixed[1];
  row.covariance(1, 2) = row.covariance(2, 1) = mixed[2];
  row.residual = cells.number(cResidual);
  row.body = cells.text(cBody);
  row.label = cells.text(cLabel);
  if (!cells.empty(cFlags)) row.flags = static_cast<unsigned>(cells.count(cFlags, 0xffffffff));
  if (!cells.empty(cCameras)) {
    row.cameras = camerasIn(cells, cCameras);
  } else if (!cells.empty(cRays)) {
    // Only their number is known: the last bits count, which no format of takes reads.
    const uint64_t rays = cells.count(cRays, kMostRays);
    row.cameras = rays == 0 ? 0 : ~uint64_t{0} << (64 - rays);
  }
}

void readPose(const Cells& cells, motion::PoseRow& row) {
  row = {};
  row.body = cells.text(cBody);
  readCoordinates(cells, row.at);
  const Eigen::Vector4d q{cells.number(cQx), cells.number(cQy), cells.number(cQz),
                          cells.number(cQw)};
  if (!setAttitude(row, q)) cells.refuse(cQw);
  const double sigma = cells.number(cSigma), angle = cells.number(cSigmaDeg);
  row.covariance.topLeftCorner<3, 3>().diagonal().setConstant(sigma * sigma / 3);
  row.covariance.bottomRightCorner<3, 3>().diagonal().setConstant(
      std::pow(angle * std::numbers::pi / 180, 2) / 3);
  if (!cells.empty(cMarkers)) row.markers = static_cast<int>(cells.count(cMarkers, 1000000));
  row.residual = cells.number(cResidualMm);
  const std::string state = cells.text(cState);
  if (state == "partial")
    row.state = motion::PoseState::partial;
  else if (state == "predicted")
    row.state = motion::PoseState::predicted;
  else if (!state.empty() && state != "measured")
    cells.refuse(cState);
  if (!cells.empty(cFlags)) row.flags = static_cast<unsigned>(cells.count(cFlags, 0xffffffff));
}

/// Makes a row of cells.
void readRow(const Cells& cells, bool timed, TakeRow& row) {
  row.frame = cells.count(cFrame, kMostCount);
  row.time = timed ? cells.number(cTime) : 0;
  if (!std::isfinite(row.time)) cells.refuse(cTime);
  const TakeColumn id = cells.empty(cPoint) ? cMarker : cPoint;
  if (!cells.empty(id)) {
    row.kind = TakeRow::Kind::point;
    readPoint(cells, id, row.point);
  } else if (!cells.empty(cQw)) {
    row.kind = TakeRow::Kind::pose;
    readPose(cells, row.pose);
  } else {
    row.kind = TakeRow::Kind::moment;
  }
  row.point.frame = row.pose.frame = row.frame;
  row.point.time = row.pose.time = row.time;
}

class CsvRows final : public RowSource, Cells {
 public:
  explicit CsvRows(const std::string& path)
      : path_(path),
        csv_(path, std::span(kTakeColumns).first<kRequired>(),
             std::span(kTakeColumns).subspan<kRequired>()) {
    if (!csv_.has(cPoint) && !csv_.has(cMarker) && !csv_.has(cQw))
      throw Error("{}, line 1: there is neither a column \"point\" nor a column \"qw\"", path);
  }

  bool next(TakeRow& row) override {
    if (!csv_.next()) return false;
    readRow(*this, csv_.has(cTime), row);
    return true;
  }
  std::string place() const override { return fmt::format("{}, line {}", path_, csv_.line()); }
  bool timed() const override { return csv_.has(cTime); }

 private:
  bool empty(TakeColumn column) const override { return !csv_.has(column) || csv_.missing(column); }
  double number(TakeColumn column) const override {
    return empty(column) ? kUnknown : csv_.value<double>(column);
  }
  std::string text(TakeColumn column) const override {
    return csv_.has(column) ? std::string(csv_.text(column)) : std::string();
  }
  [[noreturn]] void refuse(TakeColumn column) const override {
    if (csv_.has(column)) csv_.refuse(column);
    throw Error("{}: a {} is missing", place(), kTakeColumns[column]);
  }

  std::string path_;
  base::CsvReader csv_;
};

class JsonRows final : public RowSource, Cells {
 public:
  explicit JsonRows(const std::string& path) : lines_(path) {}

  bool next(TakeRow& row) override {
    do {
      if (!lines_.next()) return false;
      ++line_;
    } while (lines_.text().empty());
    object_ = nlohmann::json::parse(lines_.text(), nullptr, false);
    if (!object_.is_object()) lines_.refuse("this is no JSON object");
    readRow(*this, true, row);
    return true;
  }
  std::string place() const override { return fmt::format("{}, line {}", lines_.path(), line_); }
  bool timed() const override { return true; }

 private:
  const nlohmann::json* find(TakeColumn column) const {
    const auto found = object_.find(kTakeColumns[column]);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  bool empty(TakeColumn column) const override { return find(column) == nullptr; }
  double number(TakeColumn column) const override {
    const nlohmann::json* value = find(column);
    if (value == nullptr) return kUnknown;
    if (!value->is_number() || !std::isfinite(value->get<double>())) refuse(column);
    return value->get<double>();
  }
  std::string text(TakeColumn column) const override {
    const nlohmann::json* value = find(column);
    if (value == nullptr) return {};
    if (!value->is_string()) refuse(column);
    return value->get<std::string>();
  }
  [[noreturn]] void refuse(TakeColumn column) const override {
    lines_.refuse("there is no valid {}", kTakeColumns[column]);
  }

  LineReader lines_;
  size_t line_ = 0;
  nlohmann::json object_;
};

/// The rows of one kind, or of all, in the order of their frames.
class OrderedRows {
 public:
  OrderedRows(std::unique_ptr<RowSource> source, std::optional<TakeRow::Kind> kind, bool passesLate)
      : source_(std::move(source)), kind_(kind), passesLate_(passesLate) {
    step();
  }

  bool ended() const { return ended_; }
  const TakeRow& row() const { return row_; }
  uint64_t late() const { return late_; }
  std::string place() const { return source_->place(); }

  void step() {
    while (source_->next(row_)) {
      if (kind_ && row_.kind != *kind_) continue;
      if (row_.frame >= newest_) {
        newest_ = row_.frame;
        return;
      }
      if (!passesLate_)
        throw Error("{}: frame {} comes after frame {}; sort the rows by frame", source_->place(),
                    row_.frame, newest_);
      ++late_;
    }
    ended_ = true;
  }

 private:
  std::unique_ptr<RowSource> source_;
  std::optional<TakeRow::Kind> kind_;
  bool passesLate_, ended_ = false;
  uint64_t newest_ = 0, late_ = 0;
  TakeRow row_;
};

class RowsTake final : public TakeReader {
 public:
  RowsTake(std::unique_ptr<RowSource> (*open)(const std::string&), const std::string& path,
           bool passesLate) {
    info_.timed = open(path)->timed();
    const auto add = [&](std::optional<TakeRow::Kind> kind) {
      parts_.push_back(std::make_unique<OrderedRows>(open(path), kind, passesLate));
    };
    if (passesLate) {
      add(TakeRow::Kind::point);
      add(TakeRow::Kind::pose);
      add(TakeRow::Kind::moment);
    } else {
      add(std::nullopt);
    }
  }

  const TakeInfo& info() const override { return info_; }

  bool next(TakeFrame& frame) override {
    frame.points.clear();
    frame.poses.clear();
    const OrderedRows* first = nullptr;
    for (const auto& part : parts_)
      if (!part->ended() && (first == nullptr || part->row().frame < first->row().frame))
        first = part.get();
    if (first == nullptr) return false;
    frame.frame = first->row().frame;
    frame.time = first->row().time;
    ids_.clear();
    bodies_.clear();
    for (const auto& part : parts_)
      for (; !part->ended() && part->row().frame == frame.frame; part->step()) take(*part, frame);
    return true;
  }

  std::vector<std::string> remarks() const override {
    uint64_t late = 0;
    for (const auto& part : parts_) late += part->late();
    if (late == 0) return {};
    return {fmt::format("{} of frames that were played again {} left out", counted(late, "row"),
                        late == 1 ? "is" : "are")};
  }

 private:
  void take(const OrderedRows& part, TakeFrame& frame) {
    const TakeRow& row = part.row();
    if (row.kind == TakeRow::Kind::point) {
      if (!ids_.insert(row.point.point).second)
        throw Error("{}: point {} is there twice in frame {}", part.place(), row.point.point,
                    row.frame);
      frame.points.push_back(row.point);
    } else if (row.kind == TakeRow::Kind::pose) {
      if (!bodies_.insert(row.pose.body).second)
        throw Error("{}: the body \"{}\" is there twice in frame {}", part.place(), row.pose.body,
                    row.frame);
      frame.poses.push_back(row.pose);
    }
  }

  TakeInfo info_;
  std::vector<std::unique_ptr<OrderedRows>> parts_;
  std::set<uint64_t> ids_;
  std::set<std::string> bodies_;
};

template <class Rows>
std::unique_ptr<RowSource> openRows(const std::string& path) {
  return std::make_unique<Rows>(path);
}

void appendIf(std::string& text, double value, int decimals) {
  if (std::isfinite(value)) appendCsv(text, value, decimals);
}

}  // namespace

std::unique_ptr<TakeReader> readRows(std::unique_ptr<RowSource> (*open)(const std::string& path),
                                     const std::string& path, bool passesLate) {
  return std::make_unique<RowsTake>(open, path, passesLate);
}

std::unique_ptr<TakeReader> readPointsTable(const std::string& path) {
  return readRows(openRows<CsvRows>, path, false);
}

std::unique_ptr<TakeReader> readSpooledTake(const std::string& path) {
  return readRows(openRows<CsvRows>, path, true);
}

std::unique_ptr<TakeReader> readJsonTake(const std::string& path) {
  return readRows(openRows<JsonRows>, path, false);
}

void appendSpooled(std::string& text, const motion::SpaceRow& row) {
  fmt::format_to(std::back_inserter(text), "{},{:.6f},{},{}", row.frame, row.time, row.point,
                 row.state == motion::TrackState::measured ? "measured" : "predicted");
  for (int axis = 0; axis < 3; ++axis) text += ',', appendIf(text, row.at[axis], 4);
  for (int axis = 0; axis < 3; ++axis)
    text += ',', appendIf(text, std::sqrt(row.covariance(axis, axis)), 4);
  text += ',';
  for (int camera = 0, any = 0; camera < 64; ++camera)
    if (row.cameras >> camera & 1) text += fmt::format("{}{}", any++ > 0 ? "+" : "", camera);
  text += ',';
  appendCsv(text, row.body, 0);
  text += ',';
  appendCsv(text, row.label, 0);
  text += ",,,,,\n";
}

void appendSpooled(std::string& text, const motion::PoseRow& row) {
  fmt::format_to(std::back_inserter(text), "{},{:.6f},,{}", row.frame, row.time,
                 motion::nameOf(row.state));
  for (int axis = 0; axis < 3; ++axis) text += ',', appendIf(text, row.at[axis], 4);
  text += ",,,,,";
  appendCsv(text, row.body, 0);
  text += ',';
  for (int n = 0; n < 4; ++n) text += ',', appendIf(text, row.attitude.coeffs()[n], 7);
  text += ',';
  appendIf(text, row.residual, 4);
  text += '\n';
}

void appendSpooled(std::string& text, uint64_t frame, double time) {
  fmt::format_to(std::back_inserter(text), "{},{:.6f},,,,,,,,,,,,,,,,\n", frame, time);
}

}  // namespace glint::output
