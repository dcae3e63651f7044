#include "ui/recorded.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/desk/settings_history.h"

namespace glint::ui {

Recorded::Recorded(std::shared_ptr<const Device> device, const std::vector<std::string>& sources,
                   std::function<void()> wake)
    : device_(std::move(device)), sources_(sources), wake_(std::move(wake)) {}

void Recorded::follow(const SessionState& state) {
  if (!state.canSeek || state.live) return;
  // Settings come into force with an epoch.
  if (!settings_ || (state.epoch != epoch_ && !changedKeys(*settings_, state.settings).empty())) {
    settings_ = state.settings;
    ++revision_;
  }
  epoch_ = state.epoch;
  const bool straight = state.pass == 0 && state.mode == SessionState::Mode::playing;
  if (asked_ == revision_ || (straight && !retracker_)) return;
  if (state.mode == SessionState::Mode::ended || !state.frame) return;
  if (!retracker_) retracker_ = std::make_unique<Retracker>(device_, sources_, wake_);
  retracker_->track(*settings_, revision_);
  asked_ = revision_;
}

std::shared_ptr<const Results> Recorded::results() const {
  auto results = retracker_ ? retracker_->results() : nullptr;
  return results && results->revision() == revision_ ? results : nullptr;
}

std::optional<double> Recorded::progress() const {
  if (!retracker_) return std::nullopt;
  const Retracker::Progress progress = retracker_->progress();
  if (!progress.running) return std::nullopt;
  if (!progress.total || *progress.total == 0) return 0;
  return static_cast<double>(progress.frames) / static_cast<double>(*progress.total);
}

std::optional<Recorded::Frame> Recorded::frame(size_t camera, uint64_t frame, double trailSeconds,
                                               double rate) const {
  const auto known = results();
  if (!known || camera >= known->cameras() || frame >= known->settled() || !known->rowsKept())
    return std::nullopt;
  const auto here = known->frame(camera, frame);
  if (!here || !here->measured) return std::nullopt;
  Frame found{.rows = here->rows, .trails = {}};
  const auto back =
      static_cast<uint64_t>(std::llround(std::clamp(trailSeconds * rate, 1.0, 600.0)));
  for (const TrackRow& row : here->rows) found.trails[row.track];
  for (const auto& earlier : known->frames(camera, frame - std::min(frame, back), frame)) {
    if (!earlier) continue;
    for (const TrackRow& row : earlier->rows) {
      const auto trail = found.trails.find(row.track);
      if (trail == found.trails.end()) continue;
      trail->second.push_back(
          {row.frame, row.time, static_cast<float>(row.x), static_cast<float>(row.y)});
    }
  }
  return found;
}

}  // namespace glint::ui
