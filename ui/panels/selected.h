// The card of the selected marker at an edge of the views: the marker, magnified, and its numbers.
#pragma once

#include <optional>

#include <imgui.h>

#include "ui/context/context.h"

namespace glint::ui {

class SelectedCard {
 public:
  /// Draws the card where it covers no marker, or as few as possible. Writes its place into
  /// PanelPlaces::card.
  void draw(Context& context);

 private:
  /// A place for the card.
  struct Choice {
    size_t index = 0;    ///< its number among the possible places
    size_t covered = 0;  ///< number of markers that the card covers there
    Rect place;
  };
  std::optional<Choice> placeBeside(const Context& context, const std::optional<Point>& marker,
                                    ImVec2 size) const;

  size_t place_ = 0;  // number of the place where the card was last
};

}  // namespace glint::ui
