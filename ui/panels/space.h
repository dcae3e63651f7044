// The view of space from outside: floor, cameras with their images, and points with trails and
// ellipsoids.
#pragma once

#include <optional>
#include <string>

#include "ui/context/context.h"

struct ImDrawList;

namespace glint::ui {

class SpaceCanvas;

/// The 3D view. It needs a rig.
class SpaceView {
 public:
  /// Forgets the previous picture. Call it in each picture before the two functions below, even if
  /// they are not called.
  void begin();
  /// Draws space into `place`, and handles drags, the wheel and clicks there.
  void draw(Context& context, const Rect& place);
  /// Draws into a camera's image: the rays of other cameras to the selected point, and the epipolar
  /// line of the marker under the mouse in another image.
  void drawInImage(const Context& context, size_t camera, ImDrawList& list);
  /// Writes what is seen into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void drawRays(const WindowModel& model, const ViewState& viewState, const SpaceCanvas& canvas);

  std::string words_;  // words about what is seen
  std::string bar_;    // length of the scale bar, in words
  // Numbers of rays to the selected point, and of lines in images, that were drawn.
  size_t rays_ = 0, lines_ = 0;
};

/// Selects a point. With Ctrl, the point joins the group or leaves it; the selected point begins
/// the group.
void selectPoint(SpaceViewState& space, std::optional<uint64_t> point, bool withCtrl);

/// Selects the point of a marker in a camera's image; without a marker or a point, selects none.
/// With Ctrl, adds the point to those from which a body is learned, or removes it from them.
void selectInSpace(const WindowModel& model, SpaceViewState& space, size_t camera,
                   std::optional<ImagePoint> marker);

}  // namespace glint::ui
