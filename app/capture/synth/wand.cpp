#include <array>
#include <cmath>
#include <vector>

#include "app/capture/synth/camera.h"
#include "app/capture/synth/random.h"
#include "app/capture/synth/scene.h"
#include "config/error.h"

namespace glint::capture {
namespace {

class WavedWand : public Scene {
 public:
  explicit WavedWand(const SynthOptions& options)
      : Scene(options), camera_(wandCamera(options.camera, options.cameras, options.size)) {
    if (options.middle >= options.length)
      throw UsageError("synth:wand: middle lies between the ends; it must be less than length");
  }

  const motion::RigCamera* camera() const override { return &camera_; }

  std::vector<Eigen::Vector3d> places(uint64_t frame) const override {
    const double time = static_cast<double>(frame) / options().fps;
    const auto swing = [&](uint64_t which) {
      return wander(hashKey({options().seed, which, 'w'}), time);
    };
    // The wand's middle is about a metre from the volume's at most, in mm; its direction is any.
    const Eigen::Vector3d middle(1200 * swing(0), 1200 * swing(1), 1000 + 900 * swing(2));
    const double around = 6 * swing(3), up = 3 * swing(4);
    const Eigen::Vector3d along(std::cos(around) * std::cos(up), std::sin(around) * std::cos(up),
                                std::sin(up));
    const double half = options().length / 2;
    std::vector<Eigen::Vector3d> all{middle - half * along, middle + half * along};
    if (options().middle > 0) all.push_back(middle + (options().middle - half) * along);
    return all;
  }

 private:
  std::vector<Projected> project(uint64_t frame) const override {
    constexpr double kMillimetresPerMetre = 1000;
    std::vector<Projected> markers;
    for (const Eigen::Vector3d& at : places(frame)) {
      const Eigen::Vector3d seen = seenBy(camera_, at / kMillimetresPerMetre);
      const double radius =
          camera_.lens.fx * options().diameter / kMillimetresPerMetre / 2 / seen.z();
      markers.push_back({seen.x(), seen.y(), radius, seen.z(), seen.z() <= 0});
    }
    return markers;
  }

  motion::RigCamera camera_;
};

}  // namespace

std::unique_ptr<Scene> makeWand(const SynthOptions& options) {
  return std::make_unique<WavedWand>(options);
}

}  // namespace glint::capture
