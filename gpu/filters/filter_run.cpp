#include "gpu/filters/filter_run.h"

namespace glint::gpu {

FilterRun::FilterRun(const Device& device, const FrameFormat& format, const FilterUses& uses,
                     const FilterImages& images, const FilterChain::Keep& keep)
    : passes_(device, format.image.bits),
      kernels_(device),
      upload_(device, format, passes_),
      chain_(device, passes_, kernels_, format, uses, images, keep),
      image_(chain_.keptFormat()),
      result_(device, planeBytes(planeShape(image_), format.layers), MemoryUse::readback,
              "filtered"),
      recorder_(device) {}

Plane FilterRun::run(const FrameSlot& frame, const FilterUses& uses) {
  const size_t runs = chain_.runsFor(frame);
  Plane kept;
  for (size_t i = 0; i < runs; ++i) {
    recorder_.begin();
    const FrameUpload::Planes planes = upload_.record(recorder_, frame, true);
    kept = chain_.record(recorder_, frame, uses, planes.source, planes.luminance).kept;
    recorder_.copy(*kept.buffer, result_, result_.size(), "copy");
    recorder_.submit();
    recorder_.wait();
    chain_.learn();
  }
  times_ = recorder_.times();
  kept.buffer = &result_;
  return kept;
}

ImageView FilterRun::pixels(uint32_t layer) const {
  const auto shape = planeShape(image_);
  return {image_, result_.mapped().data() + planeBytes(shape, layer), size_t{shape.pitch} * 4};
}

}  // namespace glint::gpu
