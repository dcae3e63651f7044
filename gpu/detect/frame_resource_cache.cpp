#include "gpu/detect/frame_resource_cache.h"

#include <algorithm>

#include "gpu/detect/blob_finder.h"
#include "gpu/detect/packed_masks.h"
#include "gpu/detect/plane_keeper.h"
#include "gpu/detect/rejection_readback.h"
#include "gpu/filters/chain.h"
#include "gpu/frame_pool.h"

namespace glint::gpu {
namespace {

constexpr size_t kMostMasks = 4, kMostChains = 2;  // most masks and chains that are kept

}  // namespace

FrameResourceCache::FrameResourceCache(const Device& device, const FrameFormat& format,
                                       const Passes& passes)
    : device_(device),
      format_(format),
      passes_(passes),
      blurs_(device, greyShape(format.image), format.image.bits, format.layers),
      filterKernels_(std::make_unique<FilterKernels>(device)) {}

FrameResourceCache::~FrameResourceCache() = default;

/// Returns resources whose members are the results of get(member, factory). It calls `get` only for
/// members that the config needs.
template <class Get>
FrameResources FrameResourceCache::assemble(const DetectionConfig& config, const Get& get) const {
  const Settings& settings = *config.settings;
  const auto plane = [&](const char* name) {
    return [this, name] {
      return std::make_shared<const Buffer>(
          device_, planeBytes(greyShape(format_.image), format_.layers), MemoryUse::device, name);
    };
  };
  FrameResources resources;
  if (settings.response.dark || settings.response.kind == ResponseKind::inverted)
    resources.inverted = get(&FrameResources::inverted, plane("inverted luminance"));
  if (isBlurred(settings.response))
    resources.response = get(&FrameResources::response, plane("response"));
  const bool blobs = settings.detect.method == DetectMethod::blobs;
  if (blobs) {
    resources.blobs =
        get(&FrameResources::blobs, [&] { return std::make_shared<BlobFinder>(device_, format_); });
  }
  if (config.rejected) {
    resources.rejection = get(&FrameResources::rejection, [&] {
      return std::make_shared<const RejectionReadback>(device_, format_);
    });
  }
  if (config.rejected && blobs) {
    resources.blobReadback = get(&FrameResources::blobReadback, [&] {
      return std::make_shared<BlobReadback>(device_, format_.layers);
    });
  }
  assembleKept(config.planes, get, resources);
  return resources;
}

template <class Get>
void FrameResourceCache::assembleKept(const PlaneSet& planes, const Get& get,
                                      FrameResources& resources) const {
  const auto add = [&](bool wanted, auto member, const shared::PlaneShape& shape,
                       const char* name) {
    if (!wanted) return;
    resources.*member = get(member, [&] {
      return std::make_shared<const PlanePool>(device_, planeBytes(shape, format_.layers), name);
    });
  };
  const auto grey = greyShape(format_.image);
  add(planes.source, &FrameResources::keptSource, planeShape(format_.image), "source to draw");
  add(planes.luminance, &FrameResources::keptLuminance, grey, "luminance to draw");
  add(planes.response, &FrameResources::keptResponse, grey, "response to draw");
  add(planes.candidates, &FrameResources::keptCandidates, bitmapShape(format_.image),
      "candidates to draw");
  const ImageFormat colour{format_.image.width, format_.image.height, 3, format_.image.bits};
  add(!planes.filter.empty(), &FrameResources::keptFilter, planeShape(colour), "filter to draw");
  if (!planes.candidates) return;
  resources.candidateMarker = get(&FrameResources::candidateMarker, [&] {
    return std::make_shared<const CandidateMarker>(device_, format_.image.bits);
  });
}

std::optional<FrameResources> FrameResourceCache::find(const DetectionConfig& config) const {
  bool complete = true;
  const auto there = [&](auto part) {
    complete = complete && part != nullptr;
    return part;
  };
  const std::lock_guard lock(mutex_);
  FrameResources resources =
      assemble(config, [&](auto member, const auto&) { return there(made_.*member); });
  if (isBlurred(config.settings->response))
    resources.blur = there(blurs_.find(config.settings->response));
  if (config.masks) resources.masks = there(findMasks(config.masks));
  if (!config.settings->filters.empty()) resources.chain = there(findChain(config));
  return complete ? std::optional(std::move(resources)) : std::nullopt;
}

FrameResources FrameResourceCache::make(const DetectionConfig& config) {
  const std::lock_guard one(making_);
  FrameResources resources = assemble(config, [&](auto member, const auto& factory) {
    auto part = made_.*member;  // needs no lock, because only this thread writes made_
    if (part) return part;
    part = factory();
    const std::lock_guard lock(mutex_);
    made_.*member = part;
    return part;
  });
  if (isBlurred(config.settings->response)) resources.blur = blurs_.make(config.settings->response);
  if (config.masks) resources.masks = makeMasks(config.masks);
  if (!config.settings->filters.empty()) resources.chain = makeChain(config);
  return resources;
}

std::shared_ptr<const PackedMasks> FrameResourceCache::findMasks(const Masks& masks) const {
  const auto found = std::find_if(masks_.begin(), masks_.end(),
                                  [&](const auto& entry) { return entry.first == masks; });
  return found == masks_.end() ? nullptr : found->second;
}

std::shared_ptr<FilterChain> FrameResourceCache::findChain(const DetectionConfig& config) const {
  const auto found = std::find_if(chains_.begin(), chains_.end(), [&](const auto& chain) {
    return chain->fits(config.settings->filters, config.images);
  });
  return found == chains_.end() ? nullptr : *found;
}

std::shared_ptr<FilterChain> FrameResourceCache::makeChain(const DetectionConfig& config) {
  if (auto chain = findChain(config)) return chain;
  auto chain = std::make_shared<FilterChain>(device_, passes_, *filterKernels_, format_,
                                             config.settings->filters, config.images);
  const std::lock_guard lock(mutex_);
  if (chains_.size() == kMostChains) chains_.erase(chains_.begin());
  return chains_.emplace_back(std::move(chain));
}

std::shared_ptr<const PackedMasks> FrameResourceCache::makeMasks(const Masks& masks) {
  if (auto packed = findMasks(masks)) return packed;
  passes_.prepareMasks();
  auto packed = std::make_shared<const PackedMasks>(device_, format_, *masks);
  const std::lock_guard lock(mutex_);
  if (masks_.size() == kMostMasks) masks_.erase(masks_.begin());
  return masks_.emplace_back(masks, std::move(packed)).second;
}

}  // namespace glint::gpu
