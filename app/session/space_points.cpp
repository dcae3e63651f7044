#include "app/session/space_points.h"

#include <charconv>
#include <string>

#include "app/base/log.h"
#include "app/output/tables/tables.h"
#include "config/error.h"

namespace glint::session {
namespace {

/// A column of detections.csv. It returns the value that a reader of the file gets for a row.
class PrintedColumn {
 public:
  explicit PrintedColumn(std::string_view name)
      : column_(output::columnOf(output::DetectionsTable::columns(), name)) {}

  double operator()(const output::DetectionsTable::Row& row) const {
    std::string text;
    output::appendCsv(text, column_.cell(row), column_.decimals);
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

 private:
  const output::Column<output::DetectionsTable::Row>& column_;
};

motion::SpaceSet setOf(const motion::Frame& frame, const motion::SpaceRig& rig) {
  static const PrintedColumn time("time_s"), x("x"), y("y"), sigmaX("sigma_x"), sigmaY("sigma_y");
  motion::SpaceSet set{frame.set.value(), std::vector<motion::SpaceView>(rig.size())};
  for (size_t c = 0; c < rig.size(); ++c) {
    motion::SpaceView& view = set.views[c];
    output::DetectionsTable::rows(frame, c, [&](const output::DetectionsTable::Row& row) {
      view.time = time(row) + rig[c].camera().timeOffset;
      view.dots.push_back(
          {{x(row), y(row)},
           Eigen::Vector2d(sigmaX(row), sigmaY(row)).cwiseMax(motion::kLeastDotSigma)});
    });
  }
  return set;
}

}  // namespace

SpacePoints::SpacePoints(std::shared_ptr<const motion::SpaceRig> rig,
                         std::shared_ptr<const std::vector<motion::Body>> bodies,
                         const Settings& settings, bool stills, bool refused)
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

void SpacePoints::process(motion::Frame& frame) {
  if (!tracker_) return;
  try {
    tracker_->update(setOf(frame, *rig_));
  } catch (const std::exception& error) {
    throw Error("points failed at frame {}; this is a bug in Glint: {}", frame.set, error.what());
  }
  if (!stills_)
    for (size_t c = 0; c < rig_->size(); ++c)
      if (frame.cameras[c].measured.stamp) links_->learn(*tracker_, c, frame.cameras[c].tracks);
  motion::SpaceFrame space = tracker_->takeFrame();
  for (const std::string& note : space.notes) base::log(base::LogLevel::warning, note);
  counts_.add(space);
  frame.results.put(std::move(space));
}

void SpacePoints::predictLostTracks(motion::Frame& frame) const {
  if (!tracker_ || stills_) return;
  for (size_t c = 0; c < rig_->size(); ++c)
    if (const auto& stamp = frame.cameras[c].measured.stamp)
      frame.cameras[c].predictedPlaces =
          links_->predict(*tracker_, c, stamp->time + (*rig_)[c].camera().timeOffset);
}

std::optional<motion::SpaceFrame> SpacePoints::finish() {
  if (!tracker_) return std::nullopt;
  tracker_->finish();
  motion::SpaceFrame last = tracker_->takeFrame();
  counts_.add(last);
  return last;
}

motion::SpaceCounts SpacePoints::counts() const {
  motion::SpaceCounts all = counts_;
  if (tracker_) all.take(*tracker_);
  return all;
}

std::optional<motion::SpaceFrame> SpacePoints::openRows() const {
  if (!tracker_) return std::nullopt;
  motion::PointTracker copy = *tracker_;
  copy.finish();
  return copy.takeFrame();
}

}  // namespace glint::session
