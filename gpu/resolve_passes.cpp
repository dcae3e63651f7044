// The passes that accept peaks from a list of candidates.
#include <algorithm>
#include <bit>

#include "gpu/passes.h"
#include "shared/limits.h"
#include "shared/params.h"
#include "shared/results.h"
#include "spirv/resolve.h"
#include "spirv/resolve_many.h"

namespace glint::gpu {
namespace {

/// Most loop iterations of an invocation of `resolve` on a CPU. llvmpipe leaves the loops after
/// 65,535 iterations.
constexpr uint32_t kMostIterations = 40000;

constexpr uint32_t kManyGroup = 128;  // invocations of a workgroup of `resolve_many`
/// Most turns of the loop of `resolve_many`, and the number of its dispatches that decide. llvmpipe
/// leaves the loop after 65,535 turns. On a GPU mostly all workgroups run at the same time, so that
/// the first dispatch decides everything. On a CPU they run one after the other.
constexpr uint32_t kTurnsOnGpu = 20000, kDecidedOnGpu = 2, kTurnsOnCpu = 2500, kDecidedOnCpu = 32;

/// Specialisation constants of resolve.comp.
struct ResolveConstants {
  uint32_t bits;
  uint32_t group;           // invocations of a workgroup
  uint32_t buckets;         // buckets of the hash table, a power of two
  uint32_t cached;          // candidates that fit in shared memory
  uint32_t mostIterations;  // limit of an invocation's loop iterations; 0: no limit
};

/// Specialisation constants of resolve_many.comp.
struct ResolveManyConstants {
  uint32_t bits;
  uint32_t group;      // invocations of a workgroup
  uint32_t step;       // a ManyStep
  uint32_t mostTurns;  // most turns of an invocation's loop
};

/// The parameters of `resolve` and `resolve_many` that define which candidates are too near.
struct Nearness {
  explicit Nearness(const Selection& selection)
      : separationUp(squaredUp(selection.separation)),
        reach(std::max(reachOf(separationUp), 1U)),
        cellShift(static_cast<uint32_t>(std::bit_width(2 * reach - 1))) {}
  uint32_t separationUp, reach, cellShift;
};

}  // namespace

ResolveMemory::ResolveMemory(const Device& device, uint32_t layers)
    : heads(device, sizeof(uint32_t) * shared::kManyBuckets * layers, MemoryUse::device,
            "hash of candidates"),
      links(device, sizeof(uint32_t) * shared::kMaxListed * layers, MemoryUse::device,
            "links of candidates"),
      states(device, sizeof(uint32_t) * shared::kMaxListed * layers, MemoryUse::device,
             "states of candidates"),
      accepted(device, sizeof(shared::Candidate) * shared::kMaxListed * layers, MemoryUse::device,
               "accepted of many"),
      counts(device, sizeof(shared::LayerResult) * layers, MemoryUse::device, "counts of many") {}

KernelPlan Passes::resolvePlan() const {
  if (cpu_)
    return {"resolve", resolve_spirv,
            ResolveConstants{bits_, device_.subgroupSize(), 1024, 1, kMostIterations}};
  // Shared memory holds the hash table and a link for each candidate. The rest is for candidates.
  const auto& limits = device_.limits();
  const uint32_t words = limits.maxComputeSharedMemorySize / 4 - shared::kMaxResolved - 16;
  const uint32_t buckets = words >= 6144 ? 4096 : 1024;
  return {"resolve", resolve_spirv,
          ResolveConstants{bits_, std::min(512U, limits.maxComputeWorkGroupInvocations), buckets,
                           std::clamp((words - buckets) / 2, 1U, shared::kMaxResolved), 0}};
}

KernelPlan Passes::resolveManyPlan(ManyStep step) const {
  return {"resolve_many", resolve_many_spirv,
          ResolveManyConstants{bits_, kManyGroup, static_cast<uint32_t>(step),
                               cpu_ ? kTurnsOnCpu : kTurnsOnGpu}};
}

void Passes::resolve(Recorder& recorder, const ScanMemory& memory, uint32_t layers,
                     const Selection& selection, const Buffer& results, const Buffer& found,
                     const Buffer* groups, uint32_t scanners) const {
  const Nearness near(selection);
  const bool counts = groups != nullptr;
  recorder.run(
      kernels_.get(resolvePlan()),
      {&memory.counts, &memory.list, &results, &found, counts ? groups : &found, &memory.late},
      shared::ResolveParams{selection.maxMarkers, near.separationUp, near.reach, near.cellShift,
                            counts ? 1U : 0U, scanners},
      {1, 1, layers});
}

void Passes::resolveMany(Recorder& recorder, const ScanMemory& memory, const ResolveMemory& own,
                         uint32_t layers, const Selection& selection, const Buffer& results,
                         const Buffer& found) const {
  const Nearness near(selection);
  const auto run = [&](ManyStep step, bool last) {
    recorder.run(kernels_.get(resolveManyPlan(step)),
                 {&memory.counts, &memory.list, &own.heads, &own.links, &own.states, &own.accepted,
                  &own.counts, &results, &found},
                 shared::ResolveManyParams{selection.maxMarkers, near.separationUp, near.reach,
                                           near.cellShift, last ? 1U : 0U},
                 {shared::kMaxListed, 1, layers});
  };
  recorder.clear(own.heads);
  run(ManyStep::hash, false);
  const uint32_t times = cpu_ ? kDecidedOnCpu : kDecidedOnGpu;
  for (uint32_t i = 1; i <= times; ++i) run(ManyStep::decide, i == times);
  run(ManyStep::handOver, false);
}

}  // namespace glint::gpu
