#include "gpu/passes.h"

#include <algorithm>
#include <cmath>

#include "shared/limits.h"
#include "shared/params.h"
#include "shared/results.h"
#include "spirv/invert.h"
#include "spirv/luminance.h"
#include "spirv/peaks.h"
#include "spirv/refine.h"
#include "spirv/select.h"
#include "spirv/statistics.h"
#include "spirv/statistics_merge.h"

namespace glint {
namespace {

uint32_t loadsPerRow(const shared::PlaneShape& shape) {
  return shape.pitch / 4;
}
uint32_t tiles(uint32_t pixels) {
  return (pixels + shared::kTile - 1) / shared::kTile;
}

/// The least integer that dx * dx + dy * dy must reach for a distance of at least `separation`.
uint32_t squaredUp(double separation) {
  return static_cast<uint32_t>(std::min(std::ceil(separation * separation), 4294967295.0));
}

/// The largest offset along one axis that is still too near.
uint32_t reachOf(uint32_t separationUp) {
  return static_cast<uint32_t>(std::ceil(std::sqrt(static_cast<double>(separationUp)))) - 1;
}

/// How many peaks one dispatch of `select` may accept so that no invocation comes near the 65,535
/// loop iterations after which llvmpipe leaves its loops: the iterations that one peak can cost are
/// the search (a tile in 256), the removal (a tile in 8) and the tiles cut by the separation's
/// circle, whose rows may hold 32 candidates each.
uint32_t selectBudget(const Candidates& candidates, uint32_t reach) {
  const uint64_t all = uint64_t{candidates.tilesX} * candidates.tilesY;
  const uint64_t side = uint64_t{reach} * 2 / shared::kTile + 2;
  const uint64_t concerned = std::min(side * side, all);
  const uint64_t cut = std::min(side * 4, all);
  const uint64_t iterations = all / 256 + concerned / 8 + cut / 8 * 40 + 64;
  return static_cast<uint32_t>(std::max<uint64_t>(1, 32768 / iterations));
}

/// No image holds more peaks than discs of diameter `separation` fit around its pixels.
uint32_t mostPeaks(const shared::PlaneShape& shape, double separation) {
  const double area = (shape.width + separation) * (shape.height + separation);
  return static_cast<uint32_t>(std::min(area / (0.785 * separation * separation), 4e9)) + 1;
}

}  // namespace

Candidates::Candidates(const Device& device, const shared::PlaneShape& shape, uint32_t layers)
    : tilesX(tiles(shape.width)),
      tilesY(tiles(shape.height)),
      bitmap(device, size_t{4} * tilesX * tilesY * shared::kTile * layers, MemoryUse::device,
             "candidate bitmap"),
      tileKeys(device, size_t{4} * tilesX * tilesY * layers, MemoryUse::device, "tile keys") {}

Passes::Passes(const Device& device, uint32_t bits)
    : bits_(bits),
      // A CPU wants few long threads, a GPU enough to fill its multiprocessors.
      rowsPerThread_(device.info().type == "cpu" ? 64 : 8),
      luminance_(device, "luminance", luminance_spirv, {{bits}}),
      invert_(device, "invert", invert_spirv, {{bits}}),
      statistics_(device, "statistics", statistics_spirv, {{bits}}),
      statisticsMerge_(device, "statistics_merge", statistics_merge_spirv, {{bits}}),
      peaks_(device, "peaks", peaks_spirv, {{bits}}),
      select_(device, "select", select_spirv, {{bits}}),
      refine_(device, "refine", refine_spirv, {{bits}}) {}

void Passes::luminance(Recorder& recorder, const Plane& color, const Plane& grey) const {
  recorder.run(luminance_, {color.buffer, grey.buffer},
               shared::LuminanceParams{grey.shape, color.shape},
               {loadsPerRow(grey.shape), grey.shape.height, grey.layers});
}

void Passes::invert(Recorder& recorder, const Plane& luminance, const Plane& response) const {
  recorder.run(invert_, {luminance.buffer, response.buffer}, shared::InvertParams{luminance.shape},
               {loadsPerRow(luminance.shape), luminance.shape.height, luminance.layers});
}

Extent Passes::statisticsExtent(const shared::PlaneShape& shape, uint32_t layers) const {
  return {loadsPerRow(shape), (shape.height + rowsPerThread_ - 1) / rowsPerThread_, layers};
}

size_t Passes::statisticsParts(const shared::PlaneShape& shape, uint32_t layers) const {
  const Extent extent = statisticsExtent(shape, layers);
  const uint32_t local = statistics_.localSize()[0];
  return size_t{(extent.x + local - 1) / local} * extent.y * extent.z;
}

void Passes::statistics(Recorder& recorder, const Plane& plane, const Buffer& parts,
                        const Buffer& result) const {
  recorder.run(statistics_, {plane.buffer, &parts},
               shared::StatisticsParams{plane.shape, rowsPerThread_},
               statisticsExtent(plane.shape, plane.layers));
  const auto perLayer = static_cast<uint32_t>(statisticsParts(plane.shape, 1));
  recorder.run(statisticsMerge_, {&parts, &result}, shared::StatisticsMergeParams{perLayer},
               {1, 1, plane.layers});
}

void Passes::peaks(Recorder& recorder, const Plane& response, const Buffer& feedback,
                   const Candidates& candidates, const Buffer& results) const {
  const uint32_t local = peaks_.localSize()[0];
  recorder.run(peaks_,
               {response.buffer, &feedback, &candidates.bitmap, &candidates.tileKeys, &results},
               shared::PeaksParams{response.shape, candidates.tilesX, candidates.tilesY},
               {candidates.tilesX * local, candidates.tilesY, response.layers});
}

void Passes::select(Recorder& recorder, const Plane& response, const Candidates& candidates,
                    const Selection& selection, const Buffer& results,
                    const Buffer& markers) const {
  const uint32_t separationUp = squaredUp(selection.separation);
  const uint32_t reach = reachOf(separationUp);
  const uint32_t budget = selectBudget(candidates, reach);
  const uint32_t most =
      std::min(selection.maxMarkers, mostPeaks(response.shape, selection.separation));
  for (uint32_t accepted = 0; accepted < most; accepted += budget) {
    recorder.run(select_,
                 {response.buffer, &candidates.bitmap, &candidates.tileKeys, &results, &markers},
                 shared::SelectParams{response.shape, candidates.tilesX, candidates.tilesY,
                                      selection.maxMarkers, separationUp, reach, budget},
                 {1, 1, response.layers});
  }
}

void Passes::refine(Recorder& recorder, const Plane& response, const Buffer& feedback,
                    const Refinement& refinement, uint32_t maxMarkers, const Buffer& results,
                    const Buffer& markers) const {
  const uint32_t local = refine_.localSize()[0];
  recorder.run(refine_, {response.buffer, &feedback, &results, &markers},
               shared::RefineParams{response.shape, maxMarkers, refinement.radius,
                                    refinement.fullScale, refinement.enabled ? 1U : 0U},
               {maxMarkers * local, 1, response.layers});
}

}  // namespace glint
