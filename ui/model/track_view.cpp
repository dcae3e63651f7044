#include "ui/model/track_view.h"

#include <algorithm>
#include <cmath>

namespace glint::ui {

void TrackView::update(const ShownFrame& shown, double trailSeconds, double rate,
                       const std::optional<Selection>& selected) {
  frame_ = shown.frame;
  selected_ = nullptr;
  path_.clear();
  whole_ = false;
  if (!frame_) return cameras_.clear();
  known_ = shown.stale ? nullptr : history();
  if (known_ && (frame_->index >= known_->settled() || !known_->rowsKept())) known_.reset();
  cameras_.assign(frame_->cameras.size(), {});
  for (size_t i = 0; i < cameras_.size(); ++i) {
    CameraTracks& camera = cameras_[i];
    camera.measured = &frame_->cameras[i].measured;
    camera.rows = frame_->cameras[i].live;
    if (i < shown.gates.size()) camera.gates = shown.gates[i];
    const auto here = known_ && i < known_->cameras() ? known_->frame(i, frame_->index) : nullptr;
    if (here && here->measured) {
      whole_ = true;
      camera.rows = here->rows;
    }
    camera.trails = trailsOf(*frame_, i, trailSeconds, rate);
  }
  if (!selected) return;
  for (const TrackRow& row : cameras_[selected->camera].rows)
    if (row.track == selected->track) selected_ = &row;
  if (selected_) path_ = trailsOf(*frame_, selected->camera, kPathSeconds, rate)[selected->track];
}

/// Up to the frame that is shown, from where its rows come from.
TrailMap TrackView::trailsOf(const SessionFrame& frame, size_t camera, double seconds,
                             double rate) const {
  const uint64_t last = frame.index;
  if (!known_) return live_->of(camera, frame.pass, SetIndex(last), seconds);
  TrailMap trails;
  for (const TrackRow& row : cameras_[camera].rows) trails[row.track];
  const auto back = static_cast<uint64_t>(std::llround(std::clamp(seconds * rate, 1.0, 600.0)));
  SetIndex set(last - std::min(last, back)), before;
  for (const auto& earlier : known_->frames(camera, set.value(), last)) {
    if (earlier && earlier->measured) {
      for (const TrackRow& row : earlier->rows) {
        const auto trail = trails.find(row.track);
        if (trail == trails.end()) continue;
        auto& points = trail->second;
        const bool joined = !points.empty() && points.back().set == before;
        points.push_back(
            {set, row.time, static_cast<float>(row.x), static_cast<float>(row.y), joined});
      }
      before = set;
    }
    ++set;
  }
  return trails;
}

size_t TrackView::markers() const {
  size_t sum = 0;
  for (const CameraTracks& camera : cameras_) sum += camera.measured->markers.size();
  return sum;
}

size_t TrackView::rows() const {
  size_t sum = 0;
  for (const CameraTracks& camera : cameras_) sum += camera.rows.size();
  return sum;
}

}  // namespace glint::ui
