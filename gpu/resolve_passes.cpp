// The passes that accept peaks from a list of candidates.
#include <algorithm>
#include <array>
#include <bit>

#include "gpu/passes.h"
#include "shared/limits.h"
#include "shared/params.h"
#include "shared/results.h"
#include "spirv/resolve_many.h"

namespace glint {
namespace {

constexpr uint32_t kManyGroup = 128;  // invocations of `resolve_many`
/// Turns of its loop, short of the 65,535 after which llvmpipe leaves it, and dispatches of it that
/// decide. On a GPU all its workgroups mostly run at once, so that the first dispatch decides all.
/// On a CPU one runs after the other.
constexpr uint32_t kTurnsOnGpu = 20000, kDecidedOnGpu = 2, kTurnsOnCpu = 2500, kDecidedOnCpu = 32;

/// What `resolve` and `resolveMany` take for near.
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

std::function<Kernel()> Passes::resolveManyKernel(const Device& device, uint32_t step) const {
  const std::array constants{bits_, kManyGroup, step, cpu_ ? kTurnsOnCpu : kTurnsOnGpu};
  return [&device, constants] {
    return Kernel(device, "resolve_many", resolve_many_spirv, constants);
  };
}

void Passes::resolve(Recorder& recorder, const ScanMemory& memory, uint32_t layers,
                     const Selection& selection, const Buffer& results, const Buffer& found,
                     const Buffer* groups, uint32_t scanners) const {
  const Nearness near(selection);
  const bool counts = groups != nullptr;
  recorder.run(
      resolve_(),
      {&memory.counts, &memory.list, &results, &found, counts ? groups : &found, &memory.late},
      shared::ResolveParams{selection.maxMarkers, near.separationUp, near.reach, near.cellShift,
                            counts ? 1U : 0U, scanners},
      {1, 1, layers});
}

void Passes::resolveMany(Recorder& recorder, const ScanMemory& memory, const ResolveMemory& own,
                         uint32_t layers, const Selection& selection, const Buffer& results,
                         const Buffer& found) const {
  const Nearness near(selection);
  const auto run = [&](size_t step, bool last) {
    recorder.run(resolveMany_[step](),
                 {&memory.counts, &memory.list, &own.heads, &own.links, &own.states, &own.accepted,
                  &own.counts, &results, &found},
                 shared::ResolveManyParams{selection.maxMarkers, near.separationUp, near.reach,
                                           near.cellShift, last ? 1U : 0U},
                 {shared::kMaxListed, 1, layers});
  };
  recorder.clear(own.heads);
  run(0, false);
  const uint32_t times = cpu_ ? kDecidedOnCpu : kDecidedOnGpu;
  for (uint32_t i = 1; i <= times; ++i) run(1, i == times);
  run(2, false);
}

}  // namespace glint
