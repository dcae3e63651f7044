#include "gpu/plane_maker.h"

#include "gpu/filters/chain.h"
#include "gpu/frame_pool.h"

namespace glint {
PlaneMaker::PlaneMaker(const Device& device, const FrameFormat& format, const Passes& passes)
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

FramePlanes PlaneMaker::recordLuminance(Recorder& recorder, const FrameSlot& frame) const {
  FramePlanes planes;
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

FramePlanes PlaneMaker::record(Recorder& recorder, const FrameSlot& frame, const Settings& settings,
                               const FrameKit& kit) const {
  FramePlanes planes = recordLuminance(recorder, frame);
  planes.measured = planes.luminance;
  if (kit.inverted) {
    planes.measured = {kit.inverted.get(), grey_, layers_};
    passes_.invert(recorder, planes.luminance, planes.measured);
  }
  planes.response = planes.measured;
  if (kit.chain) {
    const ChainPlanes made =
        kit.chain->record(recorder, frame, settings.filters, planes.source, planes.luminance);
    planes.measured = made.measured;
    planes.response = made.response;
  }
  const Plane sought = planes.response;
  switch (settings.response.kind) {
    case ResponseKind::luminance:
    case ResponseKind::inverted:
      break;
    case ResponseKind::blur:
    case ResponseKind::dog:
      planes.response = {kit.response.get(), grey_, layers_};
      kit.blur->record(recorder, sought, planes.response, settings.response.gain);
      break;
  }
  return planes;
}

}  // namespace glint
