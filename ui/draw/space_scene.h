// What the 3D view draws, and what a place in space is in the images of the rig's cameras.
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

/// Where up is, and how high the floor lies along it (mm): the rig's own where it has been given an
/// origin with an axis up, else guessed from how its cameras stand.
struct Floor {
  Eigen::Vector3d up;
  double height = 0;
};
Floor floorOf(const motion::SpaceRig& rig);

/// Draws in a rectangle of the window.
class SpaceCanvas {
 public:
  SpaceCanvas(ImDrawList& list, const shell::Orbit& orbit, const Rect& place)
      : list_(list), orbit_(orbit), place_(place) {}

  ImVec2 at(const shell::Orbit::Image& image) const;
  void line(const Eigen::Vector3d& from, const Eigen::Vector3d& to, ImU32 colour,
            float thickness) const;
  /// Squares on the floor about a point; gives their side, mm.
  double floor(const Floor& floor, const Eigen::Vector3d& about) const;
  /// The pyramid of what a camera sees, `length` mm deep.
  void camera(const motion::SpaceCamera& camera, double length, ImU32 colour) const;
  /// The three principal sections of an ellipsoid with these axes' standard deviations, `times` as
  /// large.
  void ellipsoid(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance, double times,
                 ImU32 colour) const;

 private:
  ImDrawList& list_;
  const shell::Orbit& orbit_;
  Rect place_;
};

/// Corners of a camera's image at this depth (mm): upper left, upper right, lower right, lower
/// left; distortion aside.
std::array<Eigen::Vector3d, 4> imageCorners(const motion::SpaceCamera& camera, double depth);

/// From px of the window to px of a camera's image that stands at this depth in space, as
/// PaintedImage::warp takes it; empty where part of it is not before the eye.
std::optional<std::array<float, 9>> warpOf(const motion::SpaceCamera& camera, double depth,
                                           const shell::Orbit& orbit, const Rect& place,
                                           double scale);

/// What another camera's ray is in the image of `camera`: px, in order; pieces end with a NaN.
std::vector<ImagePoint> rayInImage(const motion::SpaceRig& rig, size_t camera,
                                   const Eigen::Vector3d& origin, const Eigen::Vector3d& direction);

/// The point that is nearest to a place in a camera's image, `reach` px away at most, and seen by
/// it.
std::optional<uint64_t> pointAt(const motion::SpaceRig& rig,
                                const std::vector<motion::SpaceRow>& points, size_t camera,
                                ImagePoint at, double reach);

inline ImU32 colourOfPoint(uint64_t point) {
  return colourOfTrack(TrackId(point));
}

}  // namespace glint::ui
