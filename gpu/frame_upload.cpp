#include "gpu/frame_upload.h"

namespace glint {

FrameUpload::FrameUpload(const Device& device, const FrameFormat& format, const Passes& passes)
    : passes_(passes),
      grey_(greyShape(format.image)),
      source_(planeShape(format.image)),
      layers_(format.layers) {
  const auto add = [&](std::optional<Buffer>& buffer, const shared::PlaneShape& shape,
                       const char* name) {
    buffer.emplace(device, planeBytes(shape, layers_), MemoryUse::device, name);
  };
  if (!device.unifiedMemory()) add(upload_, source_, "uploaded frame");
  if (format.image.channels == 3) add(luminance_, grey_, "luminance");
}

FrameUpload::Planes FrameUpload::record(Recorder& recorder, const FrameSlot& frame) const {
  Planes planes;
  planes.source = {&frame.buffer, source_, layers_};
  if (upload_) {
    recorder.copy(frame.buffer, *upload_, planeBytes(source_, layers_), kUpload);
    planes.source.buffer = &*upload_;
  }
  planes.luminance = planes.source;
  if (frame.neutral()) {
    planes.luminance = {&*frame.grey, grey_, layers_};
  } else if (luminance_) {
    planes.luminance = {&*luminance_, grey_, layers_};
    passes_.luminance(recorder, planes.source, planes.luminance);
  }
  return planes;
}

}  // namespace glint
