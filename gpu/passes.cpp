#include "gpu/passes.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "shared/limits.h"
#include "shared/params.h"
#include "shared/results.h"
#include "spirv/invert.h"
#include "spirv/luminance.h"
#include "spirv/luminance_cpu.h"
#include "spirv/peaks.h"
#include "spirv/peaks_cpu.h"
#include "spirv/refine.h"
#include "spirv/refine_cpu.h"
#include "spirv/refine_near.h"
#include "spirv/refine_near_cpu.h"
#include "spirv/resolve.h"
#include "spirv/scan.h"
#include "spirv/scan_bytes.h"
#include "spirv/scan_cpu.h"
#include "spirv/select.h"
#include "spirv/statistics.h"
#include "spirv/statistics_bytes.h"
#include "spirv/statistics_merge.h"

namespace glint {
namespace {

using Code = std::span<const uint32_t>;

Code luminanceCode(const Device& device) {
  return device.wideLoads() ? Code(luminance_cpu_spirv) : Code(luminance_spirv);
}
Code scanCode(const Device& device) {
  return device.wideLoads() ? Code(scan_cpu_spirv) : Code(scan_spirv);
}
Code peaksCode(const Device& device) {
  return device.wideLoads() ? Code(peaks_cpu_spirv) : Code(peaks_spirv);
}
Code refineCode(const Device& device) {
  return device.wideLoads() ? Code(refine_cpu_spirv) : Code(refine_spirv);
}
Code refineNearCode(const Device& device) {
  return device.wideLoads() ? Code(refine_near_cpu_spirv) : Code(refine_near_spirv);
}

std::function<Kernel()> kernel(const Device& device, const char* name, Code code,
                               std::vector<uint32_t> constants) {
  return [&device, name, code, constants = std::move(constants)] {
    return Kernel(device, name, code, constants);
  };
}

/// Iterations of an invocation of `resolve` on a CPU, short of the 65,535 after which llvmpipe
/// leaves its loops.
constexpr uint32_t kMostIterations = 40000;

uint32_t loadsPerRow(const shared::PlaneShape& shape) {
  return shape.pitch / 4;
}
uint32_t tiles(uint32_t pixels) {
  return (pixels + shared::kTile - 1) / shared::kTile;
}

/// How many peaks one dispatch of `select` may accept so that no invocation comes near the 65,535
/// loop iterations after which llvmpipe leaves its loops. One peak can cost the search among all tiles, the
/// removal from the tiles concerned, and in those that the separation's circle cuts a look at every word of
/// pixels.
uint32_t selectBudget(const CandidateMap& candidates, uint32_t reach, uint32_t group, uint32_t bits) {
  const uint32_t rowsAtOnce = std::min(group, shared::kTile), tilesAtOnce = group / rowsAtOnce;
  const uint64_t rows = shared::kTile / rowsAtOnce;  // of a tile, an invocation
  const uint64_t all = uint64_t{candidates.tilesX} * candidates.tilesY;
  const uint64_t side = uint64_t{reach} * 2 / shared::kTile + 2;
  const uint64_t concerned = std::min(side * side, all) / tilesAtOnce + 1;
  const uint64_t cut = std::min({side * 4, side * side, all}) / tilesAtOnce + 1;
  // Where `select` keeps the best of each row of tiles, it finds all of them first, and those
  // concerned again.
  const bool keeps = group < shared::kTile;
  const uint64_t kept =
      std::min<uint64_t>(side, candidates.tilesY) * (candidates.tilesX / group + 2);
  const uint64_t search = keeps ? candidates.tilesY / group + kept : all / group;
  const uint64_t first =
      keeps ? std::min<uint64_t>(all / group + 2 * uint64_t{candidates.tilesY}, 16384) : 0;
  const uint64_t iterations = search + concerned * (6 * rows + 1) + cut * rows * bits + 64;
  return static_cast<uint32_t>(std::max<uint64_t>(1, (32768 - first) / iterations));
}

/// No image holds more peaks than discs of diameter `separation` fit around its pixels.
uint32_t mostPeaks(const shared::PlaneShape& shape, double separation) {
  const double area = (shape.width + separation) * (shape.height + separation);
  return static_cast<uint32_t>(std::min(area / (0.785 * separation * separation), 4e9)) + 1;
}

/// Constants of `resolve`: its workgroup, and what it keeps in shared memory beside a link for each
/// candidate.
std::vector<uint32_t> resolveConstants(const Device& device, uint32_t bits) {
  if (device.info().type == "cpu") return {bits, device.subgroupSize(), 1024, 1, kMostIterations};
  const uint32_t words = device.limits().maxComputeSharedMemorySize / 4 - shared::kMaxResolved - 16;
  const uint32_t buckets = words >= 6144 ? 4096 : 1024;
  return {bits, std::min(512U, device.limits().maxComputeWorkGroupInvocations), buckets,
          std::clamp((words - buckets) / 2, 1U, shared::kMaxResolved), 0};
}

/// `from`: what is measured, shared::kRefine...
shared::RefineParams refineParams(const Plane& plane, const Refinement& refinement,
                                  uint32_t maxMarkers, uint32_t from, Ranks ranks = {},
                                  uint32_t scanners = 0) {
  return {plane.shape,
          maxMarkers,
          refinement.radius,
          refinement.fullScale,
          refinement.enabled ? 1U : 0U,
          from,
          from == shared::kRefineList ? shared::kMaxListed : maxMarkers,
          refinement.longest,
          refinement.largest,
          ranks.first,
          ranks.count,
          refinement.seconds ? 1U : 0U,
          scanners};
}

}  // namespace

uint32_t squaredUp(double separation) {
  return static_cast<uint32_t>(std::min(std::ceil(separation * separation), 4294967295.0));
}

uint32_t reachOf(uint32_t separationUp) {
  return static_cast<uint32_t>(std::ceil(std::sqrt(static_cast<double>(separationUp)))) - 1;
}

CandidateMap::CandidateMap(const Device& device, const shared::PlaneShape& shape, uint32_t layers)
    : tilesX(tiles(shape.width)),
      tilesY(tiles(shape.height)),
      bitmap(device, size_t{4} * tilesX * tilesY * shared::kTile * layers, MemoryUse::device,
             "candidate bitmap"),
      tileKeys(device, size_t{4} * tilesX * tilesY * layers, MemoryUse::device, "tile keys") {}

Passes::Passes(const Device& device, uint32_t bits)
    : bits_(bits),
      cpu_(device.info().type == "cpu"),
      bytesAtOnce_(bits == 8 && device.bytesAtOnce()),
      countsListed_(cpu_ && device.wideLoads() && !bytesAtOnce_),
      // On a CPU a workgroup is one vector register wide, so that nothing waits at barriers.
      scanGroup_(cpu_ ? device.subgroupSize() : 128),
      mergeGroup_(cpu_ ? device.subgroupSize() : 256),
      refineGroup_(cpu_ ? device.subgroupSize() : 128),
      peaksGroup_(cpu_ ? device.subgroupSize() : 64),
      luminance_(kernel(device, "luminance", luminanceCode(device), {bits})),
      invert_(kernel(device, "invert", invert_spirv, {bits})),
      statistics_(scanKernel(device, false, false)),
      scan_(scanKernel(device, true, false)),
      statisticsMerge_(mergeKernel(device, false)),
      resolve_(kernel(device, "resolve", resolve_spirv, resolveConstants(device, bits))),
      peaks_(peaksKernel(device, false, false)),
      select_(kernel(device, "select", select_spirv, {bits, cpu_ ? device.subgroupSize() : 256})),
      refine_(refineKernel(device, false, false)),
      refineNear_(kernel(device, "refine_near", refineNearCode(device),
                         {bits, refineGroup_, device.subgroupSize()})),
      refineListed_(refineKernel(device, true, false)),
      refineLong_(refineKernel(device, false, true)),
      refineLongListed_(refineKernel(device, true, true)),
      resolveMany_{LateKernel(resolveManyKernel(device, 0)),
                   LateKernel(resolveManyKernel(device, 1)),
                   LateKernel(resolveManyKernel(device, 2))},
      statisticsAtOnce_(kernel(device, "statistics",
                               bytesAtOnce_ ? Code(statistics_bytes_spirv) : Code(statistics_spirv),
                               {bits_, scanGroup_})),
      statisticsBytes_(scanKernel(device, false, false, false, true)),
      scanBytes_(scanKernel(device, true, false, false, true)),
      statisticsMasked_(scanKernel(device, false, true)),
      scanMasked_(scanKernel(device, true, true)),
      relief_(scanKernel(device, true, false, true)),
      reliefMasked_(scanKernel(device, true, true, true)),
      statisticsMergeMasked_(mergeKernel(device, true)),
      peaksMasked_(peaksKernel(device, true, false)),
      peaksRelief_(peaksKernel(device, false, true)),
      peaksReliefMasked_(peaksKernel(device, true, true)) {
  // A CPU takes up to 80 ms for one of them, a GPU without a kernel cache half a second.
  early_ = {&refine_, &refineNear_};
  if (!cpu_) {
    early_.insert(early_.end(), {&statistics_, &scan_, &luminance_, &invert_, &statisticsMerge_,
                                 &resolve_, &refineListed_, &statisticsMasked_, &scanMasked_,
                                 &statisticsMergeMasked_, &peaksMasked_});
    for (const LateKernel& kernel : resolveMany_) early_.push_back(&kernel);
    if (bits == 8) early_.push_back(&statisticsAtOnce_);
    if (bytesAtOnce_) early_.push_back(&scanBytes_);
  }
  constexpr unsigned kMostMakers = 8;
  const unsigned threads =
      cpu_ ? 1 : std::clamp(std::thread::hardware_concurrency(), 1U, kMostMakers);
  for (unsigned i = 0; i < threads; ++i)
    makers_.emplace_back([this](const std::stop_token& stop) { makeEarly(stop); });
  const std::vector<const LateKernel*> first{&statistics_, &scan_, &refine_};  // of a CPU
  for (const LateKernel* kernel : cpu_ ? first : early_) (*kernel)();
}

/// Those that no other thread has begun.
void Passes::makeEarly(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const size_t i = begun_++;
    if (i >= early_.size()) return;
    try {
      (*early_[i])();
    } catch (const std::exception&) {  // whoever needs it is told
    }
  }
}

std::function<Kernel()> Passes::mergeKernel(const Device& device, bool masked) const {
  return kernel(device, "statistics_merge", statistics_merge_spirv,
                {bits_, mergeGroup_, masked ? 1U : 0U});
}

std::function<Kernel()> Passes::scanKernel(const Device& device, bool seek, bool masked,
                                           bool prominence, bool bytes) const {
  const Code code = bytes ? Code(scan_bytes_spirv) : scanCode(device);
  return kernel(
      device, seek ? "scan" : "statistics", code,
      {bits_, scanGroup_, seek ? 1U : 0U, masked ? 1U : 0U, cpu_ ? 1U : 0U, prominence ? 1U : 0U});
}

std::function<Kernel()> Passes::refineKernel(const Device& device, bool listed,
                                             bool elongated) const {
  return kernel(device, "refine", refineCode(device),
                {bits_, refineGroup_, device.subgroupSize(),
                 listed ? shared::kRefineList : shared::kRefineAny, cpu_ && !listed ? 1U : 0U,
                 elongated ? 1U : 0U});
}

std::function<Kernel()> Passes::peaksKernel(const Device& device, bool masked,
                                            bool prominence) const {
  return kernel(device, "peaks", peaksCode(device),
                {bits_, masked ? 1U : 0U, peaksGroup_, prominence ? 1U : 0U});
}

void Passes::prepareMasks() const {
  for (const LateKernel* kernel : {&statisticsMasked_, &scanMasked_, &statisticsMergeMasked_, &peaksMasked_})
    (*kernel)();
}

void Passes::luminance(Recorder& recorder, const Plane& color, const Plane& grey) const {
  recorder.run(luminance_(), {color.buffer, grey.buffer},
               shared::LuminanceParams{grey.shape, color.shape},
               {loadsPerRow(grey.shape), grey.shape.height, grey.layers});
}

void Passes::invert(Recorder& recorder, const Plane& luminance, const Plane& response) const {
  recorder.run(invert_(), {luminance.buffer, response.buffer},
               shared::InvertParams{luminance.shape},
               {loadsPerRow(luminance.shape), luminance.shape.height, luminance.layers});
}

void Passes::peaks(Recorder& recorder, const Plane& response, const PixelMask& mask,
                   const Buffer& feedback, const CandidateMap& candidates, const Buffer& results,
                   bool prominence) const {
  const bool masked = mask.buffer != nullptr;
  const LateKernel& relief = masked ? peaksReliefMasked_ : peaksRelief_;
  const Kernel& kernel = prominence ? relief() : masked ? peaksMasked_() : peaks_();
  const uint32_t local = kernel.localSize()[0];
  recorder.run(
      kernel,
      {response.buffer, &feedback, &candidates.bitmap, &candidates.tileKeys, &results,
       masked ? mask.buffer : response.buffer, response.buffer},
      shared::PeaksParams{response.shape, candidates.tilesX, candidates.tilesY, mask.pitch},
      {candidates.tilesX * local, candidates.tilesY, response.layers});
}

void Passes::select(Recorder& recorder, const Plane& response, const CandidateMap& candidates,
                    const Selection& selection, const Buffer& results, const Buffer& found) const {
  const uint32_t separationUp = squaredUp(selection.separation);
  const uint32_t reach = reachOf(separationUp);
  const uint32_t budget = selectBudget(candidates, reach, select_().localSize()[0], bits_);
  const uint32_t most =
      std::min(selection.maxMarkers, mostPeaks(response.shape, selection.separation));
  for (uint32_t accepted = 0; accepted < most; accepted += budget) {
    recorder.run(select_(),
                 {response.buffer, &candidates.bitmap, &candidates.tileKeys, &results, &found},
                 shared::SelectParams{response.shape, candidates.tilesX, candidates.tilesY,
                                      selection.maxMarkers, separationUp, reach, budget},
                 {1, 1, response.layers});
  }
}

void Passes::refineFound(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                         const Refinement& refinement, uint32_t maxMarkers,
                         const FoundMemory& found, const Buffer& outcome, const Buffer& markers,
                         Ranks ranks) const {
  const uint32_t from = found.blobs    ? shared::kRefineBlobs
                        : found.byX    ? shared::kRefineByX
                        : found.ranked ? shared::kRefineRanked
                                       : shared::kRefinePeaks;
  const auto params = refineParams(plane, refinement, maxMarkers, from, ranks);
  const Kernel& kernel = refinement.elongated ? refineLong_() : refine_();
  // It waits for nobody: what it would need for that is not touched.
  const std::array<const Buffer*, 9> all{plane.buffer, &feedback, &found.results,
                                         &found.found, &markers,  &outcome,
                                         &found.found, &markers,  &markers};
  const auto buffers = std::span(all).first(kernel.bindings().size());
  if (found.groups != nullptr) {
    recorder.runCounted(kernel, buffers, params, *found.groups);
  } else {
    const uint32_t most =
        found.ranked || found.byX ? std::min(maxMarkers, ranks.count) : maxMarkers;
    recorder.run(kernel, buffers, std::as_bytes(std::span(&params, 1)), refineExtent(plane, most));
  }
}

void Passes::refineListed(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                          const Refinement& refinement, uint32_t maxMarkers,
                          const ScanMemory& memory, const Buffer& markers,
                          uint32_t scanners) const {
  // There is no outcome: the kernel leaves the buffer alone that stands in for it.
  const std::array<const Buffer*, 9> all{plane.buffer, &feedback,    &memory.counts,
                                         &memory.list, &markers,     &markers,
                                         &memory.list, &memory.post, &memory.late};
  const auto params =
      refineParams(plane, refinement, maxMarkers, shared::kRefineList, {}, scanners);
  const LateKernel& any = refinement.elongated ? refineLong_ : refine_;
  const LateKernel& listed = refinement.elongated ? refineLongListed_ : refineListed_;
  const Kernel& kernel = countsListed_ ? any() : listed();
  const auto buffers = std::span(all).first(kernel.bindings().size());
  if (countsListed_) {
    recorder.runCounted(kernel, buffers, params, memory.groups);
  } else {
    recorder.run(kernel, buffers, std::as_bytes(std::span(&params, 1)),
                 refineExtent(plane, maxMarkers));
  }
}

void Passes::rehearse(Recorder& recorder, const Buffer& feedback, const Rehearsal& own) const {
  const std::array<const Buffer*, 9> all{&own.picture, &feedback,    &own.counts,
                                         &own.list,    &own.markers, &own.markers,
                                         &own.list,    &own.markers, &own.markers};
  const Kernel& kernel = refineListed_();
  recorder.runAhead(kernel, std::span(all).first(kernel.bindings().size()), own.params,
                    {Rehearsal::kTimes * refineGroup_, 1, 1});
}

void Passes::refineNear(Recorder& recorder, const Plane& plane, const Refinement& refinement,
                        uint32_t count, const Buffer& near, const Buffer& readback) const {
  recorder.run(refineNear_(), {plane.buffer, &near, &readback},
               refineParams(plane, refinement, 0, shared::kRefinePeaks),
               {count * refineNear_().localSize()[0], 1, 1});
}

Extent Passes::refineExtent(const Plane& plane, uint32_t maxMarkers) const {
  return {maxMarkers * refine_().localSize()[0], 1, plane.layers};
}

}  // namespace glint
