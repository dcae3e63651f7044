#include "ui/model/track_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/shell/desk/point_links.h"

namespace glint::ui {

void TrackView::update(const ShownFrame& shown, const Options& options,
                       const std::optional<Selection>& selected, const output::SharedEdits& edits) {
  const auto& [trailSeconds, rate, fillsGaps] = options;
  frame_ = shown.frame;
  updatePoints(trailSeconds, rate);
  followed_ = selected;
  selected_ = nullptr;
  path_.clear();
  if (!frame_) return cameras_.clear();
  known_ = whole() ? history() : nullptr;
  if (known_ && (frame_->set.value() >= known_->finalised() || !known_->rowsKept())) known_.reset();
  cameras_.assign(frame_->cameras.size(), {});
  earlier_.assign(cameras_.size(), nullptr);
  for (size_t i = 0; i < cameras_.size(); ++i) {
    const bool waits = frame_->cameras[i].measured.state == gpu::CameraState::none;
    const auto last = waits && fillsGaps ? latest_->of(i, frame_->pass, frame_->set) : std::nullopt;
    if (last) earlier_[i] = last->frame;
    const motion::CameraFrame& from = shownOf(i);
    cameras_[i] = {.measured = &from.measured,
                   .set = last ? last->set : frame_->set,
                   .rows = from.tracks,
                   .gates = from.predicted,
                   .provisional = provisional(),
                   .edits = provisional() ? nullptr : edits};
    if (cameras_[i].edits) edit(cameras_[i]);
    cameras_[i].trails = trailsOf(*frame_, i, trailSeconds, rate);
  }
  linkPoints();
  found_ = found_ || markers() > 0;
  if (!selected) return;
  selected_ = cameras_[selected->camera].row(selected->track);
  if (selected_) path_ = trailsOf(*frame_, selected->camera, kPathSeconds, rate)[selected->track];
}

/// Returns the part of a frame that a camera's marks come from.
const motion::CameraFrame& TrackView::shownOf(size_t camera) const {
  return earlier_[camera] ? *earlier_[camera] : frame_->cameras[camera];
}

/// Changes the rows of a camera to those of the edited tracks. Removes hidden and deleted tracks,
/// and notes where they were measured.
void TrackView::edit(CameraTracks& camera) const {
  const output::EditedTracks& edits = *camera.edits;
  for (motion::TrackRow& row : camera.rows) {
    row.track = edits.of(row.track, row.frame);
    if (row.track != TrackId() && !edits.hidden(row.track)) continue;
    row.track = TrackId();
    if (row.state == motion::TrackState::measured) camera.gone.emplace(row.seen.x, row.seen.y);
  }
  std::erase_if(camera.rows, [](const motion::TrackRow& row) { return row.track == TrackId(); });
  std::stable_sort(camera.rows.begin(), camera.rows.end(), [](const auto& a, const auto& b) {
    return std::pair(a.track, a.state) < std::pair(b.track, b.state);
  });
  camera.rows.erase(std::unique(camera.rows.begin(), camera.rows.end(),
                                [](const auto& a, const auto& b) { return a.track == b.track; }),
                    camera.rows.end());
}

/// Returns the trails of a camera, up to the frame that is shown, from the same source as its rows:
/// the whole recording, or the session's own tracker.
TrailMap TrackView::trailsOf(const motion::Frame& frame, size_t camera, double seconds,
                             double rate) const {
  const output::EditedTracks* edits = cameras_[camera].edits.get();
  const auto ownerOf = [&](const motion::TrackRow& row) {
    return edits ? edits->of(row.track, row.frame) : row.track;
  };
  if (!known_) {
    TrailMap all = live_->of(camera, frame.pass, cameras_[camera].set, seconds);
    if (!edits) return all;
    TrailMap edited;
    for (const motion::TrackRow& row : shownOf(camera).tracks)
      if (const auto found = all.find(row.track); found != all.end())
        edited[ownerOf(row)] = std::move(found->second);
    std::erase_if(edited, [&](const auto& entry) {
      return std::none_of(cameras_[camera].rows.begin(), cameras_[camera].rows.end(),
                          [&](const motion::TrackRow& row) { return row.track == entry.first; });
    });
    return edited;
  }
  TrailMap trails;
  for (const motion::TrackRow& row : cameras_[camera].rows) trails[row.track];
  const auto back = static_cast<uint64_t>(std::llround(std::clamp(seconds * rate, 1.0, 600.0)));
  SetIndex set = frame.set - std::min(frame.set.value(), back), before;
  for (const auto& earlier : known_->frames(CameraIndex(camera), set, frame.set)) {
    if (earlier && earlier->measured) {
      for (const motion::TrackRow& row : earlier->rows) {
        const auto trail = trails.find(ownerOf(row));
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

void TrackView::updatePoints(double trailSeconds, double rate) {
  points_.clear();
  pointTrails_.clear();
  poses_.clear();
  if (!frame_) return;
  const auto known = background_.space();
  if (known && known->knows(frame_->set)) {
    points_ = known->rows(frame_->set);
    poses_ = known->poses(frame_->set);
    const auto back =
        static_cast<uint64_t>(std::llround(std::clamp(trailSeconds * rate, 1.0, 600.0)));
    pointTrails_ = known->trails(frame_->set - std::min(frame_->set.value(), back), frame_->set);
  } else if (const auto* now = frame_->results.get<motion::SpaceFrame>()) {
    points_ = now->now;
    poses_ = now->poses;
    pointTrails_ = space_->of(frame_->pass, frame_->set, trailSeconds);
  }
}

/// Finds the points of the tracks in this frame.
void TrackView::linkPoints() {
  if (!rig_) return;
  if (frame_->pass != linkedPass_ || links_.size() != cameras_.size()) links_.clear();
  linkedPass_ = frame_->pass;
  links_.resize(cameras_.size());
  for (size_t i = 0; i < cameras_.size(); ++i)
    for (const auto& [track, point] : shell::pointsOfTracks(*rig_, i, points_, cameras_[i].rows))
      links_[i][track] = point;
  for (size_t i = 0; i < cameras_.size(); ++i) cameras_[i].points = links_[i];
}

std::optional<uint64_t> TrackView::pointOf(const Selection& track) const {
  if (track.camera >= links_.size()) return std::nullopt;
  const auto found = links_[track.camera].find(track.track);
  return found == links_[track.camera].end() ? std::nullopt : std::optional(found->second);
}

std::string TrackView::tracksOfPoint(uint64_t point) const {
  std::string words;
  for (size_t i = 0; i < cameras_.size(); ++i)
    for (const motion::TrackRow& row : cameras_[i].rows)
      if (pointOf({i, row.track}) == point)
        words += fmt::format("{}{}:{}", words.empty() ? "" : " ", i, row.track);
  return words;
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
