// The selected marker, magnified, and its numbers, in a corner of the views.
#pragma once

#include <optional>

#include <imgui.h>

#include "ui/context/context.h"

namespace glint::ui {

class SelectedCard {
 public:
  /// Draws it where the marker is not under it; PanelPlaces::card says where.
  void draw(Context& context);

 private:
  std::optional<Rect> placeBeside(const Context& context, const std::optional<Point>& marker,
                                  ImVec2 size);

  size_t corner_ = 0;  // of the views: upper left, upper right, lower ones
};

}  // namespace glint::ui
