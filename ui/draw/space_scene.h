// The contents of the 3D view, and the places of points in space in the images of the rig's
// cameras.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <imgui.h>

#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_row.h"
#include "app/shell/desk/orbit.h"
#include "ui/draw/style.h"
#include "ui/model/view.h"

namespace glint::ui {

/// The direction that is up, and the height of the floor along it, mm. Up is the axis of the world
/// that is nearest to what the cameras show as up. The floor goes through the origin. If up points
/// along a negative axis, the world is the first camera's own, and the height is guessed from where
/// the cameras look.
struct Floor {
  Eigen::Vector3d up;
  double height = 0;
};
Floor floorOf(const motion::SpaceRig& rig);

/// A rectangle of the window into which lines in space are drawn.
class SpaceCanvas {
 public:
  SpaceCanvas(ImDrawList& list, const shell::Orbit& orbit, const Rect& place)
      : list_(list), orbit_(orbit), place_(place) {}

  ImVec2 at(const shell::Orbit::Image& image) const;
  void line(const Eigen::Vector3d& from, const Eigen::Vector3d& to, ImU32 colour,
            float thickness) const;
  /// Draws squares on the floor around a point. Returns the side of a square, mm.
  double floor(const Floor& floor, const Eigen::Vector3d& about) const;
  /// Draws the pyramid of space that a camera sees, `length` mm deep.
  void camera(const motion::SpaceCamera& camera, double length, ImU32 colour) const;
  /// Draws an ellipsoid as the ellipses through pairs of its axes. The axes are `times` standard
  /// deviations long.
  void ellipsoid(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance, double times,
                 ImU32 colour) const;

 private:
  ImDrawList& list_;
  const shell::Orbit& orbit_;
  Rect place_;
};

/// Returns the corners of a camera's image that is placed at this depth (mm) in front of the
/// camera: upper left, upper right, lower right, lower left. Ignores distortion.
std::array<Eigen::Vector3d, 4> imageCorners(const motion::SpaceCamera& camera, double depth);

/// Returns the matrix from px of the framebuffer to px of a camera's image that is placed at this
/// depth (mm) in space, as PaintedImage::warp takes it. `scale` is the number of px of the
/// framebuffer for each px of `place`. Empty if a part of the image is not in front of the eye.
std::optional<std::array<float, 9>> warpOf(const motion::SpaceCamera& camera, double depth,
                                           const shell::Orbit& orbit, const Rect& place,
                                           double scale);

/// Returns the line, px, that the ray of another camera draws in the image of `camera`. Pieces of
/// it are separated by a NaN.
std::vector<ImagePoint> rayInImage(const motion::SpaceRig& rig, size_t camera,
                                   const Eigen::Vector3d& origin, const Eigen::Vector3d& direction);

/// Returns the point that is nearest to a place in a camera's image; empty if none that the camera
/// sees is within `reach` px.
std::optional<uint64_t> pointAt(const motion::SpaceRig& rig,
                                const std::vector<motion::SpaceRow>& points, size_t camera,
                                ImagePoint at, double reach);

inline ImU32 colourOfPoint(uint64_t point) {
  return colourOfTrack(TrackId(point));
}

}  // namespace glint::ui
