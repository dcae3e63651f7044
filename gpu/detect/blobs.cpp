#include "gpu/detect/blobs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "config/error.h"
#include "shared/results.h"
#include "spirv/blobs_finish.h"
#include "spirv/blobs_mark.h"
#include "spirv/blobs_measure.h"
#include "spirv/blobs_number.h"
#include "spirv/blobs_select.h"
#include "spirv/blobs_split.h"
#include "spirv/blobs_unite.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kMostCapacity = 8388608;       // blobs per layer: a quarter of the pixels in 8K
constexpr uint32_t kMostCapacityOfCpu = 1048576;  // the same on a CPU: half of the pixels in 1080p
constexpr uint32_t kWideGroup = 128;              // invocations of `blobs_select` with many blobs
constexpr uint32_t kSelectIterations = 40000;     // most loop iterations of an invocation on a CPU

uint32_t wordsPerRow(const shared::PlaneShape& shape) {
  return (shape.width + 31) / 32;
}

size_t bitmapWords(const shared::PlaneShape& shape, uint32_t layers) {
  return size_t{wordsPerRow(shape)} * shape.height * layers;
}

/// Returns the rows of a column of words that one invocation handles, at most 32 because `occupied`
/// has one bit for each. On a GPU there are few, so that there are enough invocations, but not more
/// than 65,535 workgroups.
uint32_t rowsPerThread(bool cpu, size_t words) {
  return cpu ? 32 : static_cast<uint32_t>(std::clamp<size_t>(words / 131072, 2, 32));
}

/// Returns BlobsParams::mostElongation for an eccentricity.
float elongationOf(double eccentricity) {
  const double e2 = eccentricity * eccentricity;
  return static_cast<float>((e2 / (2 - e2)) * (e2 / (2 - e2)));
}

uint32_t clampToWord(double value) {
  return static_cast<uint32_t>(std::clamp(value, 0.0, 4294967295.0));
}

}  // namespace

Blobs::Blobs(const Device& device, const shared::PlaneShape& shape, uint32_t bits, uint32_t layers)
    : device_(device),
      shape_(shape),
      layers_(layers),
      cpu_(device.info().type == "cpu"),
      group_(cpu_ ? device.subgroupSize() : 64),
      splitGroup_(cpu_ ? 4 * device.subgroupSize() : 128),
      selectGroup_(cpu_ ? device.subgroupSize()
                        : std::min(512U, device.limits().maxComputeWorkGroupInvocations)),
      mark_(device, "blobs_mark", blobs_mark_spirv, {{bits, group_, 0}}),
      markMasked_(device, "blobs_mark", blobs_mark_spirv, {{bits, group_, 1}}),
      unite_(device, "blobs_unite", blobs_unite_spirv, {{bits, group_}}),
      number_(device, "blobs_number", blobs_number_spirv, {{bits, group_}}),
      measure_(device, "blobs_measure", blobs_measure_spirv, {{bits, group_}}),
      finish_(device, "blobs_finish", blobs_finish_spirv, {{bits, group_}}),
      split_(device, "blobs_split", blobs_split_spirv, {{bits, splitGroup_}}),
      select_(device, "blobs_select", blobs_select_spirv, {{bits, selectGroup_}}),
      selectMany_(device, "blobs_select", blobs_select_spirv,
                  {{bits, std::max(selectGroup_, kWideGroup)}}),
      bitmap_(device, bitmapWords(shape, layers) * 4, MemoryUse::device, "blob bitmap"),
      occupied_(device, size_t{columns().x} * layers * 4, MemoryUse::device, "occupied rows"),
      parents_(device, bitmapWords(shape, layers) * 64, MemoryUse::device, "blob parents"),
      counts_(device, sizeof(shared::BlobCounts) * layers, MemoryUse::device, "blob counts") {
  makeRoom(kFirstCapacity);
}

/// Returns the invocations for all columns of words, rounded up to whole workgroups.
Extent Blobs::columns() const {
  const uint32_t high = rowsPerThread(cpu_, bitmapWords(shape_, layers_));
  const uint32_t down = (shape_.height + high - 1) / high;
  return {(wordsPerRow(shape_) * down + group_ - 1) / group_ * group_, 1, layers_};
}

void Blobs::makeRoom(uint32_t capacity) {
  const size_t all = size_t{capacity} * layers_;
  Buffer blobs(device_, sizeof(shared::Blob) * all, MemoryUse::device, "blobs");
  Buffer keys(device_, sizeof(shared::BlobKey) * all, MemoryUse::device, "blob keys");
  Buffer suspects(device_, sizeof(uint32_t) * all, MemoryUse::device, "suspect blobs");
  blobs_ = std::move(blobs);
  keys_ = std::move(keys);
  suspects_ = std::move(suspects);
  capacity_ = capacity;
}

bool Blobs::grow() {
  if (capacity_ >= (cpu_ ? kMostCapacityOfCpu : kMostCapacity)) return false;
  try {
    makeRoom(capacity_ * 2);
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Returns the kernel that selects blobs. On a CPU the barriers of a wide workgroup take more time
/// than they save, unless there are many blobs.
const Kernel& Blobs::select() const {
  return capacity_ > kFirstCapacity ? selectMany_ : select_;
}

/// Returns how many dispatches of `blobs_select` suffice for as many blobs as there is room for. On
/// llvmpipe an invocation leaves its loops after 65,535 iterations, so one dispatch may not be
/// enough.
uint32_t Blobs::selectDispatches(uint32_t maxMarkers) const {
  if (!cpu_) return 1;
  const uint64_t iterations = uint64_t{capacity_ / select().localSize()[0] + 18} * maxMarkers;
  return static_cast<uint32_t>(std::min<uint64_t>(iterations / kSelectIterations + 1, maxMarkers));
}

shared::BlobsParams Blobs::params(const PixelMask& mask, const BlobSelection& selection) const {
  const auto area = [](double radius) { return std::numbers::pi * radius * radius; };
  const auto mass = static_cast<uint64_t>(std::clamp(std::ceil(selection.minMass), 0.0, 0x1p62));
  return {.plane = shape_,
          .rowsPerThread = rowsPerThread(cpu_, bitmapWords(shape_, layers_)),
          .maskPitch = mask.pitch,
          .capacity = capacity_,
          .maxMarkers = selection.maxMarkers,
          .separationUp = clampToWord(std::ceil(selection.separation * selection.separation)),
          .budget = cpu_ ? kSelectIterations : 0xffffffffU,
          .leastArea = clampToWord(std::ceil(area(selection.minRadius))),
          .mostArea = clampToWord(std::floor(area(selection.maxRadius))),
          .leastMassLow = static_cast<uint32_t>(mass),
          .leastMassHigh = static_cast<uint32_t>(mass >> 32),
          .mostElongation = elongationOf(selection.maxEccentricity),
          .fullScale = selection.fullScale,
          .split = selection.split ? 1U : 0U,
          .counts = 0};
}

void Blobs::record(Recorder& recorder, const Plane& response, const PixelMask& mask,
                   const Buffer& feedback, const BlobSelection& selection, const Buffer& results,
                   const Buffer& found, const Buffer* groups) const {
  auto p = params(mask, selection);
  p.counts = groups != nullptr ? 1 : 0;
  const Extent columns = this->columns();
  const bool masked = mask.buffer != nullptr;
  recorder.run(masked ? markMasked_ : mark_,
               {response.buffer, &feedback, masked ? mask.buffer : response.buffer, &bitmap_,
                &occupied_, &parents_, &counts_},
               p, columns);
  recorder.run(unite_, {&bitmap_, &occupied_, &parents_}, p, columns);
  recorder.run(number_, {&bitmap_, &occupied_, &parents_, &counts_, &*blobs_}, p, columns);
  recorder.run(measure_, {response.buffer, &feedback, &bitmap_, &occupied_, &parents_, &*blobs_}, p,
               columns);
  // There are few workgroups, because most frames have only a few dozen blobs. But no invocation
  // gets too many blobs if the buffers are full.
  const uint32_t finishGroups = std::max(cpu_ ? 8U : 64U, capacity_ / (256 * group_));
  const uint32_t splitGroups = std::max(cpu_ ? 16U : 128U, capacity_ / 1024);
  recorder.run(
      finish_,
      {response.buffer, &feedback, &bitmap_, &parents_, &counts_, &*blobs_, &*keys_, &*suspects_},
      p, {finishGroups * group_, 1, layers_});
  recorder.run(
      split_,
      {response.buffer, &feedback, &bitmap_, &parents_, &counts_, &*blobs_, &*keys_, &*suspects_},
      p, {splitGroups * splitGroup_, 1, layers_});
  for (uint32_t i = 0; i < selectDispatches(selection.maxMarkers); ++i) {
    recorder.run(select(),
                 {&feedback, &counts_, &*blobs_, &*keys_, &results, &found,
                  groups != nullptr ? groups : &found},
                 p, {1, 1, layers_});
  }
}

}  // namespace glint::gpu
