// The shapes that stand for what was found: one at a place of the image, over it.
#pragma once

#include "ui/model/view_state.h"

struct ImDrawList;

namespace glint::ui {

/// Where a place of the image is, px of the window.
ImVec2 onScreen(const View& view, double x, double y);
/// Of the circle around a marker of this radius, px of the window.
float circleRadius(const View& view, double radius);
/// Of a line, px: one of a whole number of them is as wide everywhere.
float lineWidth(float points);

/// The newest end is the strongest.
void drawTrail(ImDrawList& list, const View& view, const std::vector<TrailPoint>& trail,
               ImU32 colour, float opacity);
/// A circle with a cross, dashed where it is predicted.
void drawTracked(ImDrawList& list, const View& view, const motion::TrackRow& row, bool chosen,
                 float opacity);
/// Not of a confirmed track: four corners about it.
void drawUntracked(ImDrawList& list, const View& view, const shared::Detection& seen,
                   float opacity);
void drawRejected(ImDrawList& list, const View& view, const gpu::Rejected& rejected, float opacity);
/// An ellipse along the axes.
void drawUncertainty(ImDrawList& list, const View& view, const motion::TrackRow& row,
                     double enlarged, float opacity);
void drawGate(ImDrawList& list, const View& view, const shared::Prediction& gate, double enlarged);

}  // namespace glint::ui
