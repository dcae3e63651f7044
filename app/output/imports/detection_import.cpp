#include "app/output/imports/detection_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/motion/labels/pose_files.h"
#include "app/output/takes/text_lines.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr double kMarkerRate = 60;          // Hz, where nothing tells one
constexpr double kUsualSigma = 0.2;         // px, of a marker that some program has found
constexpr double kLeastMarkerSigma = 0.02;  // px: below it lens models, not images, set the limit
constexpr uint64_t kMostFrame = 0xffffffff;
constexpr uint64_t kUsualMost = 10'000'000;  // more frames, and few with a marker: a damaged number

enum MarkerColumn : size_t {
  mFrame,
  mX,
  mY,
  mCamera,
  mTime,
  mSigmaX,
  mSigmaY,
  mSigma,
  mPeak,
  mMass,
  mRadius,
  mSize,
  mEccentricity,
  mFlags,
  kMarkerColumns
};

/// The names of each column: Glint's own, trackpy's and TrackMate's.
constexpr std::array<std::array<std::string_view, 4>, kMarkerColumns> kMarkerNames{{
    {"frame", "FRAME", "Frame", ""},
    {"x", "POSITION_X", "X", ""},
    {"y", "POSITION_Y", "Y", ""},
    {"camera", "", "", ""},
    {"time_s", "POSITION_T", "t", ""},
    {"sigma_x", "", "", ""},
    {"sigma_y", "", "", ""},
    {"ep", "", "", ""},
    {"peak", "signal", "QUALITY", ""},
    {"mass", "", "", ""},
    {"radius", "RADIUS", "", ""},
    {"size", "", "", ""},
    {"eccentricity", "ecc", "", ""},
    {"flags", "", "", ""},
}};

/// The table, line by line.
class MarkerTable {
 public:
  explicit MarkerTable(const std::string& path) : lines_(path) {
    if (!lines_.next()) throw Error("{} is empty: a header line is missing", path);
    const std::vector<std::string> names = lines_.split(',');
    width_ = names.size();
    for (size_t column = 0; column < kMarkerColumns; ++column)
      for (const auto name : kMarkerNames[column]) {
        const auto found = name.empty() ? names.end() : std::ranges::find(names, name);
        if (found == names.end() || at_[column]) continue;
        if (std::ranges::count(names, name) > 1)
          lines_.refuse("there are two columns \"{}\"; rename or remove one", name);
        at_[column] = static_cast<size_t>(found - names.begin());
      }
    for (const MarkerColumn column : {mFrame, mX, mY})
      if (!at_[column]) lines_.refuse("there is no column \"{}\"", kMarkerNames[column][0]);
  }

  bool has(MarkerColumn column) const { return at_[column].has_value(); }

  bool next() {
    while (lines_.next()) {
      if (lines_.text().empty()) continue;
      fields_ = lines_.split(',');
      if (fields_.size() != width_)
        lines_.refuse("{} where the header has {}", counted(fields_.size(), "field"), width_);
      // TrackMate repeats its headings in words and units in the lines 2 to 4.
      if (++read_ > 3 || base::parseNumber<double>(fields_[*at_[mX]])) return true;
    }
    return false;
  }

  std::optional<double> number(MarkerColumn column) const {
    return at_[column] ? lines_.number(fields_[*at_[column]]) : std::nullopt;
  }
  double place(MarkerColumn column) const {
    const auto value = number(column);
    if (!value) lines_.refuse("there is no {}", kMarkerNames[column][0]);
    return *value;
  }
  uint64_t count(MarkerColumn column, uint64_t most) const {
    if (!at_[column]) return 0;
    const uint64_t value = lines_.count(fields_[*at_[column]]);
    if (value > most) lines_.refuse("the {} {} is beyond {}", kMarkerNames[column][0], value, most);
    return value;
  }
  /// Sets `time` to that of this row, which must be the same as that of earlier rows of its frame.
  void takeTime(bool isFirst, double& time) const {
    const double here = place(mTime);
    if (!isFirst && here != time)
      lines_.refuse("frame {} is at {} s here, and at {} s above", fields_[*at_[mFrame]], here,
                    time);
    time = here;
  }
  double sigma(MarkerColumn column, double otherwise) const {
    const auto value = number(has(column) ? column : mSigma);
    if (value && *value < 0) lines_.refuse("a standard deviation is below 0");
    return std::max(value.value_or(otherwise), kLeastMarkerSigma);
  }

 private:
  LineReader lines_;
  size_t width_ = 0, read_ = 0;
  std::array<std::optional<size_t>, kMarkerColumns> at_;
  std::vector<std::string> fields_;
};

motion::Observation markerOf(const MarkerTable& table, double sigma) {
  motion::Observation seen;
  seen.x = table.place(mX);
  seen.y = table.place(mY);
  seen.sigmaX = table.sigma(mSigmaX, sigma);
  seen.sigmaY = table.sigma(mSigmaY, sigma);
  seen.peak = table.number(mPeak).value_or(0);
  seen.mass = table.number(mMass).value_or(1);
  const double size = table.number(mSize).value_or(0) * std::numbers::sqrt2;
  seen.radius = table.number(mRadius).value_or(size);  // trackpy's size is the radius of gyration
  seen.eccentricity = table.number(mEccentricity).value_or(0);
  seen.flags = static_cast<uint32_t>(table.count(mFlags, 0xffff));
  return seen;
}

/// Throws Error if times do not rise with the numbers of frames: velocities need times.
void checkTimes(const ImportedDetections& all, const std::string& path) {
  for (const auto& frames : all.cameras)
    for (auto at = frames.begin(); at != frames.end(); ++at) {
      const auto next = std::next(at);
      if (next == frames.end() || next->second.time > at->second.time) continue;
      throw Error("{}: frame {} is at {} s, and frame {} after it at {} s", path, at->first,
                  at->second.time, next->first, next->second.time);
    }
}

/// Gives the frames times, if the table has none.
void completeTimes(ImportedDetections& all, bool timed, const std::string& path, double rate) {
  for (const auto& frames : all.cameras) {
    if (rate > 0 || !timed || frames.size() < 2 || all.rate > 0) continue;
    const auto first = frames.begin(), last = std::prev(frames.end());
    const double seconds = last->second.time - first->second.time;
    if (seconds > 0) all.rate = static_cast<double>(last->first - first->first) / seconds;
  }
  if (rate > 0) all.rate = rate;
  if (!(all.rate > 0)) {
    all.rate = kMarkerRate;
    if (!timed)
      all.remarks.push_back(
          fmt::format("{} has no times: {} frames a second are assumed; give the rate with --rate",
                      path, kMarkerRate));
  }
  if (timed) return;
  for (auto& frames : all.cameras)
    for (auto& [frame, markers] : frames) markers.time = static_cast<double>(frame) / all.rate;
}

/// The marker of a labelled point, whose label is not used.
motion::Observation markerOf(const motion::PointRow& point, double sigma) {
  motion::Observation seen;
  seen.x = point.dot.at.x();
  seen.y = point.dot.at.y();
  seen.sigmaX = seen.sigmaY = std::max(sigma, kLeastMarkerSigma);
  seen.peak = seen.radius = seen.eccentricity = 0;
  seen.mass = 1;
  return seen;
}

/// Throws Error if the last frame is so large for this number of markers that it is probably no
/// number of a frame.
void checkFrames(const ImportedDetections& all, uint64_t latest, const std::string& path) {
  if (all.markers == 0) throw Error("{} holds no marker", path);
  if (latest > kUsualMost && latest / 100 > all.markers)
    throw Error("{}: frame {} is too large for a table of {}; is it a number of a frame?", path,
                latest, counted(all.markers, "row"));
}

/// Adds a remark about the sigma that is assumed, if the user has given none.
void noteSigma(ImportedDetections& all, bool given, const std::string& path) {
  if (!all.hasSigma && !given)
    all.remarks.push_back(fmt::format(
        "{} does not say how exact its positions are: {:g} px are assumed; state it with --sigma",
        path, kUsualSigma));
}

/// Reads the labelled points of another program as markers without labels.
ImportedDetections importPoints(const std::string& path, std::optional<double> sigma, double rate) {
  const motion::PointTable table = motion::readPoses(path);
  ImportedDetections all;
  all.cameras.resize(1);
  all.remarks = table.remarks;
  uint64_t latest = 0;
  for (const motion::PointRow& point : table.rows) {
    if (point.frame < 0 || static_cast<uint64_t>(point.frame) > kMostFrame)
      throw Error("{}, line {}: {} is not the number of a frame", path, point.line, point.frame);
    const auto frame = static_cast<uint64_t>(point.frame);
    latest = std::max(latest, frame);
    all.cameras[0][frame].seen.push_back(markerOf(point, sigma.value_or(kUsualSigma)));
    ++all.markers;
  }
  checkFrames(all, latest, path);
  completeTimes(all, false, path, rate);
  noteSigma(all, sigma.has_value(), path);
  return all;
}

}  // namespace

ImportedDetections importDetections(const std::string& path, std::optional<double> sigma,
                                    double rate) {
  if (motion::isPoseFile(path)) return importPoints(path, sigma, rate);
  constexpr uint64_t kMostCamera = 63;
  MarkerTable table(path);
  ImportedDetections all;
  all.hasMass = table.has(mMass);
  all.hasRadius = table.has(mRadius) || table.has(mSize);
  all.hasEccentricity = table.has(mEccentricity);
  all.hasSigma = table.has(mSigma) || (table.has(mSigmaX) && table.has(mSigmaY));
  const bool timed = table.has(mTime);
  uint64_t latest = 0;
  while (table.next()) {
    const uint64_t camera = table.count(mCamera, kMostCamera);
    if (camera >= all.cameras.size()) all.cameras.resize(camera + 1);
    const uint64_t frame = table.count(mFrame, kMostFrame);
    latest = std::max(latest, frame);
    const auto [place, isNew] = all.cameras[camera].try_emplace(frame);
    ImportedMarkers& markers = place->second;
    if (timed) table.takeTime(isNew, markers.time);
    markers.seen.push_back(markerOf(table, sigma.value_or(kUsualSigma)));
    ++all.markers;
  }
  checkFrames(all, latest, path);
  if (timed) checkTimes(all, path);
  completeTimes(all, timed, path, rate);
  noteSigma(all, sigma.has_value(), path);
  return all;
}

}  // namespace glint::output
