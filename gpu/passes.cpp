#include "gpu/passes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "shared/limits.h"
#include "shared/params.h"
#include "shared/results.h"
#include "spirv/invert.h"
#include "spirv/luminance.h"
#include "spirv/luminance_cpu.h"
#include "spirv/refine.h"
#include "spirv/refine_cpu.h"
#include "spirv/refine_near.h"
#include "spirv/refine_near_cpu.h"

namespace glint::gpu {
namespace {

/// Specialisation constants of kernels that only need the bits of a pixel.
struct PixelConstants {
  uint32_t bits;
};

/// Specialisation constants of refine.comp.
struct RefineConstants {
  uint32_t bits;
  uint32_t group;      // invocations of a workgroup
  uint32_t lanes;      // invocations of a subgroup
  uint32_t from;       // the input: shared::kRefineList, or shared::kRefineAny
  uint32_t inParts;    // 1: only peaks of some ranks, and no large listed candidates, are measured
  uint32_t elongated;  // 1: the model suits markers that are much longer than wide
};

/// Specialisation constants of refine_near.comp.
struct RefineNearConstants {
  uint32_t bits;
  uint32_t group;  // invocations of a workgroup
  uint32_t lanes;  // invocations of a subgroup
};

uint32_t loadsPerRow(const shared::PlaneShape& shape) {
  return shape.pitch / 4;
}

/// Returns the value of RefineParams::from for an input.
uint32_t kindOf(FoundMemory::What what) {
  switch (what) {
    case FoundMemory::What::peaks:
      return shared::kRefinePeaks;
    case FoundMemory::What::rankedPeaks:
      return shared::kRefineRanked;
    case FoundMemory::What::peaksByX:
      return shared::kRefineByX;
    case FoundMemory::What::blobs:
      break;
  }
  return shared::kRefineBlobs;
}

/// Returns the parameters of `refine`. `from` is the input, a constant shared::kRefine...
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

Passes::Passes(const Device& device, uint32_t bits)
    : device_(device),
      bits_(bits),
      cpu_(device.info().type == "cpu"),
      bytesAtOnce_(bits == 8 && device.bytesAtOnce()),
      countsListed_(cpu_ && device.wideLoads() && !bytesAtOnce_),
      // On a CPU a workgroup is as wide as one vector register, so that no barrier has to wait.
      scanGroup_(cpu_ ? device.subgroupSize() : 128),
      mergeGroup_(cpu_ ? device.subgroupSize() : 256),
      refineGroup_(cpu_ ? device.subgroupSize() : 128),
      kernels_(device) {
  // A CPU takes up to 80 ms for a kernel, a GPU without a kernel cache half a second. So kernels
  // that nearly every run needs are made here, by several threads; this one waits for those that
  // the first frame needs. A CPU does without the others, to start sooner.
  const KernelPlan statistics = scanPlan({}), scan = scanPlan({.seeks = true});
  const KernelPlan refine = refinePlan({});
  if (cpu_) {
    kernels_.makeAhead({refine, refineNearPlan()}, 1);
    for (const KernelPlan& plan : {statistics, scan, refine}) kernels_.get(plan);
    return;
  }
  std::vector<KernelPlan> plans{refine,
                                refineNearPlan(),
                                statistics,
                                scan,
                                luminancePlan(),
                                invertPlan(),
                                mergePlan(false),
                                resolvePlan(),
                                refinePlan({.listed = true}),
                                scanPlan({.masked = true}),
                                scanPlan({.seeks = true, .masked = true}),
                                mergePlan(true),
                                resolveManyPlan(ManyStep::hash),
                                resolveManyPlan(ManyStep::decide),
                                resolveManyPlan(ManyStep::handOver)};
  if (bits == 8) plans.push_back(statisticsPlan());
  if (bytesAtOnce_) plans.push_back(scanPlan({.seeks = true, .bytes = true}));
  constexpr unsigned kMostMakers = 8;
  kernels_.makeAhead(plans, std::clamp(std::thread::hardware_concurrency(), 1U, kMostMakers));
  for (const KernelPlan& plan : plans) kernels_.get(plan);
}

void Passes::prepareMasks() const {
  for (const KernelPlan& plan :
       {scanPlan({.masked = true}), scanPlan({.seeks = true, .masked = true}), mergePlan(true)})
    kernels_.get(plan);
}

KernelPlan Passes::luminancePlan() const {
  if (device_.wideLoads()) return {"luminance", luminance_cpu_spirv, PixelConstants{bits_}};
  return {"luminance", luminance_spirv, PixelConstants{bits_}};
}

KernelPlan Passes::invertPlan() const {
  return {"invert", invert_spirv, PixelConstants{bits_}};
}

KernelPlan Passes::refinePlan(const RefineVariant& variant) const {
  const RefineConstants constants{.bits = bits_,
                                  .group = refineGroup_,
                                  .lanes = device_.subgroupSize(),
                                  .from = variant.listed ? shared::kRefineList : shared::kRefineAny,
                                  .inParts = cpu_ && !variant.listed ? 1U : 0U,
                                  .elongated = variant.elongated ? 1U : 0U};
  if (device_.wideLoads()) return {"refine", refine_cpu_spirv, constants};
  return {"refine", refine_spirv, constants};
}

KernelPlan Passes::refineNearPlan() const {
  const RefineNearConstants constants{bits_, refineGroup_, device_.subgroupSize()};
  if (device_.wideLoads()) return {"refine_near", refine_near_cpu_spirv, constants};
  return {"refine_near", refine_near_spirv, constants};
}

void Passes::luminance(Recorder& recorder, const Plane& color, const Plane& grey) const {
  recorder.run(kernels_.get(luminancePlan()), {color.buffer, grey.buffer},
               shared::LuminanceParams{grey.shape, color.shape},
               {loadsPerRow(grey.shape), grey.shape.height, grey.layers});
}

void Passes::invert(Recorder& recorder, const Plane& luminance, const Plane& response) const {
  recorder.run(kernels_.get(invertPlan()), {luminance.buffer, response.buffer},
               shared::InvertParams{luminance.shape},
               {loadsPerRow(luminance.shape), luminance.shape.height, luminance.layers});
}

void Passes::refineFound(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                         const Refinement& refinement, uint32_t maxMarkers,
                         const FoundMemory& found, const Buffer& outcome, const Buffer& markers,
                         Ranks ranks) const {
  const uint32_t from = kindOf(found.what);
  const auto params = refineParams(plane, refinement, maxMarkers, from, ranks);
  const Kernel& kernel = kernels_.get(refinePlan({.elongated = refinement.elongated}));
  // This pass does not wait for `scan`, so the kernel does not use the last two buffers.
  const std::array<const Buffer*, 9> all{plane.buffer, &feedback, &found.results,
                                         &found.found, &markers,  &outcome,
                                         &found.found, &markers,  &markers};
  const auto buffers = std::span(all).first(kernel.bindings().size());
  if (found.groups != nullptr) {
    recorder.runCounted(kernel, buffers, params, *found.groups);
  } else {
    const uint32_t most =
        found.what == FoundMemory::What::rankedPeaks || found.what == FoundMemory::What::peaksByX
            ? std::min(maxMarkers, ranks.count)
            : maxMarkers;
    recorder.run(kernel, buffers, std::as_bytes(std::span(&params, 1)), refineExtent(plane, most));
  }
}

void Passes::refineListed(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                          const Refinement& refinement, uint32_t maxMarkers,
                          const ScanMemory& memory, const Buffer& markers,
                          uint32_t scanners) const {
  // There is no outcome, so `markers` takes its place, and the kernel does not use it there.
  const std::array<const Buffer*, 9> all{plane.buffer, &feedback,    &memory.counts,
                                         &memory.list, &markers,     &markers,
                                         &memory.list, &memory.post, &memory.late};
  const auto params =
      refineParams(plane, refinement, maxMarkers, shared::kRefineList, {}, scanners);
  const Kernel& kernel =
      kernels_.get(refinePlan({.listed = !countsListed_, .elongated = refinement.elongated}));
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
  const Kernel& kernel = kernels_.get(refinePlan({.listed = true}));
  recorder.runAhead(kernel, std::span(all).first(kernel.bindings().size()), own.params,
                    {Rehearsal::kTimes * refineGroup_, 1, 1});
}

void Passes::refineNear(Recorder& recorder, const Plane& plane, const Refinement& refinement,
                        uint32_t count, const Buffer& near, const Buffer& readback) const {
  recorder.run(kernels_.get(refineNearPlan()), {plane.buffer, &near, &readback},
               refineParams(plane, refinement, 0, shared::kRefinePeaks),
               {count * refineGroup_, 1, 1});
}

Extent Passes::refineExtent(const Plane& plane, uint32_t maxMarkers) const {
  return {maxMarkers * refineGroup_, 1, plane.layers};
}

}  // namespace glint::gpu
