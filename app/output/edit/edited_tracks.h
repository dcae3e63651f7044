// Edits applied to the tracks of a recording: which row belongs to whom in the end.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/output/edit/track_edits.h"

namespace glint::output {

/// A stretch of frames of one camera, one after another, in each of which a track has a row.
struct FrameStretch {
  TrackId track;
  FrameNumber first, last;
  bool operator==(const FrameStretch&) const = default;
};

/// Where a track is in a frame.
struct TrackSpot {
  TrackId track;
  double x = 0, y = 0;  ///< px
};

/// What edits are applied to: the tracks of a whole recording, as `glint track` has them.
struct TracksToEdit {
  std::vector<FrameStretch> stretches;  ///< of all cameras, a track's in order of time
  /// Of all its tracks in one frame; none beyond the recording.
  std::function<std::vector<TrackSpot>(CameraIndex camera, FrameNumber frame)> at;
};

/// An edit that means nothing in these tracks.
struct Unmatched {
  size_t edit = 0;  ///< index into TrackEdits::edits
  std::string why;  ///< "no track is there"
};

/// Immutable; any thread.
class EditedTracks {
 public:
  /// A track is that of an anchor if it is the nearest in its frame, and not farther away: px.
  static constexpr double kReach = 4;

  EditedTracks() = default;  ///< nothing is edited

  const TrackEdits& edits() const { return edits_; }
  /// By edit. An edit of it changes nothing.
  const std::vector<Unmatched>& unmatched() const { return unmatched_; }
  /// By edit: the one or two tracks that it found, as those before it had left them.
  const std::vector<std::vector<TrackId>>& found() const { return found_; }

  /// Whose row it is; 0: it is deleted. No two rows of one frame become one track's.
  TrackId of(TrackId track, FrameNumber frame) const;
  /// Of one that of() gives.
  const std::string& name(TrackId track) const;
  bool hidden(TrackId track) const { return hidden_.contains(track); }
  const std::map<TrackId, std::string>& names() const { return names_; }

 private:
  friend EditedTracks apply(const TrackEdits& edits, const TracksToEdit& tracks);
  friend class EditApplier;
  struct Piece {
    FrameNumber from;
    TrackId to;
  };
  TrackEdits edits_;
  std::vector<Unmatched> unmatched_;
  std::vector<std::vector<TrackId>> found_;
  std::map<TrackId, std::vector<Piece>> pieces_;  // of each that is touched, from frame 0 on
  std::map<TrackId, std::string> names_;          // of those that have one
  std::set<TrackId> hidden_;
};

/// Edits are applied in their order, each to what those before it have made. Tracks that a split
/// makes get ids from the least power of ten on that is at least 1000 and above every id of
/// `tracks`.
EditedTracks apply(const TrackEdits& edits, const TracksToEdit& tracks);

/// Collects what edits need to know, as rows become final.
class EditCollector {
 public:
  explicit EditCollector(const TrackEdits& edits);

  /// Rows of a track must come in order of its frames.
  void add(CameraIndex camera, const motion::TrackRow& row);
  /// Of all that was added. Valid while the collector is.
  TracksToEdit tracks() const;

 private:
  std::map<std::pair<CameraIndex, FrameNumber>, std::vector<TrackSpot>> places_;  // of anchors
  std::vector<FrameStretch> stretches_;
  std::map<TrackId, size_t> latest_;  // stretch of each track
};

}  // namespace glint::output
