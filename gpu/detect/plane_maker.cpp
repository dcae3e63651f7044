#include "gpu/detect/plane_maker.h"

#include "gpu/detect/blur.h"
#include "gpu/detect/plane_keeper.h"
#include "gpu/filters/chain.h"

namespace glint::gpu {

PlaneMaker::PlaneMaker(const Device& device, const FrameFormat& format, const Passes& passes)
    : passes_(passes),
      upload_(device, format, passes),
      grey_(greyShape(format.image)),
      layers_(format.layers) {}

FramePlanes PlaneMaker::record(Recorder& recorder, const FrameSlot& frame, const Settings& settings,
                               const FrameResources& resources, const std::string& viewed) const {
  FramePlanes planes{upload_.record(recorder, frame, resources.chain != nullptr), {}, {}};
  planes.measured = planes.luminance;
  if (resources.inverted) {
    planes.measured = {resources.inverted.get(), grey_, layers_};
    passes_.invert(recorder, planes.luminance, planes.measured);
  }
  planes.response = planes.measured;
  if (resources.chain) {
    auto to = resources.keptFilter ? resources.keptFilter->take() : nullptr;
    planes.filterMissed = resources.keptFilter && !to;
    const ChainPlanes made =
        resources.chain->record(recorder, frame, settings.filters, planes.source, planes.luminance,
                                {to ? viewed : std::string(), to.get()});
    if (made.viewed)
      planes.filter = {std::move(to), made.viewed->format, made.viewed->shape, made.viewed->left,
                       made.viewed->top};
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

}  // namespace glint::gpu
