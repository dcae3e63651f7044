// The tracks of a recording after edits: which track each row finally belongs to.
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

/// A stretch of consecutive frames of one camera in each of which a track has a row.
struct FrameStretch {
  TrackId track;
  FrameNumber first, last;
  bool operator==(const FrameStretch&) const = default;
};

/// The place of a track in a frame.
struct TrackSpot {
  TrackId track;
  double x = 0, y = 0;  ///< px
};

/// The tracks to which edits are applied: those of a whole recording, as `glint track` finds them.
struct TracksToEdit {
  /// Stretches of all cameras; those of one track are in the order of time.
  std::vector<FrameStretch> stretches;
  /// Returns the places of a camera's tracks in one frame; empty for frames beyond the recording.
  std::function<std::vector<TrackSpot>(CameraIndex camera, FrameNumber frame)> at;
};

/// An edit that matches no track.
struct Unmatched {
  size_t edit = 0;  ///< index into TrackEdits::edits
  std::string why;  ///< "no track is there"
};

/// The result of applying edits. Immutable; any thread.
class EditedTracks {
 public:
  /// The largest distance, px, between an anchor and its track. Among several tracks, the nearest
  /// is taken.
  static constexpr double kReach = 4;

  EditedTracks() = default;  ///< no edits

  const TrackEdits& edits() const { return edits_; }
  /// Returns the edits that match no track, in order. They change nothing.
  const std::vector<Unmatched>& unmatched() const { return unmatched_; }
  /// Returns, for each edit, the one or two tracks that it has found, with the ids that earlier
  /// edits have given them.
  const std::vector<std::vector<TrackId>>& found() const { return found_; }

  /// Returns the track that a row belongs to after the edits; 0 if it is deleted. Two rows of one
  /// frame never belong to the same track.
  TrackId of(TrackId track, FrameNumber frame) const;
  /// Returns the name of a track that of() returns; empty if it has none.
  const std::string& name(TrackId track) const;
  bool hidden(TrackId track) const { return hidden_.contains(track); }
  const std::map<TrackId, std::string>& names() const { return names_; }

 private:
  friend EditedTracks apply(const TrackEdits& edits, const TracksToEdit& tracks);
  friend class EditApplier;
  /// The frames of a track from `from` up to the next piece, and the track that they belong to.
  struct Piece {
    FrameNumber from;
    TrackId to;
  };
  TrackEdits edits_;
  std::vector<Unmatched> unmatched_;
  std::vector<std::vector<TrackId>> found_;
  std::map<TrackId, std::vector<Piece>> pieces_;  // pieces of each edited track, from frame 0 on
  std::map<TrackId, std::string> names_;          // names of the tracks that have one
  std::set<TrackId> hidden_;
};

/// Applies edits in their order, each to the result of those before it. Tracks that a split makes
/// get ids from a power of ten on: the smallest one that is at least 1000 and above every id of
/// `tracks`.
EditedTracks apply(const TrackEdits& edits, const TracksToEdit& tracks);

/// The data that edits need, collected while rows become final.
class EditCollector {
 public:
  explicit EditCollector(const TrackEdits& edits);

  /// Adds a row. The rows of a track must come in the order of its frames.
  void add(CameraIndex camera, const motion::TrackRow& row);
  /// Returns all tracks that were added. Valid while the collector exists.
  TracksToEdit tracks() const;

 private:
  // The places of the tracks in the frames of anchors.
  std::map<std::pair<CameraIndex, FrameNumber>, std::vector<TrackSpot>> places_;
  std::vector<FrameStretch> stretches_;
  std::map<TrackId, size_t> latest_;  // index of the latest stretch of each track
};

}  // namespace glint::output
