// The passes that read a whole plane: statistics, and the search for candidates.
#include <algorithm>
#include <array>
#include <span>

#include "gpu/passes.h"
#include "gpu/visible_on_cpu.h"
#include "shared/limits.h"
#include "shared/params.h"
#include "shared/results.h"
#include "spirv/scan.h"
#include "spirv/scan_bytes.h"
#include "spirv/scan_cpu.h"
#include "spirv/statistics.h"
#include "spirv/statistics_bytes.h"
#include "spirv/statistics_merge.h"

namespace glint::gpu {
namespace {

/// Most rows of an invocation of `scan` on a CPU. The kernel allows at most 256, and at most 65,536
/// pixels per workgroup because its sums have 32 bits.
constexpr uint32_t kScanRows = 180;

/// The number of rows per invocation from which on a GPU handles the bytes of a word at once. With
/// fewer rows this variant is slower, because its first results come later.
constexpr uint32_t kRowsForBytes = 3;

/// Most loads of a layer that the keys of the kernel `statistics` can number.
constexpr uint32_t kMostLoads = (1 << 24) - 1;

/// Specialisation constants of scan.comp.
struct ScanConstants {
  uint32_t bits;
  uint32_t group;       // invocations of a workgroup
  uint32_t seeks;       // 1: it also lists candidates
  uint32_t masked;      // 1: only pixels whose bit in the mask is set count
  uint32_t alone;       // 1: the workgroup is one subgroup
  uint32_t prominence;  // 1: a layer may have a prominence
};

/// Specialisation constants of statistics.comp.
struct StatisticsConstants {
  uint32_t bits;
  uint32_t group;  // invocations of a workgroup
};

/// Specialisation constants of statistics_merge.comp.
struct MergeConstants {
  uint32_t bits;
  uint32_t group;   // invocations of a workgroup, a power of two
  uint32_t masked;  // 1: only pixels whose bit in the mask is set count
};

}  // namespace

ScanMemory::ScanMemory(const Device& device, const Passes& passes, const shared::PlaneShape& shape,
                       uint32_t layers)
    : parts(device,
            sizeof(shared::PlaneStatistics) * passes.scanWork(shape, layers, true).parts * layers,
            visibleOnCpu(device), "statistics parts"),
      list(device, sizeof(shared::Candidate) * shared::kMaxListed * layers, visibleOnCpu(device),
           "candidate list"),
      counts(device, sizeof(shared::LayerResult) * layers, visibleOnCpu(device),
             "candidate counts"),
      next(device, sizeof(shared::LayerResult) * layers, visibleOnCpu(device),
           "next candidate counts"),
      sums(device, size_t{4} * shared::kSums * shared::kSumStride * layers, MemoryUse::settings,
           "sums of statistics"),
      post(device, 2 * sizeof(uint32_t) * shared::kMaxListed * layers, MemoryUse::device,
           "posted candidates"),
      late(device, sizeof(uint32_t), MemoryUse::readback, "late passes"),
      groups(device, 3 * sizeof(uint32_t), MemoryUse::settings, "groups of candidates") {
  std::ranges::fill(sums.mapped(), std::byte{0});
  std::ranges::fill(late.mapped(), std::byte{0});
  groups.as<uint32_t>()[1] = 1;
  groups.as<uint32_t>()[2] = layers;
}

KernelPlan Passes::scanPlan(const ScanVariant& variant) const {
  const char* const name = variant.seeks ? "scan" : "statistics";
  const ScanConstants constants{.bits = bits_,
                                .group = scanGroup_,
                                .seeks = variant.seeks ? 1U : 0U,
                                .masked = variant.masked ? 1U : 0U,
                                .alone = cpu_ ? 1U : 0U,
                                .prominence = variant.prominence ? 1U : 0U};
  if (variant.bytes) return {name, scan_bytes_spirv, constants};
  if (device_.wideLoads()) return {name, scan_cpu_spirv, constants};
  return {name, scan_spirv, constants};
}

KernelPlan Passes::statisticsPlan() const {
  const StatisticsConstants constants{bits_, scanGroup_};
  if (bytesAtOnce_) return {"statistics", statistics_bytes_spirv, constants};
  return {"statistics", statistics_spirv, constants};
}

KernelPlan Passes::mergePlan(bool masked) const {
  return {"statistics_merge", statistics_merge_spirv,
          MergeConstants{bits_, mergeGroup_, masked ? 1U : 0U}};
}

bool Passes::countsBytes(const Plane& plane) const {
  return bytesAtOnce_ &&
         (cpu_ || scanWork(plane.shape, plane.layers, false).rowsPerThread >= kRowsForBytes);
}

Passes::ScanWork Passes::scanWork(const shared::PlaneShape& shape, uint32_t layers,
                                  bool seeks) const {
  const uint32_t perLoad = 128 / bits_;  // pixels
  const uint32_t columns = (shape.width + perLoad - 1) / perLoad;
  // There must be enough invocations to fill the multiprocessors of a GPU. In large images each has
  // more rows. For statistics alone it has at least two, because more parts take longer to merge.
  const uint64_t loads = uint64_t{columns} * shape.height * layers;
  const auto most =
      cpu_ ? kScanRows
           : static_cast<uint32_t>(std::clamp<uint64_t>(loads / 131072, seeks ? 1 : 2, 16));
  const uint32_t parts = (shape.height + most - 1) / most;  // invocations per column
  const uint32_t rows = (shape.height + parts - 1) / parts;
  const uint32_t threads = columns * parts;
  return {rows, {threads, 1, layers}, (threads + scanGroup_ - 1) / scanGroup_};
}

void Passes::runScan(Recorder& recorder, const ScanVariant& variant, const Plane& plane,
                     const PixelMask& mask, const Buffer& feedback, const ScanMemory& memory,
                     uint32_t posted) const {
  const Kernel& kernel = kernels_.get(scanPlan(variant));
  const ScanWork work = scanWork(plane.shape, plane.layers, variant.seeks);
  const Buffer* bits = variant.masked ? mask.buffer : plane.buffer;
  const std::array<const Buffer*, 9> buffers{
      plane.buffer, &memory.parts,  &feedback,
      bits,         &memory.counts, &memory.list,
      plane.buffer, &memory.next,   posted == 0 ? &memory.groups : &memory.post};
  const shared::ScanParams params{plane.shape, work.rowsPerThread, mask.pitch, posted};
  // The kernels for CPUs do not have all of the bindings.
  recorder.run(kernel, std::span(buffers).first(kernel.bindings().size()),
               std::as_bytes(std::span(&params, 1)), work.extent);
}

void Passes::mergeParts(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                        const ScanMemory& memory, const Buffer& result, const Buffer* samples,
                        uint32_t parts, uint32_t scanners) const {
  const bool masked = mask.buffer != nullptr;
  const uint32_t step = samples != nullptr ? sampleStep(plane.shape.width, plane.shape.height) : 0;
  // If no samples are wanted, `result` takes their place, and the kernel does not use it there.
  recorder.run(
      kernels_.get(mergePlan(masked)),
      {&memory.parts, &result, plane.buffer, masked ? mask.buffer : plane.buffer,
       samples != nullptr ? samples : &result, &memory.counts, &memory.late},
      shared::StatisticsMergeParams{plane.shape, parts, mask.pitch, step, scanners},
      {cpu_ || samples == nullptr ? 1 : mergeGroup_ + shared::kMaxSamples, 1, plane.layers});
}

void Passes::mergeStatistics(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                             const ScanMemory& memory, const Buffer& result, const Buffer* samples,
                             uint32_t scanners) const {
  const uint32_t parts = scanWork(plane.shape, plane.layers, true).parts;
  mergeParts(recorder, plane, mask, memory, result, samples, parts, scanners);
}

void Passes::statistics(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                        const Buffer& feedback, const ScanMemory& memory, const Buffer& result,
                        const Buffer* samples) const {
  const bool small = plane.shape.layerStride / 4 < kMostLoads;
  if (!cpu_ && bits_ == 8 && mask.buffer == nullptr && small)
    return statisticsAtOnce(recorder, plane, memory, result, samples);
  statisticsParts(recorder, plane, mask, feedback, memory);
  const uint32_t parts = scanWork(plane.shape, plane.layers, false).parts;
  mergeParts(recorder, plane, mask, memory, result, samples, parts, 0);
}

void Passes::statisticsParts(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                             const Buffer& feedback, const ScanMemory& memory) const {
  const bool masked = mask.buffer != nullptr;
  runScan(recorder, {.masked = masked, .bytes = !masked && countsBytes(plane)}, plane, mask,
          feedback, memory, 0);
}

void Passes::statisticsAtOnce(Recorder& recorder, const Plane& plane, const ScanMemory& memory,
                              const Buffer& result, const Buffer* samples) const {
  const ScanWork work = scanWork(plane.shape, plane.layers, false);
  const uint32_t step = samples != nullptr ? sampleStep(plane.shape.width, plane.shape.height) : 0;
  const uint32_t sampling = samples != nullptr ? shared::kMaxSamples : 0;
  // If no samples are wanted, `result` takes their place, and the kernel does not use it there.
  recorder.run(
      kernels_.get(statisticsPlan()),
      {plane.buffer, &memory.sums, &result, samples != nullptr ? samples : &result, plane.buffer},
      shared::StatisticsParams{plane.shape, work.rowsPerThread, 0, work.parts, step},
      {work.parts * scanGroup_ + sampling, 1, plane.layers});
}

void Passes::scan(Recorder& recorder, const Plane& response, const PixelMask& mask,
                  const Buffer& feedback, const ScanMemory& memory,
                  const ScanOptions& options) const {
  const bool masked = mask.buffer != nullptr;
  const ScanVariant variant{.seeks = true,
                            .masked = masked,
                            .prominence = options.prominence,
                            .bytes = !masked && !options.prominence && countsBytes(response)};
  runScan(recorder, variant, response, mask, feedback, memory, options.posted);
}

uint32_t Passes::scanners(const Plane& response) const {
  return scanWork(response.shape, response.layers, true).parts;
}

}  // namespace glint::gpu
