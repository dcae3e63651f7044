// The tracks of a whole recording, a line each, as they are edited.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/edit/edited_tracks.h"
#include "app/session/track_history.h"

namespace glint::shell {

struct TrackSummary {
  CameraIndex camera;
  TrackId track;
  std::string name = {};  ///< or empty
  bool hidden = false;
  SetIndex first, last;  ///< with a row
  uint64_t rows = 0;     ///< measured and predicted ones
  uint64_t gaps = 0;     ///< stretches without a row between them
  /// Mean distance of a measured row from the middle of the rows before and after it, px: jitter,
  /// and sharp turns. Empty where no three rows follow each other.
  std::optional<double> residual = {};
  double path = 0;             ///< px, from row to row, over gaps, too
  SetIndex anchorSet;          ///< of `anchor`
  output::TrackAnchor anchor;  ///< a measured row in the middle of its longest stretch
  std::vector<std::pair<SetIndex, SetIndex>> stretches = {};  ///< first and last set of each
};

/// What edits of `history`'s recording are applied to: its finalised sets so far. Keeps it alive.
/// Where rows are not kept, edits match no track.
output::TracksToEdit tracksToEdit(std::shared_ptr<const session::TrackHistory> history);

/// The track that was found at this place, as apply() seeks it; not edited.
std::optional<TrackId> trackFoundAt(const session::TrackHistory& history,
                                    const output::TrackAnchor& at);

/// The set in which a camera had the frame of this number; empty where it has no rows, or is none.
std::optional<SetIndex> setOf(const session::TrackHistory& history, CameraIndex camera,
                              FrameNumber frame);

/// Of all tracks that are not deleted in the finalised sets whose rows were kept, by camera and id.
/// Takes time for each row.
std::vector<TrackSummary> summarise(const session::TrackHistory& history,
                                    const output::EditedTracks& edits);

/// The row of an edited track in a set, or null; lives as long as `frame`.
const motion::TrackRow* rowOf(const session::HistoryFrame& frame, const output::EditedTracks& edits,
                              TrackId track);

/// A place that says which track is meant, to 0.001 px.
output::TrackAnchor anchorAt(CameraIndex camera, const motion::TrackRow& row);

}  // namespace glint::shell
