// The parts of a picture that are drawn again. On a CPU every pixel costs time, and most of a
// window stays the same while a recording plays.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/model/view.h"

struct ImDrawData;

namespace glint::ui {

struct Scene;

/// A part of a picture: its content, and the area in which it is drawn.
struct DrawnPart {
  uint64_t contents = 0;  ///< a hash of the content; 0: never equal to another
  Rect bounds;            ///< the area in which the part is drawn, whole px of the framebuffer
};
/// The content of a picture in the order in which it is drawn: first the images, then each of
/// ImGui's lists, with one part for each command of the list.
using Drawn = std::vector<std::vector<DrawnPart>>;

/// Returns the content of the picture that `scene` and `data` describe.
Drawn drawnOf(const Scene& scene, const ImDrawData& data);

/// Returns the areas in which a picture that contains `before` differs from `now`: whole px,
/// without overlap.
std::vector<Rect> changedParts(const Drawn& before, const Drawn& now, const Rect& whole);

/// Reduces `data` to what lies in `parts`.
void clipTo(ImDrawData& data, const std::vector<Rect>& parts);

/// Returns the parts of `r` outside of `hole`, without overlap.
std::vector<Rect> without(const Rect& r, const Rect& hole);

/// Returns the area, in whole px, to which the scissor `r` limits drawing.
Rect scissorOf(const Rect& r);

}  // namespace glint::ui
