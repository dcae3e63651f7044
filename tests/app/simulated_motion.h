// Simulates markers that move at random in an image, as a detector would report them, with the
// truth.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/motion/track/samples.h"

namespace glint::test {

/// A description of simulated markers.
struct Scene {
  int markers = 30;
  double meanStep = 6;  ///< The mean step, px per frame.
  int frames = 600;
  unsigned seed = 1;
  /// The number of frames in which a velocity is forgotten; two such filters follow each other.
  double memory = 10;
  double missRate = 0.02;         ///< The probability that a single detection is missing.
  double occlusionRate = 0.004;   ///< The probability of an occlusion, per marker and frame.
  int shortest = 2, longest = 8;  ///< The range of an occlusion's length, frames.
  double noise = 0.05;            ///< The noise of each coordinate, px.
  int clutter = 0;  ///< The number of false detections per frame, uniformly over the image.
  /// If two markers are nearer to each other than this (px), the dimmer one is not detected.
  double mergeDistance = 0;
  double width = 1280, height = 720;
  double fps = 60;
  /// The number of parts of a frame interval in which the motion is computed. Jitter is a whole
  /// number of parts.
  int slices = 1;
  /// The largest jitter in slices, uniform to both sides. It must be less than half of `slices`.
  int jitter = 0;
  /// The probability per frame that 1 to 3 frames are lost, together with their numbers.
  double dropRate = 0;
};

/// The observations of a detector in each frame, with the true places of the markers.
struct Recording {
  std::vector<std::vector<motion::Observation>> frames;
  /// The numbers of the frames. Those of dropped frames are missing.
  std::vector<uint64_t> numbers;
  std::vector<double> times;  ///< s
  std::vector<motion::Sample> truth;
};

/// A simulation of the markers of a scene.
class Simulation {
 public:
  explicit Simulation(const Scene& scene) : scene_(scene), random_(scene.seed) {
    // Two equal first-order low-pass filters in a row make velocities smooth.
    scene_.meanStep /= scene.slices;
    scene_.memory *= scene.slices;
    scene_.occlusionRate /= scene.slices;
    const double keep = std::exp(-1 / scene_.memory);
    const double speed = kWiden * scene_.meanStep / std::sqrt(std::numbers::pi / 2);
    const double k2 = keep * keep;
    kick_ = speed * std::sqrt(std::pow(1 - k2, 3) / (1 + k2));
    for (int m = 0; m < scene.markers; ++m) {
      Marker marker;
      marker.x = {uniform(0, scene.width), 0, 0};
      marker.y = {uniform(0, scene.height), 0, 0};
      marker.mass = 500 * std::exp(uniform(0, 2));
      marker.radius = uniform(2, 4);
      markers_.push_back(marker);
    }
    // The markers move until their speeds have their usual distribution.
    for (int i = 0; i < 100 * scene.slices; ++i) move();
  }

  Recording record() {
    Recording recording;
    int lost = 0;
    for (int f = 0, slice = 0; f < scene_.frames; ++f) {
      if (scene_.dropRate > 0 && uniform(0, 1) < scene_.dropRate)
        lost = static_cast<int>(uniform(1, 4));
      if (lost-- > 0) continue;
      const int late = scene_.jitter > 0
                           ? static_cast<int>(uniform(0, 2 * scene_.jitter + 1)) - scene_.jitter
                           : 0;
      for (const int end = (f + 1) * scene_.slices + late; slice < end; ++slice) move();
      recording.numbers.push_back(static_cast<uint64_t>(f));
      recording.times.push_back(slice / (scene_.slices * scene_.fps));
      recording.frames.push_back(observe(static_cast<uint32_t>(f), recording.truth));
    }
    return recording;
  }

 private:
  // The 99th percentile of the steps is 2.1 times their mean, as for limbs, whose speed is bounded,
  // and not as for a gas. Steps approach kSoftLimit times the mean. kWiden makes up for what this
  // limit takes from the mean.
  static constexpr double kSoftLimit = 4;
  static constexpr double kWiden = 1.05;

  struct Axis {
    double position = 0, velocity = 0, drive = 0;
  };
  struct Marker {
    Axis x, y;
    double mass = 0, radius = 0;
    int occluded = 0;  // The number of frames for which it stays hidden.
  };

  double uniform(double a, double b) { return std::uniform_real_distribution(a, b)(random_); }
  double normal(double sigma) { return sigma * std::normal_distribution<double>()(random_); }

  void accelerate(Axis& axis) {
    const double keep = std::exp(-1 / scene_.memory);
    axis.drive = keep * axis.drive + normal(kick_);
    axis.velocity = keep * axis.velocity + axis.drive;
  }

  static void advance(Axis& axis, double slowed, double size) {
    axis.position += axis.velocity * slowed;
    if (axis.position >= 0 && axis.position <= size) return;
    axis.position = axis.position < 0 ? -axis.position : 2 * size - axis.position;
    axis.velocity = -axis.velocity;
    axis.drive = -axis.drive;
  }

  void move() {
    for (Marker& marker : markers_) {
      accelerate(marker.x);
      accelerate(marker.y);
      const double excess =
          std::hypot(marker.x.velocity, marker.y.velocity) / (kSoftLimit * scene_.meanStep);
      const double slowed = 1 / std::sqrt(1 + excess * excess);
      advance(marker.x, slowed, scene_.width);
      advance(marker.y, slowed, scene_.height);
      if (marker.occluded > 0)
        --marker.occluded;
      else if (uniform(0, 1) < scene_.occlusionRate)
        marker.occluded =
            static_cast<int>(uniform(scene_.shortest, scene_.longest + 1)) * scene_.slices;
    }
  }

  bool merged(const Marker& marker) const {
    if (scene_.mergeDistance <= 0) return false;
    for (const Marker& other : markers_)
      if (other.mass > marker.mass && other.occluded == 0 &&
          std::hypot(other.x.position - marker.x.position, other.y.position - marker.y.position) <
              scene_.mergeDistance)
        return true;
    return false;
  }

  std::vector<motion::Observation> observe(uint32_t frame, std::vector<motion::Sample>& truth) {
    std::vector<motion::Observation> seen;
    for (size_t m = 0; m < markers_.size(); ++m) {
      const Marker& marker = markers_[m];
      const bool visible = marker.occluded == 0;
      truth.push_back({marker.x.position, marker.y.position, m, frame, 0, visible});
      if (visible && !merged(marker) && uniform(0, 1) >= scene_.missRate)
        seen.push_back(detection(marker.x.position, marker.y.position, marker.mass, marker.radius));
    }
    for (int c = 0; c < scene_.clutter; ++c)
      seen.push_back(detection(uniform(0, scene_.width), uniform(0, scene_.height),
                               500 * std::exp(uniform(0, 2)), uniform(2, 4)));
    return seen;
  }

  motion::Observation detection(double x, double y, double mass, double radius) {
    motion::Observation seen;
    seen.x = x + normal(scene_.noise);
    seen.y = y + normal(scene_.noise);
    seen.sigmaX = seen.sigmaY = scene_.noise;
    seen.mass = mass * std::exp(normal(0.1));
    seen.radius = radius * std::exp(normal(0.05));
    return seen;
  }

  Scene scene_;
  std::mt19937_64 random_;
  double kick_ = 0;
  std::vector<Marker> markers_;
};

inline Recording simulate(const Scene& scene) {
  return Simulation(scene).record();
}

}  // namespace glint::test
