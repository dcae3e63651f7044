// The pixels that a mask ignores, drawn over the image.
#pragma once

#include <optional>
#include <vector>

#include <imgui.h>

#include "app/shell/desk/mask_canvas.h"
#include "ui/model/view.h"

namespace glint::ui {

/// The ignored pixels of one canvas as rectangles, which are made again when the canvas has
/// changed. Main thread.
class MaskOverlay {
 public:
  void draw(ImDrawList& list, const View& view, const shell::MaskCanvas& mask, ImU32 colour);

 private:
  /// The pixels `left` to `right` - 1 of the rows `top` to `bottom` - 1.
  struct Block {
    uint32_t left, right, top, bottom;
  };
  void cut(const shell::MaskCanvas& mask);

  std::optional<uint64_t> revision_;  // revision of the canvas from which blocks_ were made
  std::vector<Block> blocks_;
};

}  // namespace glint::ui
