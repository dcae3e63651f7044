#include "app/space/camera_watch.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace glint {
namespace {

constexpr double kReach = 40;    // px, as far as a dot is taken for the point's
constexpr size_t kWindow = 150;  // offsets
constexpr double kTogether = 1;  // px: so near to the median lie most, where that means anything
constexpr double kMoved = 1;     // px, from what was usual

}  // namespace

void CameraWatch::add(size_t camera, uint64_t frame, const DotIndex& dots,
                      const Eigen::Vector2d& at) {
  Eigen::Vector2d nearest(0, 0);
  double least = kReach;
  dots.near(camera, at, kReach, [&](size_t dot) {
    const Eigen::Vector2d off = dots.of(camera)[dot].pixel - at;
    if (off.norm() < least) least = off.norm(), nearest = off;
  });
  if (least < kReach) cameras_[camera].window.push_back({frame, nearest});
}

std::vector<std::string> CameraWatch::notes(const SpaceRig& rig) {
  std::vector<std::string> notes;
  for (size_t c = 0; c < cameras_.size(); ++c) {
    Camera& own = cameras_[c];
    if (own.window.size() < kWindow) continue;
    const std::vector<Offset> window = std::exchange(own.window, {});
    const auto middleOf = [&](int axis) {
      std::vector<double> all;
      for (const Offset& offset : window) all.push_back(offset.by[axis]);
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
      std::nth_element(all.begin(), middle, all.end());
      return *middle;
    };
    const Eigen::Vector2d now(middleOf(0), middleOf(1));
    const auto together = std::count_if(window.begin(), window.end(), [&](const Offset& offset) {
      return (offset.by - now).norm() < kTogether;
    });
    if (2 * static_cast<size_t>(together) < window.size()) {
      own.unsure = window;
      continue;
    }
    std::vector<Offset> since = std::exchange(own.unsure, {});
    since.insert(since.end(), window.begin(), window.end());
    if (!own.usual) own.usual = now;
    const Eigen::Vector2d off = now - *own.usual;
    if (off.norm() < kMoved) {
      own.moved.reset();
      continue;
    }
    if (!own.moved || (own.moved->by - now).norm() > kTogether) {
      const auto first = std::find_if(since.begin(), since.end(), [&](const Offset& offset) {
        return (offset.by - now).norm() < kTogether;
      });
      own.moved = Offset{first == since.end() ? window.front().frame : first->frame, now};
      continue;
    }
    const Lens& lens = rig[c].camera().lens;
    notes.push_back(
        fmt::format("camera {} moved by about {:.1g} degrees since frame {}; calibrate again", c,
                    std::atan(off.norm() / ((lens.fx + lens.fy) / 2)) * 180 / std::numbers::pi,
                    own.moved->frame));
    own.usual = now;
    own.moved.reset();
  }
  return notes;
}

}  // namespace glint
