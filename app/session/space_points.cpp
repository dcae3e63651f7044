#include "app/session/space_points.h"

#include <charconv>
#include <string>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/sinks/tables.h"
#include "config/error.h"

namespace glint {
namespace {

/// A column of detections.csv. Returns what a reader of the file makes of a cell.
class PrintedColumn {
 public:
  explicit PrintedColumn(std::string_view name)
      : column_(columnOf(DetectionsTable::columns(), name)) {}

  double operator()(const DetectionsTable::Row& row) const {
    std::string text;
    appendCsv(text, column_.cell(row), column_.decimals);
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

 private:
  const Column<DetectionsTable::Row>& column_;
};

SpaceSet setOf(const Frame& frame, const SpaceRig& rig) {
  static const PrintedColumn time("time_s"), x("x"), y("y"), sigmaX("sigma_x"), sigmaY("sigma_y");
  SpaceSet set{frame.set.value(), std::vector<SpaceView>(rig.size())};
  for (size_t c = 0; c < rig.size(); ++c) {
    SpaceView& view = set.views[c];
    DetectionsTable::rows(frame, c, [&](const DetectionsTable::Row& row) {
      view.time = time(row) + rig[c].camera().timeOffset;
      view.dots.push_back(
          {{x(row), y(row)}, Eigen::Vector2d(sigmaX(row), sigmaY(row)).cwiseMax(kLeastDotSigma)});
    });
  }
  return set;
}

}  // namespace

SpacePoints::SpacePoints(std::shared_ptr<const SpaceRig> rig,
                         std::shared_ptr<const std::vector<Body>> bodies, const Settings& settings,
                         bool stills, bool refused)
    : rig_(std::move(rig)),
      bodies_(std::move(bodies)),
      settings_(settings.track),
      stills_(stills),
      refused_(refused) {
  begin();
}

void SpacePoints::begin() {
  if (tracker_) counts_.take(*tracker_);
  if (!rig_) return;
  tracker_.emplace(rig_, settings_, stills_, refused_, bodies_);
  links_.emplace(rig_->size());
}

void SpacePoints::apply(const Settings& settings) {
  settings_ = settings.track;
  if (tracker_) tracker_->apply(settings_);
}

void SpacePoints::process(Frame& frame) {
  if (!tracker_) return;
  try {
    tracker_->update(setOf(frame, *rig_));
  } catch (const std::exception& error) {
    throw Error(fmt::format("points failed at frame {}; this is a bug in Glint: {}", frame.set,
                            error.what()));
  }
  if (!stills_)
    for (size_t c = 0; c < rig_->size(); ++c)
      if (frame.cameras[c].measured.stamp) links_->learn(*tracker_, c, frame.cameras[c].tracks);
  SpaceFrame space = tracker_->takeFrame();
  for (const std::string& note : space.notes) log(LogLevel::warning, note);
  counts_.add(space);
  frame.results.put(std::move(space));
}

void SpacePoints::predictLostTracks(Frame& frame) const {
  if (!tracker_ || stills_) return;
  for (size_t c = 0; c < rig_->size(); ++c)
    if (const auto& stamp = frame.cameras[c].measured.stamp)
      frame.cameras[c].foretold =
          links_->foretell(*tracker_, c, stamp->time + (*rig_)[c].camera().timeOffset);
}

std::optional<SpaceFrame> SpacePoints::finish() {
  if (!tracker_) return std::nullopt;
  tracker_->finish();
  SpaceFrame last = tracker_->takeFrame();
  counts_.add(last);
  return last;
}

SpaceCounts SpacePoints::counts() const {
  SpaceCounts all = counts_;
  if (tracker_) all.take(*tracker_);
  return all;
}

std::optional<SpaceFrame> SpacePoints::openRows() const {
  if (!tracker_) return std::nullopt;
  PointTracker copy = *tracker_;
  copy.finish();
  return copy.takeFrame();
}

}  // namespace glint
