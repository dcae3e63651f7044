#include "app/shell/desk/track_summaries.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace glint::shell {
namespace {

/// Returns the frame of a camera with this number; null if there is none. Numbers grow with the
/// sets. A recording that was made within a live session may begin with any number, and lacks some.
std::shared_ptr<const session::HistoryFrame> findFrame(const session::TrackHistory& history,
                                                       CameraIndex camera, FrameNumber frame) {
  if (camera.value() >= history.cameras()) return nullptr;
  uint64_t from = 0, to = history.finalised();
  while (from < to) {
    const uint64_t middle = from + (to - from) / 2;
    std::shared_ptr<const session::HistoryFrame> found;
    uint64_t at = middle;
    for (; at < to; ++at) {  // the number of a frame without rows is not known
      found = history.frame(camera, SetIndex(at));
      if (found && !found->rows.empty()) break;
    }
    const bool beyond = at == to || found->rows.front().frame > frame;
    if (!beyond && found->rows.front().frame == frame) return found;
    (beyond ? to : from) = beyond ? middle : at + 1;
  }
  return nullptr;
}

FrameNumber frameIn(const session::TrackHistory& history, CameraIndex camera, SetIndex set) {
  const auto frame = history.frame(camera, set);
  return frame && !frame->rows.empty() ? frame->rows.front().frame : FrameNumber(set.value());
}

/// The summary of one track while its rows are read one by one.
struct Growing {
  TrackSummary summary;
  motion::TrackRow last, before;  // the latest rows
  uint64_t run = 0;               // number of consecutive rows up to the last one
  // Sum of the distances from which the residual is computed, px, and their number.
  double deviation = 0;
  uint64_t deviations = 0;
  uint64_t longest = 0;  // rows of the longest stretch so far
  std::vector<std::pair<SetIndex, output::TrackAnchor>> measured =
      {};  // anchors of the stretch that continues

  void endStretch() {
    const uint64_t length = summary.stretches.back().second - summary.stretches.back().first + 1;
    if (!measured.empty() && (length > longest || longest == 0)) {
      longest = length;
      std::tie(summary.anchorSet, summary.anchor) = measured[measured.size() / 2];
    }
    measured.clear();
  }

  void add(CameraIndex camera, const motion::TrackRow& row) {
    const bool first = summary.rows++ == 0;
    const bool follows = !first && last.frame + 1 == row.frame;
    if (first) summary.first = row.set;
    if (!first) summary.path += std::hypot(row.x - last.x, row.y - last.y);
    if (!first && !follows) {
      endStretch();
      ++summary.gaps;
    }
    if (!follows)
      summary.stretches.emplace_back(row.set, row.set);
    else
      summary.stretches.back().second = row.set;
    if (follows && run >= 2 && last.state == motion::TrackState::measured) {
      deviation += std::hypot(last.x - (before.x + row.x) / 2, last.y - (before.y + row.y) / 2);
      ++deviations;
    }
    run = follows ? run + 1 : 1;
    before = std::exchange(last, row);
    summary.last = row.set;
    if (row.state == motion::TrackState::measured)
      measured.emplace_back(row.set, anchorAt(camera, row));
  }
};

}  // namespace

output::TrackAnchor anchorAt(CameraIndex camera, const motion::TrackRow& row) {
  const auto round = [](double value) { return std::round(value * 1e3) / 1e3; };
  return {camera, row.frame, round(row.x), round(row.y)};
}

const motion::TrackRow* rowOf(const session::HistoryFrame& frame, const output::EditedTracks& edits,
                              TrackId track) {
  for (const motion::TrackRow& row : frame.rows)
    if (edits.of(row.track, row.frame) == track) return &row;
  return nullptr;
}

output::TracksToEdit tracksToEdit(std::shared_ptr<const session::TrackHistory> history) {
  output::TracksToEdit tracks;
  for (size_t i = 0; i < history->cameras(); ++i) {
    const CameraIndex camera(i);
    for (const session::TrackStretch& stretch : history->stretches(camera))
      tracks.stretches.push_back({stretch.track, frameIn(*history, camera, stretch.first),
                                  frameIn(*history, camera, stretch.last)});
  }
  tracks.at = [history](CameraIndex camera, FrameNumber number) {
    std::vector<output::TrackSpot> spots;
    if (const auto frame = findFrame(*history, camera, number))
      for (const motion::TrackRow& row : frame->rows) spots.push_back({row.track, row.x, row.y});
    return spots;
  };
  return tracks;
}

std::optional<TrackId> trackFoundAt(const session::TrackHistory& history,
                                    const output::TrackAnchor& at) {
  std::optional<TrackId> nearest;
  double least = output::EditedTracks::kReach;
  if (const auto frame = findFrame(history, at.camera, at.frame))
    for (const motion::TrackRow& row : frame->rows) {
      const double away = std::hypot(row.x - at.x, row.y - at.y);
      if (away > least || (nearest && away == least)) continue;
      least = away;
      nearest = row.track;
    }
  return nearest;
}

std::optional<SetIndex> setOf(const session::TrackHistory& history, CameraIndex camera,
                              FrameNumber frame) {
  const auto found = findFrame(history, camera, frame);
  return found ? std::optional(found->rows.front().set) : std::nullopt;
}

std::vector<TrackSummary> summarise(const session::TrackHistory& history,
                                    const output::EditedTracks& edits) {
  std::vector<TrackSummary> all;
  for (size_t i = 0; i < history.cameras(); ++i) {
    const CameraIndex camera(i);
    std::map<TrackId, Growing> tracks;
    for (const auto& frame : history.frames(camera, SetIndex(), SetIndex::most()))
      for (const motion::TrackRow& row : frame->rows) {
        const TrackId track = edits.of(row.track, row.frame);
        if (track != TrackId()) tracks[track].add(camera, row);
      }
    for (auto& [track, growing] : tracks) {
      growing.endStretch();
      TrackSummary& summary = growing.summary;
      summary.camera = camera;
      summary.track = track;
      summary.name = edits.name(track);
      summary.hidden = edits.hidden(track);
      if (growing.longest == 0) {  // the track was never measured, so any row will do
        summary.anchorSet = summary.last;
        summary.anchor = anchorAt(camera, growing.last);
      }
      if (growing.deviations > 0)
        summary.residual = growing.deviation / static_cast<double>(growing.deviations);
      all.push_back(std::move(summary));
    }
  }
  return all;
}

}  // namespace glint::shell
