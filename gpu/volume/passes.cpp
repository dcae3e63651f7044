#include "gpu/volume/passes.h"

#include <algorithm>
#include <bit>
#include <string>

#include "config/error.h"
#include "spirv/distance_depth.h"
#include "spirv/distance_pack.h"
#include "spirv/distance_planes.h"
#include "spirv/distance_rows.h"
#include "spirv/distance_sweep.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kEnvelopeLanes = 64;

// Columns up to this length keep their lists in shared memory, which answers faster. This matters
// for small volumes, where a device has few other columns to work on while it waits for memory.
constexpr uint32_t kSharedColumn = 128;
constexpr uint32_t kSharedLanes = 32;

// Columns up to this length can be searched.
constexpr uint32_t kMaxSearchedColumn = 512;

constexpr uint32_t kNever = 0x3fffffff;  // the same as kFar in shaders/distance_sweep.comp

struct StepWeights {
  uint32_t face, edge, corner;  // kNever: the metric has no such step
};

StepWeights weightsOf(Metric metric) {
  if (metric == Metric::chamfer345) return {3, 4, 5};
  if (metric == Metric::cityblock) return {1, kNever, kNever};
  return {1, 1, 1};
}

uint32_t blocksOf(uint32_t length) {
  return (length + shared::kDistanceBlock - 1) / shared::kDistanceBlock;
}

/// Returns the length for which the kernel that searches columns of `length` is compiled. There are
/// few such lengths, so that few kernels are compiled.
uint32_t searchedRows(uint32_t length) {
  return std::max(std::bit_ceil(length), kSharedColumn);
}

/// Returns the number of columns that a workgroup searches: 32 of 256 voxels take 37 KiB of shared
/// memory, as 16 of 512 voxels do.
uint32_t searchedLanes(uint32_t rows) {
  return rows <= 256 ? kSharedLanes : kSharedLanes / 2;
}

/// Returns true if columns are searched. A search takes many lanes, and at worst a time
/// proportional to the square of the length, so CPUs do it only on request.
bool searches(const Device& device, const DistanceOptions& options, uint32_t length) {
  if (options.columns == ColumnMethod::envelope || length > kMaxSearchedColumn) return false;
  const uint32_t rows = searchedRows(length), lanes = searchedLanes(rows);
  const uint32_t invocations = lanes * blocksOf(rows);
  const uint32_t words = rows + blocksOf(rows) + blocksOf(rows) / shared::kDistanceGroup;
  const size_t bytes = sizeof(uint32_t) * (lanes * words + 1);
  return invocations <= device.limits().maxComputeWorkGroupInvocations &&
         bytes <= device.limits().maxComputeSharedMemorySize &&
         (options.columns == ColumnMethod::search || device.info().type != "cpu");
}

/// Specialisation constants of kernels that have none.
struct NoConstants {
  uint32_t unused = 0;
};

/// Specialisation constants of shaders/distance_column.glsl.
struct ColumnConstants {
  uint32_t lanes;     // columns side by side in a workgroup
  uint32_t floats;    // 1: distances are floats
  uint32_t sites;     // 1: the nearest features are found, too
  uint32_t rows;      // the most rows of a column that fit into shared memory; 0: it is not used
  uint32_t together;  // invocations per column; more than 1: they search it
};

ColumnConstants columnConstants(const Device& device, const DistanceOptions& options,
                                uint32_t length) {
  const uint32_t floats = options.floats() ? 1 : 0, sites = options.nearest ? 1 : 0;
  if (searches(device, options, length)) {
    const uint32_t rows = searchedRows(length);
    return {searchedLanes(rows), floats, sites, rows, blocksOf(rows)};
  }
  if (length > kSharedColumn) return {kEnvelopeLanes, floats, sites, 0, 1};
  return {kSharedLanes, floats, sites, kSharedColumn, 1};
}

/// Specialisation constants of distance_sweep.comp.
struct SweepConstants {
  uint32_t lanes;  // invocations of a workgroup, each for four voxels of a row
  uint32_t alone;  // 1: the workgroup fits into one subgroup
  uint32_t start;  // 1: the sweep forwards begins with the distances within rows
  uint32_t whole;  // 1: the width is a multiple of 4
  uint32_t full;   // 1: the width is that of all lanes
};

/// Returns the constants for a kernel that sweeps volumes of this width. There are few different
/// ones, so that few kernels are compiled. Throws Error if the device's workgroups are too small.
SweepConstants sweepConstants(const Device& device, uint32_t width, bool start) {
  const uint32_t lanes = std::bit_ceil((width + 3) / 4);
  const uint32_t most = std::min(device.limits().maxComputeWorkGroupInvocations,
                                 device.limits().maxComputeWorkGroupSize[0]);
  if (lanes > most)
    throw Error("the device '" + device.info().name +
                "' can compute step metrics only for volumes of at most " +
                std::to_string(4 * std::bit_floor(most)) + " voxels along x, and this one has " +
                std::to_string(width));
  return {lanes, lanes <= device.subgroupSize() ? 1U : 0U, start ? 1U : 0U,
          width % 4 == 0 ? 1U : 0U, width == 4 * lanes ? 1U : 0U};
}

shared::DistanceShape shapeOf(const VolumeShape& shape) {
  return {shape.width, shape.height, shape.depth, shape.words()};
}

float squaredStep(const DistanceOptions& options, size_t axis) {
  if (!options.floats()) return 1;
  const double step = options.spacing[axis] / options.unit();
  return static_cast<float>(step * step);
}

shared::DistanceEnvelopeParams envelopeParams(const VolumeShape& shape,
                                              const DistanceOptions& options, size_t axis,
                                              uint32_t rasterHeight) {
  const float along = squaredStep(options, axis);
  return {shapeOf(shape), squaredStep(options, 0), along, 1 / along, rasterHeight};
}

}  // namespace

DistancePasses::DistancePasses(const Device& device, const VolumeShape& shape,
                               const DistanceOptions& options, std::shared_ptr<KernelStore> kernels)
    : options_(options),
      kernels_(kernels ? std::move(kernels) : std::make_shared<KernelStore>(device)),
      pack_(kernels_->get({"distance_pack", distance_pack_spirv, NoConstants{}})),
      rows_(kernels_->get({"distance_rows", distance_rows_spirv, NoConstants{}})) {
  if (options.metric == Metric::euclidean) {
    planes_ = &kernels_->get(
        {"distance_planes", distance_planes_spirv, columnConstants(device, options, shape.height)});
    depth_ = &kernels_->get(
        {"distance_depth", distance_depth_spirv, columnConstants(device, options, shape.depth)});
  } else {
    const auto sweeper = [&](bool start) {
      return &kernels_->get(
          {"distance_sweep", distance_sweep_spirv, sweepConstants(device, shape.width, start)});
    };
    firstSweep_ = sweeper(true);
    sweep_ = sweeper(false);
  }
}

void DistancePasses::pack(Recorder& recorder, const VolumeShape& shape, const Buffer& bytes,
                          const Buffer& bits) const {
  recorder.run(pack_, {&bytes, &bits}, shared::DistancePackParams{shapeOf(shape)},
               {shape.words() * shape.height, shape.depth, 1});
}

size_t DistancePasses::recordBytes(const VolumeShape& shape) {
  return 2 * sizeof(uint32_t) * shape.words() * shape.rows();
}

void DistancePasses::rows(Recorder& recorder, const VolumeShape& shape, const Buffer& bits,
                          const Buffer& records) const {
  recorder.run(rows_, {&bits, &records},
               shared::DistanceRowsParams{shapeOf(shape), options_.invert ? 1U : 0U},
               {shape.words() * shape.height, shape.depth, 1});
}

void DistancePasses::planes(Recorder& recorder, const VolumeShape& shape, const Buffer& records,
                            const Buffer& links, const Buffer& distances,
                            const Buffer* sites) const {
  recorder.run(*planes_, {&records, &links, &distances, sites != nullptr ? sites : &distances},
               envelopeParams(shape, options_, 1, shape.height),
               {shape.width, shape.depth * planes_->localSize()[1], 1});
}

void DistancePasses::depth(Recorder& recorder, const VolumeShape& shape, uint32_t rasterHeight,
                           const Buffer& planes, const Buffer* sites, const Buffer& links,
                           const Buffer& distances, const Buffer* nearest) const {
  recorder.run(*depth_,
               {&planes, &links, &distances, sites != nullptr ? sites : &planes,
                nearest != nullptr ? nearest : &distances},
               envelopeParams(shape, options_, 2, rasterHeight),
               {shape.width, shape.height * depth_->localSize()[1], 1});
}

void DistancePasses::run(Recorder& recorder, const VolumeShape& shape, const Buffer& distances,
                         const Sweep& sweep) const {
  const StepWeights weights = weightsOf(options_.metric);
  const bool slanted = sweep.dy != 0 && sweep.dz != 0;
  const uint32_t weight = slanted ? weights.edge : weights.face;
  const uint32_t sideways = slanted ? weights.corner : weights.edge;
  if (weight == kNever) return;
  const shared::DistanceSweepParams params{.shape = shapeOf(shape),
                                           .dy = sweep.dy,
                                           .dz = sweep.dz,
                                           .weight = weight,
                                           .side = sideways == kNever ? kNever : sideways - weight,
                                           .along = weights.face,
                                           .forwards = sweep.across != Across::down ? 1U : 0U,
                                           .backwards = sweep.across != Across::up ? 1U : 0U};
  const uint32_t chains = sweep.dz == 0   ? shape.depth
                          : sweep.dy == 0 ? shape.height
                                          : shape.height + shape.depth - 1;
  recorder.run(*sweep.kernel, {sweep.records, &distances, &distances}, params,
               {chains * sweep.kernel->localSize()[0], 1, 1});
}

void DistancePasses::sweepPlanes(Recorder& recorder, const VolumeShape& shape,
                                 const Buffer& records, const Buffer& distances) const {
  run(recorder, shape, distances, {firstSweep_, &records, 1, 0, Across::both});
}

void DistancePasses::sweepAcross(Recorder& recorder, const VolumeShape& shape,
                                 const Buffer& distances, Across across) const {
  if (shape.depth == 1) return;
  const auto sweep = [&](int dy) {
    run(recorder, shape, distances, {sweep_, &distances, dy, 1, across});
  };
  sweep(0);
  if (shape.height == 1) return;
  sweep(1);
  sweep(-1);
}

}  // namespace glint::gpu
