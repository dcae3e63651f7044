// Summaries of the tracks of a whole recording, after the edits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/edit/edited_tracks.h"
#include "app/session/track_history.h"

namespace glint::shell {

/// The figures of one track in the table of all tracks.
struct TrackSummary {
  CameraIndex camera;
  TrackId track;
  std::string name = {};  ///< empty: the track has no name
  bool hidden = false;
  SetIndex first, last;  ///< the first and last set with a row
  uint64_t rows = 0;     ///< number of rows, measured and predicted
  uint64_t gaps = 0;     ///< number of gaps between stretches of rows
  /// Mean distance, px, of a measured row from the middle of the rows before and after it. It shows
  /// jitter and sharp turns. Empty if there are no three rows in a row.
  std::optional<double> residual = {};
  double path = 0;  ///< px, sum of the distances from row to row, also across gaps
  /// Number of the set of `anchor`.
  SetIndex anchorSet;
  output::TrackAnchor anchor;  ///< a measured row in the middle of its longest stretch
  std::vector<std::pair<SetIndex, SetIndex>> stretches = {};  ///< first and last set of each
};

/// Returns the tracks to which edits are applied: the finalised sets of the history so far, which
/// stays alive with them. If rows are not kept, edits match no track.
output::TracksToEdit tracksToEdit(std::shared_ptr<const session::TrackHistory> history);

/// Returns the track at this place, as apply() finds it, before any edits. Empty if there is none.
std::optional<TrackId> trackFoundAt(const session::TrackHistory& history,
                                    const output::TrackAnchor& at);

/// Returns the set in which a camera had the frame of this number; empty if that frame has no rows,
/// or does not exist.
std::optional<SetIndex> setOf(const session::TrackHistory& history, CameraIndex camera,
                              FrameNumber frame);

/// Returns summaries of all tracks that are not deleted, by camera and id, in the finalised sets
/// whose rows were kept. Takes time for each row.
std::vector<TrackSummary> summarise(const session::TrackHistory& history,
                                    const output::EditedTracks& edits);

/// Returns the row of an edited track in a set; null if there is none. It lives as long as `frame`.
const motion::TrackRow* rowOf(const session::HistoryFrame& frame, const output::EditedTracks& edits,
                              TrackId track);

/// Returns the place by which a track is found again, to 0.001 px.
output::TrackAnchor anchorAt(CameraIndex camera, const motion::TrackRow& row);

}  // namespace glint::shell
