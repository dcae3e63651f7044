#include "app/motion/space/camera_move_detector.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "app/base/quantile.h"

namespace glint::motion {

std::string CameraMove::words() const {
  if (atFirst)
    return fmt::format("camera {} stands about {:.1g} degrees from where the rig says", camera,
                       degrees);
  return fmt::format("camera {} moved by about {:.1g} degrees since frame {}", camera, degrees,
                     since);
}

void CameraMoveDetector::add(size_t camera, uint64_t frame, const DotIndex& dots,
                             const Eigen::Vector3d& point, const Eigen::Vector2d& at) {
  Eigen::Vector2d nearest(0, 0);
  double least = options_.dotReach;
  dots.near(camera, at, options_.dotReach, [&](size_t dot) {
    const Eigen::Vector2d off = dots.of(camera)[dot].pixel - at;
    if (off.norm() < least) least = off.norm(), nearest = off;
  });
  if (least < options_.dotReach)
    cameras_[camera].window.push_back({frame, nearest, at + nearest, point});
}

std::vector<CameraMove> CameraMoveDetector::moves(const SpaceRig& rig) {
  std::vector<CameraMove> moves;
  for (size_t c = 0; c < cameras_.size(); ++c) {
    Camera& own = cameras_[c];
    if (own.window.size() < options_.window) continue;
    const std::vector<CameraOffset> window = std::exchange(own.window, {});
    const auto middleOf = [&](int axis) {
      std::vector<double> all;
      for (const CameraOffset& offset : window) all.push_back(offset.by[axis]);
      return base::medianOf(std::move(all));
    };
    const Eigen::Vector2d now(middleOf(0), middleOf(1));
    const auto isNear = [&](const CameraOffset& offset) {
      return (offset.by - now).norm() < options_.together;
    };
    const auto together = std::count_if(window.begin(), window.end(), isNear);
    if (2 * static_cast<size_t>(together) < window.size()) {
      own.unsure = window;
      continue;
    }
    std::vector<CameraOffset> since = std::exchange(own.unsure, {});
    since.insert(since.end(), window.begin(), window.end());
    if (!own.usual) {
      own.asideAtFirst = now.norm();
      own.wrong =
          rig.corrects() && rig.size() >= options_.minCameras && own.asideAtFirst >= options_.moved;
      own.usual = own.wrong ? Eigen::Vector2d(0, 0) : now;
    }
    const Eigen::Vector2d off = now - *own.usual;
    if (off.norm() < options_.moved) {
      own.moved.reset();
      continue;
    }
    if (!own.moved || (own.moved->by - now).norm() > options_.together) {
      const auto first = std::find_if(since.begin(), since.end(), isNear);
      own.moved = Moved{first == since.end() ? window.front().frame : first->frame, now};
      continue;
    }
    // A camera in a wrong place pulls the points that it helps to locate. Therefore other cameras
    // see offsets, too, which are a share of its own.
    const bool clear = std::all_of(cameras_.begin(), cameras_.end(), [&](const Camera& other) {
      return &other == &own || other.asideAtFirst < options_.othersShare * own.asideAtFirst;
    });
    if (own.wrong && !clear) {
      own.usual = now;
      own.wrong = false;
      own.moved.reset();
      continue;
    }
    const Lens& lens = rig[c].camera().lens;
    moves.push_back(
        {.camera = c,
         .since = own.moved->since,
         .atFirst = std::exchange(own.wrong, false),
         .by = now,
         .degrees = std::atan(off.norm() / ((lens.fx + lens.fy) / 2)) * 180 / std::numbers::pi,
         .seen = window});
    own.usual = now;
    own.moved.reset();
  }
  return moves;
}

}  // namespace glint::motion
