#include "app/session/session_tracker.h"

#include <utility>

#include "config/error.h"

namespace glint::session {

SessionTracker::SessionTracker(const Settings& settings, size_t cameras, bool stills, bool follows,
                               uint64_t checkpoints)
    : settings_(settings),
      cameras_(cameras),
      stills_(stills),
      follows_(follows),
      checkpoints_(checkpoints),
      trackers_(settings.track, cameras, stills) {}

bool SessionTracker::begin(SetIndex set) {
  earlier_ = {tracks(), stitches(), repeats()};
  std::optional<CameraTrackers> before;
  if (set != SetIndex() && usable()) before = history_->trackersBefore(set);
  whole_ = set == SetIndex() || before;
  keepsIds_ = false;
  isEmpty_ = true;
  trackers_ = before ? std::move(*before) : CameraTrackers(settings_.track, cameras_, stills_);
  idsBeforePass_ = trackers_.tracks();
  earlier_.stitches -= trackers_.stitches();
  earlier_.repeats -= trackers_.repeats();
  return before.has_value();
}

void SessionTracker::apply(const Settings& settings, bool recording) {
  if (settings == settings_) return;
  settings_ = settings;
  trackers_.apply(settings.track);
  if (whole_ && isEmpty_ && idsBeforePass_ == 0) return;
  keepsIds_ = recording && (keepsIds_ || whole_);
  whole_ = false;
}

bool SessionTracker::canBeWhole(SetIndex set) const {
  return follows_ && !whole_ && !keepsIds_ &&
         (set == SetIndex() || (usable() && history_->reaches(set)));
}

motion::TrackKnowledge SessionTracker::knowledge() const {
  return follows_ && !keepsIds_ && !whole_ ? motion::TrackKnowledge::provisional
                                           : motion::TrackKnowledge::causal;
}

void SessionTracker::process(motion::Frame& frame) {
  if (checkpoints_ > 0 && frame.set.value() % checkpoints_ == 0)
    frame.results.put(std::make_shared<const CameraTrackers>(trackers_));
  std::vector<TrackerInput> inputs;
  for (const motion::CameraFrame& camera : frame.cameras)
    inputs.push_back(inputOf(frame.set, camera));
  if (whole_ && usable()) useKnownPredictions(frame.set, inputs);
  try {
    trackers_.update(inputs, frame.cameras);
  } catch (const std::exception& error) {
    throw Error("tracking failed at frame {}; this is a bug in Glint: {}", frame.set, error.what());
  }
  isEmpty_ = false;
  frame.knowledge = knowledge();
  showAsWhole(frame);
}

/// Uses the predictions that tracking the whole recording had at this set. At the start of a pass
/// there are no points in space yet that could predict where lost tracks are.
void SessionTracker::useKnownPredictions(SetIndex set, std::vector<TrackerInput>& inputs) const {
  const auto known = history_->inputs(set);
  for (size_t i = 0; known && i < inputs.size(); ++i)
    inputs[i].predictedPlaces = (*known)[i].predictedPlaces;
}

bool SessionTracker::knows(SetIndex set) const {
  return follows_ && whole_ && usable() && history_->rowsKept() &&
         set.value() < history_->finalised();
}

void SessionTracker::showAsWhole(motion::Frame& frame) const {
  if (!knows(frame.set)) return;
  frame.knowledge = motion::TrackKnowledge::whole;
  for (size_t i = 0; i < frame.cameras.size(); ++i)
    if (const auto known = history_->frame(CameraIndex(i), frame.set))
      frame.cameras[i].tracks = known->rows;
}

}  // namespace glint::session
