#include <algorithm>
#include <cmath>
#include <vector>

#include "app/capture/synth/random.h"
#include "app/capture/synth/scene.h"
#include "config/error.h"

namespace glint::capture {
namespace {

class Spots : public Scene {
 public:
  explicit Spots(const SynthOptions& options) : Scene(options) {
    const double width = options.size.width, height = options.size.height;
    const double columns = std::ceil(std::sqrt(options.markers * width / height));
    const double rows = std::ceil(options.markers / columns);
    const double cellWidth = width / columns, cellHeight = height / rows;
    // A cell needs room for a marker's light, and for half a pixel of jitter, so that markers have
    // all sub-pixel positions.
    const double reach = options.radius > 0 ? options.radius + 4 * options.blur : 4 * options.sigma;
    const double freeX = cellWidth / 2 - reach, freeY = cellHeight / 2 - reach;
    if (std::min(freeX, freeY) < 0.5)
      throw UsageError(
          "synth:spots: markers is {}, more than fit into {}x{} px without touching; "
          "lower it or the size of the markers",
          options.markers, width, height);

    const uint64_t key = hashKey({options.seed, static_cast<uint64_t>(options.camera), 's'});
    for (int i = 0; i < options.markers; ++i) {
      const auto n = static_cast<uint64_t>(i);
      const double column = std::fmod(i, columns), row = std::floor(i / columns);
      const double x = (column + 0.5) * cellWidth + freeX * (2 * uniformAt(key, 2 * n) - 1);
      const double y = (row + 0.5) * cellHeight + freeY * (2 * uniformAt(key, 2 * n + 1) - 1);
      markers_.push_back({x - 0.5, y - 0.5, options.radius, 0, false});
    }
  }

 private:
  std::vector<Projected> project(uint64_t) const override { return markers_; }

  std::vector<Projected> markers_;
};

}  // namespace

std::unique_ptr<Scene> makeSpots(const SynthOptions& options) {
  return std::make_unique<Spots>(options);
}

}  // namespace glint::capture
