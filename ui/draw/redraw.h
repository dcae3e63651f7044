// Which parts of a picture are drawn again. On a CPU every pixel costs, and most of a window stays
// as it is while a recording plays.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/model/view.h"

struct ImDrawData;

namespace glint::ui {

struct Scene;

/// Something that a picture holds, and where. px of the framebuffer.
struct DrawnPart {
  uint64_t contents = 0;  ///< a hash; 0: not to be compared
  Rect bounds;            ///< that it draws within, whole px
};
/// The images, then each of ImGui's lists, in the order in which they are drawn: a part for each of
/// a list's commands.
using Drawn = std::vector<std::vector<DrawnPart>>;

Drawn drawnOf(const Scene& scene, const ImDrawData& data);

/// Where a picture that holds `before` differs from `now`: whole px, none over another.
std::vector<Rect> changedParts(const Drawn& before, const Drawn& now, const Rect& whole);

/// Leaves of `data` what lies in `parts`.
void clipTo(ImDrawData& data, const std::vector<Rect>& parts);

/// Returns the parts of `r` that lie beyond `hole`, none over another.
std::vector<Rect> without(const Rect& r, const Rect& hole);

/// Whole px: what a scissor of `r` leaves.
Rect scissorOf(const Rect& r);

}  // namespace glint::ui
