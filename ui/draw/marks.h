// The shapes that mark what was found, drawn over the image.
#pragma once

#include <imgui.h>

#include "ui/model/view_state.h"

namespace glint::ui {

/// Returns where a place of the image, px, is in the window, px.
ImVec2 onScreen(const View& view, double x, double y);
/// Returns the radius, px of the window, of the circle around a marker whose radius is given in px
/// of the image.
float circleRadius(const View& view, double radius);
/// Returns the thickness of a line, px. It is a whole number, so that the line is equally thick
/// everywhere.
float lineWidth(float points);

/// Draws a trail that fades from its newest end.
void drawTrail(ImDrawList& list, const View& view, const std::vector<TrailPoint>& trail,
               ImU32 colour, float opacity);
/// Draws a circle with a cross, or a dashed circle if the track was predicted.
void drawTracked(ImDrawList& list, const View& view, const motion::TrackRow& row, ImU32 colour,
                 bool chosen, float opacity);
/// Draws four corners around a marker that belongs to no confirmed track.
void drawUntracked(ImDrawList& list, const View& view, const shared::Detection& seen,
                   float opacity);
void drawRejected(ImDrawList& list, const View& view, const gpu::Rejected& rejected, float opacity);
/// Draws the standard deviations of a position, `enlarged` times as large, as an ellipse along the
/// image's axes.
void drawUncertainty(ImDrawList& list, const View& view, const motion::TrackRow& row,
                     double enlarged, float opacity);
void drawGate(ImDrawList& list, const View& view, const shared::Prediction& gate, ImU32 colour,
              double enlarged);

}  // namespace glint::ui
