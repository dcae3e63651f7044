#include "gpu/stock.h"

#include <algorithm>
#include <string>

#include "config/error.h"
#include "gpu/filters/chain.h"
#include "gpu/frame_pool.h"

namespace glint {
namespace {

constexpr size_t kMostMasks = 4, kMostChains = 2;  // kept

std::vector<size_t> countMeasured(const FrameFormat& format, const std::vector<LayerMask>& masks) {
  if (masks.size() != format.layers) throw Error("there must be one mask for each camera");
  std::vector<size_t> counts(format.layers, format.image.pixels());
  for (size_t i = 0; i < masks.size(); ++i) {
    if (masks[i].empty()) continue;
    if (masks[i].width != format.image.width || masks[i].height != format.image.height)
      throw Error("the mask of camera " + std::to_string(i) + " is not of the frames' size");
    counts[i] = masks[i].measured();
  }
  return counts;
}

}  // namespace

PackedMasks::PackedMasks(const Device& device, const FrameFormat& format,
                         const std::vector<LayerMask>& masks)
    : measured_(countMeasured(format, masks)),
      pitch_(maskPitch(format.image.width)),
      buffer_(device, sizeof(uint32_t) * pitch_ * format.image.height * format.layers,
              MemoryUse::settings, "mask") {
  const auto words = packMasks(masks, format.image.width, format.image.height);
  std::copy(words.begin(), words.end(), buffer_.as<uint32_t>().begin());
}

Stock::Stock(const Device& device, const FrameFormat& format, const Passes& passes)
    : device_(device),
      format_(format),
      passes_(passes),
      blurs_(device, greyShape(format.image), format.image.bits, format.layers),
      filterKernels_(std::make_unique<FilterKernels>(device)) {}

Stock::~Stock() = default;

/// The kit whose parts are what get(member, factory) returns.
template <class Get>
FrameKit Stock::assemble(const FrameWish& wish, const Get& get) const {
  const auto& settings = wish.settings;
  const auto plane = [&](const char* name) {
    return [this, name] {
      return std::make_shared<const Buffer>(
          device_, planeBytes(greyShape(format_.image), format_.layers), MemoryUse::device, name);
    };
  };
  FrameKit kit;
  if (settings.response.dark || settings.response.kind == ResponseKind::inverted)
    kit.inverted = get(&FrameKit::inverted, plane("inverted luminance"));
  if (isBlurred(settings.response)) kit.response = get(&FrameKit::response, plane("response"));
  const bool blobs = settings.detect.method == DetectMethod::blobs;
  if (blobs) {
    kit.blobs =
        get(&FrameKit::blobs, [&] { return std::make_shared<BlobFinder>(device_, format_); });
  }
  if (wish.rejected) {
    kit.evidence = get(&FrameKit::evidence,
                       [&] { return std::make_shared<const Evidence>(device_, format_); });
  }
  if (wish.rejected && blobs) {
    kit.blobEvidence = get(&FrameKit::blobEvidence,
                           [&] { return std::make_shared<BlobEvidence>(device_, format_.layers); });
  }
  assembleKept(wish.planes, get, kit);
  return kit;
}

template <class Get>
void Stock::assembleKept(const PlaneSet& planes, const Get& get, FrameKit& kit) const {
  const auto add = [&](bool wanted, auto member, const shared::PlaneShape& shape,
                       const char* name) {
    if (!wanted) return;
    kit.*member = get(member, [&] {
      return std::make_shared<const PlanePool>(device_, planeBytes(shape, format_.layers), name);
    });
  };
  const auto grey = greyShape(format_.image);
  add(planes.source, &FrameKit::keptSource, planeShape(format_.image), "source to draw");
  add(planes.luminance, &FrameKit::keptLuminance, grey, "luminance to draw");
  add(planes.response, &FrameKit::keptResponse, grey, "response to draw");
  add(planes.candidates, &FrameKit::keptCandidates, bitmapShape(format_.image),
      "candidates to draw");
  if (!planes.candidates) return;
  kit.candidateMarker = get(&FrameKit::candidateMarker, [&] {
    return std::make_shared<const CandidateMarker>(device_, format_.image.bits);
  });
}

std::optional<FrameKit> Stock::find(const FrameWish& wish) const {
  bool complete = true;
  const auto there = [&](auto part) {
    complete = complete && part != nullptr;
    return part;
  };
  const std::lock_guard lock(mutex_);
  FrameKit kit = assemble(wish, [&](auto member, const auto&) { return there(shelf_.*member); });
  if (isBlurred(wish.settings.response)) kit.blur = there(blurs_.find(wish.settings.response));
  if (wish.masks) kit.masks = there(findMasks(wish.masks));
  if (!wish.settings.filters.empty()) kit.chain = there(findChain(wish));
  return complete ? std::optional(std::move(kit)) : std::nullopt;
}

FrameKit Stock::make(const FrameWish& wish) {
  const std::lock_guard one(making_);
  FrameKit kit = assemble(wish, [&](auto member, const auto& factory) {
    auto part = shelf_.*member;  // nobody else writes
    if (part) return part;
    part = factory();
    const std::lock_guard lock(mutex_);
    shelf_.*member = part;
    return part;
  });
  if (isBlurred(wish.settings.response)) kit.blur = blurs_.make(wish.settings.response);
  if (wish.masks) kit.masks = makeMasks(wish.masks);
  if (!wish.settings.filters.empty()) kit.chain = makeChain(wish);
  return kit;
}

std::shared_ptr<const PackedMasks> Stock::findMasks(const Masks& masks) const {
  const auto found = std::find_if(masks_.begin(), masks_.end(),
                                  [&](const auto& entry) { return entry.first == masks; });
  return found == masks_.end() ? nullptr : found->second;
}

std::shared_ptr<FilterChain> Stock::findChain(const FrameWish& wish) const {
  const auto found = std::find_if(chains_.begin(), chains_.end(), [&](const auto& chain) {
    return chain->fits(wish.settings.filters, wish.images);
  });
  return found == chains_.end() ? nullptr : *found;
}

std::shared_ptr<FilterChain> Stock::makeChain(const FrameWish& wish) {
  if (auto chain = findChain(wish)) return chain;
  auto chain = std::make_shared<FilterChain>(device_, passes_, *filterKernels_, format_,
                                             wish.settings.filters, wish.images);
  const std::lock_guard lock(mutex_);
  if (chains_.size() == kMostChains) chains_.erase(chains_.begin());
  return chains_.emplace_back(std::move(chain));
}

std::shared_ptr<const PackedMasks> Stock::makeMasks(const Masks& masks) {
  if (auto packed = findMasks(masks)) return packed;
  auto packed = std::make_shared<const PackedMasks>(device_, format_, *masks);
  const std::lock_guard lock(mutex_);
  if (masks_.size() == kMostMasks) masks_.erase(masks_.begin());
  return masks_.emplace_back(masks, std::move(packed)).second;
}

}  // namespace glint
