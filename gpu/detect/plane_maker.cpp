#include "gpu/detect/plane_maker.h"

#include "gpu/detect/blur.h"
#include "gpu/filters/chain.h"

namespace glint {

PlaneMaker::PlaneMaker(const Device& device, const FrameFormat& format, const Passes& passes)
    : passes_(passes),
      upload_(device, format, passes),
      grey_(greyShape(format.image)),
      layers_(format.layers) {}

FramePlanes PlaneMaker::record(Recorder& recorder, const FrameSlot& frame, const Settings& settings,
                               const FrameResources& resources) const {
  FramePlanes planes{upload_.record(recorder, frame), {}, {}};
  planes.measured = planes.luminance;
  if (resources.inverted) {
    planes.measured = {resources.inverted.get(), grey_, layers_};
    passes_.invert(recorder, planes.luminance, planes.measured);
  }
  planes.response = planes.measured;
  if (resources.chain) {
    const ChainPlanes made =
        resources.chain->record(recorder, frame, settings.filters, planes.source, planes.luminance);
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
      planes.response = {resources.response.get(), grey_, layers_};
      resources.blur->record(recorder, sought, planes.response, settings.response.gain);
      break;
  }
  return planes;
}

}  // namespace glint
