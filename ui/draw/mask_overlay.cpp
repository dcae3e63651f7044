#include "ui/draw/mask_overlay.h"

#include <algorithm>
#include <map>
#include <utility>

namespace glint::ui {

/// Divides the ignored pixels into runs in each row. Runs of neighbouring rows that begin and end
/// alike form one block.
void MaskOverlay::cut(const shell::MaskCanvas& mask) {
  blocks_.clear();
  // Indices of blocks, found by the left and right end of their runs.
  std::map<std::pair<uint32_t, uint32_t>, size_t> above, here;
  for (uint32_t y = 0; y < mask.height() && mask.ignored() > 0; ++y) {
    here.clear();
    for (uint32_t x = 0; x < mask.width(); ++x) {
      if (mask.measured(x, y)) continue;
      const uint32_t left = x;
      while (x < mask.width() && !mask.measured(x, y)) ++x;
      const auto same = above.find({left, x});
      const size_t block = same == above.end() ? blocks_.size() : same->second;
      if (same == above.end()) blocks_.push_back({left, x, y, y});
      blocks_[block].bottom = y + 1;
      here[{left, x}] = block;
    }
    std::swap(above, here);
  }
}

void MaskOverlay::draw(ImDrawList& list, const View& view, const shell::MaskCanvas& mask,
                       ImU32 colour) {
  if (revision_ != mask.revision()) cut(mask);
  revision_ = mask.revision();
  const Rect seen = view.visible();
  for (const Block& block : blocks_) {
    const Point from = view.toScreen({block.left - 0.5, block.top - 0.5});
    const Point to = view.toScreen({block.right - 0.5, block.bottom - 0.5});
    const float left = std::max(from.x, seen.x), top = std::max(from.y, seen.y);
    const float right = std::min(to.x, seen.x + seen.width);
    const float bottom = std::min(to.y, seen.y + seen.height);
    if (left < right && top < bottom) list.AddRectFilled({left, top}, {right, bottom}, colour);
  }
}

}  // namespace glint::ui
