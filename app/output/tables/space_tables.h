// Tables of points in space; docs/formats.md describes them with samples. See tables.h.
#pragma once

#include "app/motion/space/space_row.h"
#include "app/output/tables/table.h"

namespace glint::output {

/// points.csv: points, once they are final. The whole set's rows come with the first camera.
struct PointsTable {
  using Row = motion::SpaceRow;
  static std::span<const Column<Row>> columns();
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    const auto* space = camera == 0 ? frame.results.get<motion::SpaceFrame>() : nullptr;
    if (space == nullptr) return;
    for (const motion::SpaceRow& row : space->finalised) take(row);
  }
};

/// poses.csv: bodies of each set, once they are final.
struct PosesTable {
  using Row = motion::PoseRow;
  static std::span<const Column<Row>> columns();
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    const auto* space = camera == 0 ? frame.results.get<motion::SpaceFrame>() : nullptr;
    if (space == nullptr) return;
    for (const motion::PoseRow& row : space->finalPoses) take(row);
  }
};

/// Rays that meet and are no point, and why.
struct RejectedPointsTable {
  using Row = motion::RefusedRow;
  static std::span<const Column<Row>> columns();
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    const auto* space = camera == 0 ? frame.results.get<motion::SpaceFrame>() : nullptr;
    if (space == nullptr) return;
    for (const motion::RefusedRow& row : space->refused) take(row);
  }
};

}  // namespace glint::output
