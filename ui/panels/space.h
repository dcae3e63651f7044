// Space, seen from outside: floor, cameras with their images, points with trails and ellipsoids.
#pragma once

#include <optional>
#include <string>

#include "ui/context/context.h"

struct ImDrawList;

namespace glint::ui {

class SpaceCanvas;

/// Needs a rig.
class SpaceView {
 public:
  /// Before the two below in each picture, whether or not they are called in it.
  void begin();
  /// Draws space; drag, wheel and clicks act there.
  void draw(Context& context, const Rect& place);
  /// Draws into a camera's image: the selected point with its other rays, and the epipolar line of
  /// the marker that is under the mouse in another image.
  void drawInImage(const Context& context, size_t camera, ImDrawList& list);
  /// Tells tests what is seen.
  void describe(nlohmann::json& to) const;

 private:
  void drawRays(const WindowModel& model, const ViewState& looks, const SpaceCanvas& canvas);

  std::string words_;            // what is seen
  size_t rays_ = 0, lines_ = 0;  // drawn of the selected point, and in images
};

/// Selects the point of a marker in a camera's image, or none. With Ctrl it joins those that a body
/// is learned from, or leaves them.
void selectInSpace(const WindowModel& model, SpaceLooks& space, size_t camera,
                   std::optional<ImagePoint> marker);

}  // namespace glint::ui
