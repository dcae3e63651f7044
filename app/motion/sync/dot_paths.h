// The dots of one camera, followed from frame to frame, so that they have a place at any time.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace glint::motion {

/// The dots of a frame, px, and its time on the camera's own clock, s.
struct DotFrame {
  double time = 0;
  std::vector<Eigen::Vector2d> dots;
};

/// The place of a dot at some time, px, and its velocity, px/s.
struct PathPlace {
  Eigen::Vector2d at, velocity;
};

struct DotPathOptions {
  /// Maximum distance of a dot in the next frame from where its motion so far predicts it, as a
  /// share of `scale`. Raising it follows faster dots, and mixes up more dots.
  double reach = 0.06;
  /// Maximum interval between two frames, in median intervals. Raising it follows dots across more
  /// missing frames, with larger errors of the places between them.
  double longest = 1.6;
};

class DotPaths {
 public:
  /// `frames` must be sorted by time. `scale` is the length of the image's diagonal, px.
  DotPaths(std::vector<DotFrame> frames, double scale, const DotPathOptions& options = {});

  const std::vector<DotFrame>& frames() const { return frames_; }
  /// Returns the median interval between frames, s, or 0 if there are fewer than two.
  double interval() const { return interval_; }
  /// Returns the length of the image's diagonal, px.
  double scale() const { return scale_; }

  /// Returns the places of all dots at a time between two frames. They lie on a polynomial through
  /// the dot's places in up to four frames around. Dots that are not followed to the next frame are
  /// left out.
  std::vector<PathPlace> at(double time) const;

  /// Returns the median speed of the dots between each frame and the next one, px/s; a negative
  /// number if none is followed.
  std::vector<double> speeds() const;

 private:
  void link(size_t frame, double reach);

  std::vector<DotFrame> frames_;
  // For each dot of each frame, its index in the next and in the previous frame, or -1.
  std::vector<std::vector<int>> next_, previous_;
  double interval_ = 0, scale_, longest_;
};

}  // namespace glint::motion
