#include "gpu/frame_upload.h"

#include "gpu/visible_on_cpu.h"

namespace glint::gpu {

FrameUpload::FrameUpload(const Device& device, const FrameFormat& format, const Passes& passes)
    : passes_(passes),
      grey_(greyShape(format.image)),
      source_(planeShape(format.image)),
      layers_(format.layers) {
  const auto add = [&](std::optional<Buffer>& buffer, const shared::PlaneShape& shape,
                       const char* name) {
    buffer.emplace(device, planeBytes(shape, layers_), visibleOnCpu(device), name);
  };
  if (!device.unifiedMemory()) add(upload_, source_, "uploaded frame");
  if (format.image.channels == 3) add(luminance_, grey_, "luminance");
}

FrameUpload::Planes FrameUpload::record(Recorder& recorder, const FrameSlot& frame,
                                        bool inColour) const {
  Planes planes;
  const bool neutral = frame.neutral();
  for (uint32_t i = 0; i < layers_ && (inColour || !neutral); ++i) frame.layer(i);  // makes colour
  planes.source = {&frame.buffer, source_, layers_};
  const size_t sent = frame.early ? frame.early->sent() : 0;
  const Buffer* const to = frame.early ? &frame.early->buffer() : upload_ ? &*upload_ : nullptr;
  if (to != nullptr) {
    const Recorder::Part rest{sent, sent, planeBytes(source_, layers_) - sent};
    recorder.copyParts(frame.buffer, *to, {&rest, 1}, kUpload);
    planes.source.buffer = to;
  }
  planes.luminance = planes.source;
  if (neutral) {
    planes.luminance = {&*frame.grey, grey_, layers_};
  } else if (luminance_) {
    planes.luminance = {&*luminance_, grey_, layers_};
    passes_.luminance(recorder, planes.source, planes.luminance);
  }
  return planes;
}

}  // namespace glint::gpu
