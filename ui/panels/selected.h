// The card of the selected marker in a corner of the views: the marker, magnified, and its numbers.
#pragma once

#include <optional>

#include <imgui.h>

#include "ui/context/context.h"

namespace glint::ui {

class SelectedCard {
 public:
  /// Draws the card in a corner where it does not cover the marker. Writes its place into
  /// PanelPlaces::card.
  void draw(Context& context);

 private:
  std::optional<Rect> placeBeside(const Context& context, const std::optional<Point>& marker,
                                  ImVec2 size);

  size_t corner_ = 0;  // number of the corner: upper left, upper right, lower left, lower right
};

}  // namespace glint::ui
