#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/capture/synth/random.h"
#include "app/capture/synth/scene.h"

namespace glint::capture {
namespace {

// Speed of the weaving along each axis, in units of the speed of the straight path.
constexpr double kWeave = 0.35;

// A straight path with a weaving about it: the position in px as a function of time in frames.
struct Walker {
  double x, y;            // px: position at time 0, without the weaving
  double speed;           // px/frame: speed along the straight path
  double heading;         // rad: direction of the straight path
  double rate;            // rad/frame: rate of the weaving
  double phaseX, phaseY;  // rad: phases of the weaving

  std::array<double, 2> at(double time) const {
    const double swing = kWeave / rate;
    return {x + speed * (std::cos(heading) * time + swing * std::sin(rate * time + phaseX)),
            y + speed * (std::sin(heading) * time + swing * std::sin(rate * time + phaseY))};
  }
};

// Returns the mean distance from frame to frame, over one period of the weaving, px.
double meanStep(const Walker& walker) {
  constexpr int samples = 256;
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    const double time = kTurn / walker.rate * i / samples;
    const auto from = walker.at(time), to = walker.at(time + 1);
    sum += std::hypot(to[0] - from[0], to[1] - from[1]);
  }
  return sum / samples;
}

// Folds a position into [low, high], as if it bounced off both ends.
double bounce(double value, double low, double high) {
  const double range = std::max(high - low, 1e-9);
  const double phase = std::fmod(value - low, 2 * range);
  const double positive = phase < 0 ? phase + 2 * range : phase;
  return low + (positive > range ? 2 * range - positive : positive);
}

class Crossing : public Scene {
 public:
  explicit Crossing(const SynthOptions& options)
      : Scene(options),
        key_(hashKey({options.seed, static_cast<uint64_t>(options.camera), 'c'})),
        margin_(options.radius > 0 ? options.radius : 2 * options.sigma) {
    for (int i = 0; i < options.markers; ++i) {
      const uint64_t key = hashKey({key_, static_cast<uint64_t>(i)});
      const double period = 60 + 120 * uniformAt(key, 3);  // frames of one period of the weaving
      Walker walker{options.size.width * uniformAt(key, 0),
                    options.size.height * uniformAt(key, 1),
                    1,
                    kTurn * uniformAt(key, 2),
                    kTurn / period,
                    kTurn * uniformAt(key, 4),
                    kTurn * uniformAt(key, 5)};
      walker.speed = options.step / meanStep(walker);
      walkers_.push_back(walker);
    }
  }

 private:
  std::vector<Projected> project(uint64_t frame) const override;
  bool absent(uint64_t marker, uint64_t frame) const;

  uint64_t key_;
  double margin_;  // px: distance from the border that keeps markers inside the image
  std::vector<Walker> walkers_;
};

// Markers with lower ids count as nearer.
std::vector<Scene::Projected> Crossing::project(uint64_t frame) const {
  std::vector<Projected> markers;
  for (const Walker& walker : walkers_) {
    const auto id = markers.size();
    const auto [x, y] = walker.at(static_cast<double>(frame));
    markers.push_back({bounce(x, margin_ - 0.5, options().size.width - 0.5 - margin_),
                       bounce(y, margin_ - 0.5, options().size.height - 0.5 - margin_),
                       options().radius, static_cast<double>(id), absent(id, frame)});
  }
  return markers;
}

bool Crossing::absent(uint64_t marker, uint64_t frame) const {
  constexpr uint64_t stretch = 8;  // frames of one occlusion, as the help of `occluded` says
  return uniformAt(hashKey({key_, marker, 'm'}), frame) < options().missed ||
         uniformAt(hashKey({key_, marker, 'o'}), frame / stretch) < options().occluded;
}

}  // namespace

std::unique_ptr<Scene> makeCrossing(const SynthOptions& options) {
  return std::make_unique<Crossing>(options);
}

}  // namespace glint::capture
