// Tables of points in space; docs/formats.md describes them with samples. See tables.h.
#pragma once

#include "app/sinks/table.h"
#include "app/space/space_row.h"

namespace glint {

/// points.csv: points, once they are final. The whole set's rows come with the first camera.
struct PointsTable {
  using Row = SpaceRow;
  static std::span<const Column<Row>> columns();
  static void rows(const Frame& frame, size_t camera, const auto& take) {
    const auto* space = camera == 0 ? frame.results.get<SpaceFrame>() : nullptr;
    if (space == nullptr) return;
    for (const SpaceRow& row : space->finalised) take(row);
  }
};

/// poses.csv: bodies of each set, once they are final.
struct PosesTable {
  using Row = PoseRow;
  static std::span<const Column<Row>> columns();
  static void rows(const Frame& frame, size_t camera, const auto& take) {
    const auto* space = camera == 0 ? frame.results.get<SpaceFrame>() : nullptr;
    if (space == nullptr) return;
    for (const PoseRow& row : space->finalPoses) take(row);
  }
};

/// Rays that meet and are no point, and why.
struct RejectedPointsTable {
  using Row = RefusedRow;
  static std::span<const Column<Row>> columns();
  static void rows(const Frame& frame, size_t camera, const auto& take) {
    const auto* space = camera == 0 ? frame.results.get<SpaceFrame>() : nullptr;
    if (space == nullptr) return;
    for (const RefusedRow& row : space->refused) take(row);
  }
};

}  // namespace glint
