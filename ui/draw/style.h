// The colours, sizes and font of the window.
#pragma once

#include <array>

#include <imgui.h>

#include "app/output/pictures/track_colours.h"
#include "config/numbers.h"
#include "ui/model/view.h"

namespace glint::ui {

inline constexpr ImU32 kText = IM_COL32(226, 230, 236, 255);
inline constexpr ImU32 kFaint = IM_COL32(138, 146, 158, 255);
inline constexpr ImU32 kAccent = IM_COL32(86, 180, 233, 255);
inline constexpr ImU32 kRecord = IM_COL32(229, 72, 77, 255);
inline constexpr ImU32 kWarning = IM_COL32(240, 178, 50, 255);
inline constexpr ImU32 kUntracked = IM_COL32(235, 235, 235, 255);
inline constexpr ImU32 kRejected = IM_COL32(213, 94, 0, 255);

/// Returns the colour of a track, the same as in pictures and videos.
inline ImU32 colourOfTrack(TrackId track) {
  const output::Colour colour = output::colourOf(track);
  return IM_COL32(colour.red, colour.green, colour.blue, 255);
}

/// Green, yellow, orange and red, in the order of Light.
inline constexpr std::array<ImU32, 4> kLights{
    IM_COL32(70, 190, 110, 255), IM_COL32(240, 210, 60, 255), IM_COL32(240, 130, 40, 255), kRecord};

/// Returns the colour with a share (0 to 1) of its own opacity.
inline ImU32 withAlpha(ImU32 colour, float share) {
  const auto alpha = static_cast<float>(colour >> IM_COL32_A_SHIFT & 0xff) * share;
  return (colour & ~IM_COL32_A_MASK) | (static_cast<ImU32>(alpha + 0.5F) << IM_COL32_A_SHIFT);
}

/// Returns the px of the screen for each point, as given to applyStyle().
float unit();
/// Returns a number of points in px, rounded to whole ones, for placing texts and images.
float wholePx(float points);

/// Sets colours, sizes and the font for a screen of `scale` px a point. Call it before the renderer
/// is created.
void applyStyle(float scale);

/// Return the corners of a rectangle as ImGui takes them.
inline ImVec2 upperLeft(const Rect& r) {
  return {r.x, r.y};
}
inline ImVec2 lowerRight(const Rect& r) {
  return {r.x + r.width, r.y + r.height};
}

}  // namespace glint::ui
