// Glint's own tables; docs/formats.md describes them with samples. Each has `columns`, and `rows`,
// which calls `take` with every row that a camera has in a frame.
#pragma once

#include <limits>

#include "app/motion/space/space_row.h"
#include "app/output/sinks/edited_sink.h"
#include "app/output/tables/table.h"

namespace glint::output {

inline constexpr gpu::TemplateFit kNoFit{std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::quiet_NaN()};

/// tracks.csv: tracks, once they are final.
struct TracksTable {
  struct Row {
    uint64_t camera;
    const motion::TrackRow& track;
    bool provisional = false;
    uint64_t count = 0;                   ///< number of rows before this one in the file
    const EditedTracks* edits = nullptr;  ///< edits that are applied to the track; or null
  };
  static std::span<const Column<Row>> columns();
  /// Returns the columns that describe the track itself: from "track" on.
  static std::span<const Column<Row>> own() { return columns().subspan(3); }
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    for (const motion::TrackRow& row : frame.cameras[camera].finalised)
      take(Row{.camera = camera,
               .track = row,
               .provisional = frame.provisional(),
               .edits = editsOf(frame)});
  }
};

/// detections.csv: every marker found, in order of rank.
struct DetectionsTable {
  struct Row {
    uint64_t camera;
    const gpu::LayerMeasurement& measured;
    size_t rank;  ///< rank of the marker, from 1
    /// Fit of the searched picture; not finite if none is searched, or if it does not fit.
    gpu::TemplateFit fit;
    uint64_t set;
    const shared::Detection& marker() const { return measured.markers[rank - 1]; }
  };
  static std::span<const Column<Row>> columns();
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    const gpu::LayerMeasurement& measured = frame.cameras[camera].measured;
    if (!measured.stamp) return;
    for (size_t rank = 1; rank <= measured.markers.size(); ++rank) {
      const bool fits = rank <= measured.fits.size() && measured.fits[rank - 1];
      take(
          Row{camera, measured, rank, fits ? *measured.fits[rank - 1] : kNoFit, frame.set.value()});
    }
  }
};

/// rejected.csv: candidates that became no markers, and why. Values that were not measured are
/// empty.
struct RejectedTable {
  struct Row {
    uint64_t camera;
    const gpu::LayerMeasurement& measured;
    const gpu::Rejected& rejected;
  };
  static std::span<const Column<Row>> columns();
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    const gpu::LayerMeasurement& measured = frame.cameras[camera].measured;
    for (const gpu::Rejected& rejected : measured.rejected) take(Row{camera, measured, rejected});
  }
};

/// stats.csv: the luminance of every frame, the arrival of live frames, and the numbers that
/// parameters of filters can follow.
struct StatsTable {
  struct Row {
    uint64_t camera;
    const motion::Frame& frame;
    const gpu::LayerMeasurement& measured = frame.cameras[camera].measured;
    const gpu::ImageFormat& image() const { return frame.session->images[camera]; }
    const gpu::FrameStamp& stamp() const { return *measured.stamp; }
    const shared::PlaneStatistics& luminance() const { return measured.luminance; }
    bool live() const { return stamp().captured != 0; }
    bool paced() const { return live() && stamp().rate > 0; }
  };
  static std::span<const Column<Row>> columns();
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    if (frame.cameras[camera].measured.stamp) take(Row{camera, frame});
  }
};

/// A table of points in space, whose rows are `member` of the set. All rows of the set come with
/// the first camera.
template <class RowType, std::vector<RowType> motion::SpaceFrame::*member>
struct SetTable {
  using Row = RowType;
  static std::span<const Column<Row>> columns();
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    const auto* space = camera == 0 ? frame.results.get<motion::SpaceFrame>() : nullptr;
    if (space == nullptr) return;
    for (const Row& row : space->*member) take(row);
  }
};

/// points.csv: points, once they are final.
using PointsTable = SetTable<motion::SpaceRow, &motion::SpaceFrame::finalised>;
template <>
std::span<const Column<motion::SpaceRow>> PointsTable::columns();

/// poses.csv: bodies of each set, once they are final.
using PosesTable = SetTable<motion::PoseRow, &motion::SpaceFrame::finalPoses>;
template <>
std::span<const Column<motion::PoseRow>> PosesTable::columns();

/// The table of rays that meet but became no point, and why.
using RejectedPointsTable = SetTable<motion::RefusedRow, &motion::SpaceFrame::refused>;
template <>
std::span<const Column<motion::RefusedRow>> RejectedPointsTable::columns();

}  // namespace glint::output
