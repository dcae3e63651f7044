#include "app/export/measured_rows.h"
#include "app/export/track_files.h"

namespace glint {
namespace {

/// The lines that TrackMate 7 writes, up to its features of intensity.
struct TrackMateLine {
  static constexpr std::string_view kHeader =
      "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_Z,POSITION_T,FRAME,RADIUS,"
      "VISIBILITY,MANUAL_SPOT_COLOR\n"
      "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,Radius,Visibility,Manual spot color\n"
      "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,R,Visibility,Spot color\n"
      ",,,(quality),(pixel),(pixel),(pixel),(sec),,(pixel),,\n";
  void operator()(auto out, const TrackRow& row) {
    fmt::format_to(out, "ID{0},{0},{1},{2:.0f},{3:.4f},{4:.4f},0,{5:.6f},{6},{7:.3f},1,\n", spot_++,
                   row.track, row.seen.peak, row.x, row.y, row.time, row.frame, row.seen.radius);
  }

 private:
  uint64_t spot_ = 0;
};

}  // namespace

std::unique_ptr<Exporter> makeTrackMateCsv(const std::string& path, size_t camera) {
  using Rows = MeasuredRows<TrackMateLine>;
  return std::make_unique<RowExporter<Rows>>(path, Rows{camera});
}

}  // namespace glint
