#include "gpu/detect/rejection_readback.h"

#include "gpu/detect/explain.h"
#include "gpu/frame_pool.h"

namespace glint::gpu {
namespace {

FrameFormat greyOf(FrameFormat format) {
  format.image.channels = 1;
  return format;
}

size_t bytesOf(uint32_t capacity, uint32_t layers) {
  return sizeof(shared::Blob) * capacity * layers;
}

}  // namespace

BlobReadback::BlobReadback(const Device& device, uint32_t layers)
    : device_(device),
      layers_(layers),
      counts_(device, sizeof(shared::BlobCounts) * layers, MemoryUse::readback,
              "blob counts for the host") {
  blobs_.emplace(device, bytesOf(Blobs::kFirstCapacity, layers), MemoryUse::readback,
                 "blobs for the host");
}

void BlobReadback::record(Recorder& recorder, const Blobs& blobs) {
  if (blobs_->size() != blobs.measured().size())
    blobs_.emplace(device_, blobs.measured().size(), MemoryUse::readback, "blobs for the host");
  recorder.copy(blobs.counts(), counts_, counts_.size());
  recorder.copy(blobs.measured(), *blobs_, blobs_->size());
}

std::span<const shared::Blob> BlobReadback::of(uint32_t layer) const {
  const auto& count = counts_.as<shared::BlobCounts>()[layer];
  const auto all = blobs_->as<shared::Blob>();
  const size_t capacity = all.size() / layers_;
  return all.subspan(layer * capacity, size_t{count.components} + count.parts);
}

RejectionReadback::RejectionReadback(const Device& device, const FrameFormat& format)
    : format_(greyOf(format)),
      response_(device, planeBytes(planeShape(format_.image), format_.layers), MemoryUse::readback,
                "response for the host") {}

void RejectionReadback::record(Recorder& recorder, const Plane& response) const {
  recorder.copy(*response.buffer, response_, response_.size());
}

std::vector<Rejected> RejectionReadback::explain(uint32_t layer, const LayerMask& mask,
                                                 const Settings::Detect& settings,
                                                 uint32_t threshold, uint32_t prominence,
                                                 std::span<const shared::Detection> found,
                                                 const BlobReadback* blobs) const {
  const auto shape = planeShape(format_.image);
  const ImageView response{format_.image, response_.mapped().data() + planeBytes(shape, layer),
                           size_t{shape.pitch} * 4};
  if (settings.method == DetectMethod::peaks)
    return explainPeaks(response, mask, threshold, settings.separation, found, prominence);
  std::vector<Rejected> all;
  if (blobs != nullptr)
    all = explainBlobs(blobs->of(layer), format_.image, threshold, settings, found);
  const auto masked = explainMasked(response, mask, threshold, prominence);
  all.insert(all.end(), masked.begin(), masked.end());
  return all;
}

}  // namespace glint::gpu
