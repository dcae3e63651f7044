#include <cmath>
#include <numbers>

#include "app/export/measured_rows.h"
#include "app/export/track_files.h"

namespace glint {
namespace {

/// What trackpy means by its columns is said at trackpy.locate: size is the radius of gyration,
/// which of a uniform disc is its radius / sqrt(2); signal the brightest pixel; ep the standard
/// deviation of a coordinate; raw_mass, empty here, includes the background.
struct TrackpyLine {
  static constexpr std::string_view kHeader =
      "y,x,mass,size,ecc,signal,raw_mass,ep,frame,particle\n";
  void operator()(auto out, const TrackRow& row) const {
    const Observation& seen = row.seen;
    fmt::format_to(out, "{:.4f},{:.4f},{:.1f},{:.4f},{:.3f},{:.0f},,{:.4f},{},{}\n", row.y, row.x,
                   seen.mass, seen.radius / std::numbers::sqrt2, seen.eccentricity, seen.peak,
                   std::hypot(seen.sigmaX, seen.sigmaY) / std::numbers::sqrt2, row.frame,
                   row.track);
  }
};

}  // namespace

std::unique_ptr<Exporter> makeTrackpyCsv(const std::string& path, size_t camera) {
  using Rows = MeasuredRows<TrackpyLine>;
  return std::make_unique<RowExporter<Rows>>(path, Rows{camera});
}

}  // namespace glint
