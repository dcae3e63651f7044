#include "tests/gpu/blob_rig.h"

#include <algorithm>
#include <stdexcept>

#include "gpu/frame_pool.h"

namespace glint::test {
namespace {

/// Returns the contents of a buffer that only kernels can access.
template <class T>
std::vector<T> readBack(const gpu::Buffer& from) {
  const gpu::Buffer to(device(), from.size(), gpu::MemoryUse::readback, "read back");
  runNow([&](gpu::Recorder& r) { r.copy(from, to, from.size()); });
  const auto values = to.as<T>();
  return {values.begin(), values.end()};
}

uint64_t wide(const shared::Sum& sum) {
  return uint64_t{sum.high} << 32 | sum.low;
}

reference::Blob blobOf(const shared::Blob& b, uint32_t width) {
  return {.first = b.first,
          .left = ~b.left,
          .right = b.right,
          .top = b.first / width,
          .bottom = b.bottom,
          .peak = {b.place & 0xffff, b.place >> 16, b.peak},
          .area = b.area,
          .mass = wide(b.mass),
          .massX = wide(b.massX),
          .massY = wide(b.massY),
          .x = wide(b.x),
          .y = wide(b.y),
          .xx = wide(b.xx),
          .xy = wide(b.xy),
          .yy = wide(b.yy)};
}

/// The contents of the kernels' buffers, for all layers.
struct Contents {
  explicit Contents(const gpu::Blobs& blobs)
      : capacity(blobs.capacity()),
        measured(readBack<shared::Blob>(blobs.measured())),
        bitmap(readBack<uint32_t>(blobs.bitmap())),
        parents(readBack<uint32_t>(blobs.parents())) {}
  size_t capacity;
  std::vector<shared::Blob> measured;
  std::vector<uint32_t> bitmap, parents;
};

/// Sorts the blobs and renumbers the pixels, because the kernels number blobs in any order.
void readLayer(const Contents& contents, const gpu::ImageFormat& format, uint32_t layer,
               LayerBlobs& out) {
  const auto& [capacity, measured, bitmap, parents] = contents;
  std::vector<std::pair<reference::Blob, uint32_t>> sorted;
  for (uint32_t i = 0; i < out.components; ++i)
    sorted.emplace_back(blobOf(measured[layer * capacity + i], format.width), i);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first.first < b.first.first; });
  std::vector<uint32_t> labelOf(sorted.size());
  for (uint32_t i = 0; i < sorted.size(); ++i) {
    out.all.push_back(sorted[i].first);
    labelOf[sorted[i].second] = i + 1;
  }
  const uint32_t words = (format.width + 31) / 32;
  for (uint32_t y = 0; y < format.height; ++y) {
    for (uint32_t x = 0, node = 0; x < format.width; ++x) {
      const size_t word = (size_t{layer} * format.height + y) * words + x / 32;
      const auto isSet = [&](uint32_t i) { return (bitmap[word] >> i & 1) != 0; };
      if (isSet(x % 32) && (x % 32 == 0 || !isSet(x % 32 - 1)))
        node = parents[word * 16 + x % 32 / 2];
      out.labels.push_back(isSet(x % 32) ? labelOf.at(node & ~shared::kNumbered) : 0);
    }
  }
}

}  // namespace

BlobRig::BlobRig(const gpu::ImageFormat& format, uint32_t layers)
    : blobs_(device(), gpu::planeShape(format), format.bits, layers) {}

std::vector<LayerBlobs> BlobRig::find(const std::vector<reference::Image>& images,
                                      uint32_t threshold, const gpu::BlobSelection& selection) {
  const DevicePlane in(images);
  const DeviceMask mask(images);
  const DeviceArray<shared::Feedback> feedback(1);
  const DeviceArray<shared::LayerResult> results(in.layers);
  const DeviceArray<shared::Detection> found(size_t{selection.maxMarkers} * in.layers);
  const DeviceArray<uint32_t> groups(3);  // the first of these counts markers
  for (auto& layer : feedback.values()[0].layers) layer.threshold = threshold;
  const auto anyUnresolved = [&] {
    return std::any_of(results.values().begin(), results.values().begin() + in.layers,
                       [](const auto& r) { return r.unresolved != 0; });
  };
  do {
    groups.values()[0] = 1;
    runNow([&](gpu::Recorder& r) {
      blobs_.record(r, in.plane(), mask.mask(), feedback.buffer, selection, results.buffer,
                    found.buffer, &groups.buffer);
    });
  } while (anyUnresolved() && blobs_.grow());
  if (anyUnresolved()) throw std::runtime_error("there is not enough room for the blobs");
  uint32_t most = 1;
  for (const auto& result : results.values().first(in.layers))
    most = std::max(most, result.markers);
  if (groups.values()[0] != most)
    throw std::runtime_error("the markers of the fullest layer were not counted");
  const Contents contents(blobs_);
  std::vector<LayerBlobs> layers(in.layers);
  for (uint32_t l = 0; l < in.layers; ++l) {
    const auto result = results.values()[l];
    layers[l].components = result.candidates;
    const auto first =
        found.values().begin() + static_cast<ptrdiff_t>(size_t{l} * selection.maxMarkers);
    layers[l].markers.assign(first, first + result.markers);
    readLayer(contents, in.format, l, layers[l]);
  }
  return layers;
}

}  // namespace glint::test
