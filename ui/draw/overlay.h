// Draws the results of a frame over its image.
#pragma once

#include "ui/model/view_state.h"

struct ImDrawList;

namespace glint::ui {

/// `stale`: drawn as what no longer counts. `selected`: a track of this camera. Gates are where
/// tracks were expected, each so large that beyond it no measurement is taken. Gives the tracks
/// that are numbered: those in the view, of many the nearest to the cursor.
std::vector<TrackId> drawOverlay(ImDrawList& list, const View& view, const CameraTracks& tracks,
                                 const OverlayOptions& options, std::optional<TrackId> selected,
                                 bool stale);

/// Rings around those of these tracks that are in the frame.
void drawRings(ImDrawList& list, const View& view, const CameraTracks& tracks,
               const std::vector<Selection>& chosen, size_t camera);

/// Chooses how much larger uncertainties and gates are drawn than they are: 1, 2 or 5 times a power
/// of ten, so that most of them are larger than the circles of their markers. What was chosen
/// before is kept while that will do.
void enlarge(const View& view, const CameraTracks& tracks, OverlayOptions& options);

}  // namespace glint::ui
