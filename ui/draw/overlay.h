// Draws the results of a frame over its image.
#pragma once

#include "ui/model/view_state.h"

struct ImDrawList;

namespace glint::ui {

/// Draws the marks of one camera's frame. `stale` marks are drawn faintly, because newer settings
/// or frames have replaced them. `selected` is a track of this camera. A gate is the area around a
/// track's expected place outside of which it takes no measurement. Returns the tracks whose
/// numbers are drawn: those in the view, or the nearest to the cursor if they are many.
std::vector<TrackId> drawOverlay(ImDrawList& list, const View& view, const CameraTracks& tracks,
                                 const OverlayOptions& options, std::optional<TrackId> selected,
                                 bool stale);

/// Draws rings around those of the chosen tracks that are in the frame.
void drawRings(ImDrawList& list, const View& view, const CameraTracks& tracks,
               const std::vector<Selection>& chosen, size_t camera);

/// Chooses how much larger uncertainties and gates are drawn than they are: 1, 2 or 5 times a power
/// of ten, so that most of them are larger than the circles of their markers. Keeps the previous
/// choice while it is suitable.
void enlarge(const View& view, const CameraTracks& tracks, OverlayOptions& options);

}  // namespace glint::ui
