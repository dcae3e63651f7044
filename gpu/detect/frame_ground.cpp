#include "gpu/detect/frame_ground.h"

#include "gpu/crowd.h"
#include "shared/limits.h"

namespace glint::gpu {

Ground groundOf(const FrameInFlight& f, const FrameMemory& memory, uint32_t layer,
                const shared::PlaneStatistics& response) {
  const Buffer* taken = f.samples(memory.samples);
  if (taken == nullptr || !mayBeCrowded(response, f.pixels(layer))) return {};
  const auto& image = f.frame->format.image;
  const SampleGrid samples =
      sampleGrid(image.width, image.height,
                 taken->as<uint32_t>().subspan(size_t{layer} * shared::kMaxSamples));
  Ground ground;
  if (isWide(response, f.pixels(layer))) ground = groundOf(samples.values, response.most);
  ground.crowd = crowdOf(samples);
  return ground;
}

}  // namespace glint::gpu
