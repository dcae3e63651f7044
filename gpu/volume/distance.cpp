#include "gpu/volume/distance.h"

namespace glint::gpu {
namespace {

const VolumeShape& checked(const VolumeShape& shape, const DistanceOptions& options) {
  checkDistance(shape, options);
  return shape;
}

}  // namespace

uint32_t countSweeps(const VolumeShape& shape, Metric metric) {
  if (metric == Metric::euclidean) return 0;
  const uint32_t high = shape.height > 1 ? 2 : 0;
  const uint32_t deep = shape.depth > 1 ? 2 : 0;
  return high + deep + (metric == Metric::cityblock ? 0 : high * deep);
}

DistanceTransform::DistanceTransform(const Device& device, const VolumeShape& shape,
                                     const DistanceOptions& options,
                                     std::shared_ptr<KernelStore> kernels)
    : shape_(checked(shape, options)),
      options_(options),
      passes_(device, shape, options, std::move(kernels)),
      sweeps_(countSweeps(shape, options.metric)),
      records_(device, DistancePasses::recordBytes(shape), MemoryUse::device, "distance rows") {
  if (options.metric != Metric::euclidean) return;
  links_.emplace(device, valueBytes(), MemoryUse::device, "distance columns");
  if (shape.depth > 1)
    planes_.emplace(device, valueBytes(), MemoryUse::device, "distances in planes");
  if (options.nearest) sites_.emplace(device, valueBytes(), MemoryUse::device, "nearest in planes");
}

void DistanceTransform::pack(Recorder& recorder, const Buffer& bytes,
                             const Buffer& features) const {
  passes_.pack(recorder, shape_, bytes, features);
}

void DistanceTransform::record(Recorder& recorder, const Buffer& features, const Buffer& distances,
                               const Buffer* nearest) const {
  passes_.rows(recorder, shape_, features, records_);
  if (options_.metric != Metric::euclidean) {
    passes_.sweepPlanes(recorder, shape_, records_, distances);
    passes_.sweepAcross(recorder, shape_, distances, DistancePasses::Across::both);
    return;
  }
  const Buffer* sites = sites_ ? &*sites_ : nullptr;
  const Buffer& planes = planes_ ? *planes_ : distances;
  passes_.planes(recorder, shape_, records_, *links_, planes, sites);
  if (shape_.depth == 1 && !options_.nearest) return;
  passes_.depth(recorder, shape_, shape_.height, planes, sites, *links_, distances, nearest);
}

}  // namespace glint::gpu
