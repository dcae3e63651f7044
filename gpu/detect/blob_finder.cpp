#include "gpu/detect/blob_finder.h"

#include "gpu/detect/frame_in_flight.h"
#include "gpu/detect/rejection_readback.h"
#include "gpu/frame_pool.h"

namespace glint::gpu {

BlobFinder::BlobFinder(const Device& device, const FrameFormat& format)
    : blobs_(device, greyShape(format.image), format.image.bits, format.layers),
      starts_(device, sizeof(shared::Detection) * FrameMemory::kMostMarkers * format.layers,
              MemoryUse::device, "blobs found"),
      fullScale_(format.image.fullScale()) {}

void BlobFinder::record(Recorder& recorder, const FrameInFlight& frame,
                        const FrameMemory& memory) const {
  const auto& detect = frame.config.settings->detect;
  blobs_.record(recorder, frame.planes.response, frame.mask(), memory.feedback,
                {.maxMarkers = frame.selection.maxMarkers,
                 .separation = frame.selection.separation,
                 .minRadius = detect.minRadius,
                 .maxRadius = detect.maxRadius,
                 .maxEccentricity = detect.maxEccentricity,
                 .minMass = detect.minMass,
                 .fullScale = fullScale_},
                memory.results, starts_, memory.groups());
  if (frame.resources.blobReadback) frame.resources.blobReadback->record(recorder, blobs_);
}

}  // namespace glint::gpu
