#include "gpu/evidence.h"

#include <utility>

#include "gpu/explain.h"
#include "gpu/frame_ring.h"

namespace glint {
namespace {

FrameFormat greyOf(FrameFormat format) {
  format.image.channels = 1;
  return format;
}

}  // namespace

Evidence::Evidence(const Device& device, const FrameFormat& format, std::vector<LayerMask> masks)
    : device_(device),
      format_(greyOf(format)),
      masks_(std::move(masks)),
      response_(device, planeBytes(planeShape(format_.image), format_.layers), MemoryUse::readback,
                "response for the host") {
  masks_.resize(format_.layers);
}

void Evidence::recordResponse(Recorder& recorder, const Plane& response) const {
  recorder.copy(*response.buffer, response_, response_.size());
}

void Evidence::recordBlobs(Recorder& recorder, const Blobs& blobs) {
  const auto copy = [&](const Buffer& from, std::optional<Buffer>& to, const char* name) {
    if (!to || to->size() != from.size())
      to.emplace(device_, from.size(), MemoryUse::readback, name);
    recorder.copy(from, *to, from.size());
  };
  copy(blobs.counts(), counts_, "blob counts for the host");
  copy(blobs.measured(), blobs_, "blobs for the host");
}

std::span<const shared::Blob> Evidence::blobsOf(uint32_t layer) const {
  const auto& count = counts_->as<shared::BlobCounts>()[layer];
  const auto all = blobs_->as<shared::Blob>();
  const size_t capacity = all.size() / format_.layers;
  return all.subspan(layer * capacity, size_t{count.components} + count.parts);
}

std::vector<Rejected> Evidence::explain(uint32_t layer, const Settings::Detect& settings,
                                        uint32_t threshold,
                                        std::span<const shared::Detection> found,
                                        bool resolved) const {
  const auto shape = planeShape(format_.image);
  const ImageView response{format_.image, response_.mapped().data() + planeBytes(shape, layer),
                           size_t{shape.pitch} * 4};
  const LayerMask& mask = masks_[layer];
  if (settings.method == DetectMethod::peaks)
    return explainPeaks(response, mask, threshold, settings.separation, found);
  std::vector<Rejected> all;
  if (resolved) all = explainBlobs(blobsOf(layer), format_.image, threshold, settings, found);
  const auto masked = explainMasked(response, mask, threshold);
  all.insert(all.end(), masked.begin(), masked.end());
  return all;
}

}  // namespace glint
