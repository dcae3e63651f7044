#include "ui/model/tracking_scheduler.h"

#include <utility>

#include "app/shell/desk/settings_history.h"

namespace glint::ui {

void TrackingScheduler::follow(const session::SessionState& state) {
  if (task_.stills || !state.canSeek || state.live) return;
  // New settings come into force together with a new epoch.
  if (!settings_ ||
      (state.epoch != epoch_ && !shell::changedKeys(*settings_, *state.settings).empty())) {
    settings_ = *state.settings;
    ++revision_;
  }
  epoch_ = state.epoch;
  // After a failure, the recording may have changed, for instance if its file was away. Its tracks
  // are found again.
  const bool failed = state.mode == session::SessionState::Mode::failed;
  if (std::exchange(failed_, failed) && !failed) ++revision_;
  if (const auto known = history(); known && known != std::exchange(postedHistory_, known))
    task_.session.post(session::command::Follow{known});
  const bool straight = state.pass == Pass() &&
                        state.mode == session::SessionState::Mode::playing &&
                        !(state.frame && state.frame->provisional());
  if (asked_ == revision_ || (straight && !recordingTracker_ && !wanted_)) return;
  if (state.mode == session::SessionState::Mode::ended || !state.frame) return;
  if (!recordingTracker_)
    recordingTracker_ = std::make_unique<shell::RecordingTracker>(task_.device, task_.sources,
                                                                  wake_, task_.rig, task_.bodies);
  recordingTracker_->track(*settings_, revision_);
  asked_ = revision_;
}

std::shared_ptr<const session::TrackHistory> TrackingScheduler::history() const {
  auto known = recordingTracker_ ? recordingTracker_->history() : nullptr;
  return known && known->revision() == revision_ ? known : nullptr;
}

std::shared_ptr<const shell::SpaceHistory> TrackingScheduler::space() const {
  return task_.rig && history() ? recordingTracker_->space() : nullptr;
}

std::optional<double> TrackingScheduler::progress() const {
  if (!recordingTracker_) return std::nullopt;
  const shell::RecordingTracker::Progress progress = recordingTracker_->progress();
  if (!progress.running) return std::nullopt;
  if (!progress.total || *progress.total == 0) return 0;
  return static_cast<double>(progress.frames) / static_cast<double>(*progress.total);
}

}  // namespace glint::ui
