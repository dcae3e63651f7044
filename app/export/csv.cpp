#include "app/export/csv.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "app/export/row_exporter.h"
#include "gpu/statistics.h"

namespace glint {
namespace {

/// Where a picture is sought, rows end in how it fits best: its angle and its scale.
struct FitColumns {
  bool there = false;

  std::string header(std::string_view plain, const SessionFrame& frame) {
    there = std::any_of(frame.cameras.begin(), frame.cameras.end(),
                        [](const CameraFrame& camera) { return camera.measured.seeks; });
    std::string text(plain);
    if (there) text.insert(text.size() - 1, ",angle,scale");
    return text;
  }
  void end(std::string& text, double angle, double scale) const {
    if (there && std::isfinite(angle) && std::isfinite(scale))
      fmt::format_to(std::back_inserter(text), ",{:.3f},{:.4f}\n", angle, scale);
    else
      text += there ? ",,\n" : "\n";
  }
};

struct TrackRows {
  static constexpr std::string_view kHeader =
      "camera,frame,time_s,track,state,x,y,vx,vy,peak,mass,radius,eccentricity,sigma_x,sigma_y,"
      "flags\n";
  FitColumns fit{};
  std::string header(const SessionFrame& frame) { return fit.header(kHeader, frame); }
  void operator()(std::string& text, size_t camera, const CameraFrame& frame,
                  const SessionFrame&) const {
    for (const TrackRow& row : frame.settled) {
      const Observation& seen = row.seen;
      fmt::format_to(std::back_inserter(text),
                     "{},{},{:.6f},{},{},{:.4f},{:.4f},{:.3f},{:.3f},{:.0f},{:.1f},{:.3f},{:.3f},{:"
                     ".4f},{:.4f},{}",
                     camera, row.frame, row.time, row.track,
                     row.state == TrackState::measured ? "measured" : "predicted", row.x, row.y,
                     row.vx, row.vy, seen.peak, seen.mass, seen.radius, seen.eccentricity,
                     seen.sigmaX, seen.sigmaY, seen.flags);
      fit.end(text, seen.angle, seen.scale);
    }
  }
};

struct DetectionRows {
  static constexpr std::string_view kHeader =
      "camera,frame,time_s,rank,peak_x,peak_y,peak,x,y,mass,radius,eccentricity,sigma_x,sigma_y,"
      "flags\n";
  FitColumns fit{};
  std::string header(const SessionFrame& frame) { return fit.header(kHeader, frame); }
  void operator()(std::string& text, size_t camera, const CameraFrame& frame,
                  const SessionFrame&) const {
    if (!frame.measured.stamp) return;
    const auto& fits = frame.measured.fits;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    size_t rank = 0;
    for (const shared::Detection& d : frame.measured.markers) {
      fmt::format_to(std::back_inserter(text),
                     "{},{},{:.6f},{},{},{},{},{:.4f},{:.4f},{:.1f},{:.3f},{:.3f},{:.4f},{:.4f},{}",
                     camera, frame.measured.stamp->sequence, frame.measured.stamp->time, ++rank,
                     d.peakX, d.peakY, d.peak, d.x, d.y, d.mass, d.radius, d.eccentricity, d.sigmaX,
                     d.sigmaY, d.flags);
      const bool fitted = rank <= fits.size() && fits[rank - 1];
      fit.end(text, fitted ? fits[rank - 1]->angle : kNone, fitted ? fits[rank - 1]->scale : kNone);
    }
  }
};

struct RejectedRows {
  static constexpr std::string_view kHeader =
      "camera,frame,time_s,reason,peak_x,peak_y,peak,x,y,mass,radius,eccentricity,nearest_rank\n";
  void operator()(std::string& text, size_t camera, const CameraFrame& frame,
                  const SessionFrame&) const {
    for (const Rejected& r : frame.measured.rejected) {
      const shared::Detection& d = r.seen;
      fmt::format_to(std::back_inserter(text), "{},{},{:.6f},{},{},{},{},", camera,
                     frame.measured.stamp->sequence, frame.measured.stamp->time, nameOf(r.reason),
                     d.peakX, d.peakY, d.peak);
      if (r.measured) {
        fmt::format_to(std::back_inserter(text), "{:.4f},{:.4f},{:.1f},{:.3f},{:.3f},", d.x, d.y,
                       d.mass, d.radius, d.eccentricity);
      } else {
        fmt::format_to(std::back_inserter(text), ",,,,,");
      }
      fmt::format_to(std::back_inserter(text), "{}\n",
                     r.nearestRank == 0 ? "" : std::to_string(r.nearestRank));
    }
  }
};

struct StatRows {
  static constexpr std::string_view kHeader =
      "camera,frame,time_s,mean,variance,min,min_x,min_y,max,max_x,max_y,threshold,candidates,"
      "dropped_before,source_frame,delay_ms,age_ms,skipped_before,rate_hz,jitter_ms,uncertainty_"
      "ms,told\n";
  std::vector<ImageFormat> images;  // a camera each
  void operator()(std::string& text, size_t camera, const CameraFrame& frame,
                  const SessionFrame& all) const {
    const LayerMeasurement& m = frame.measured;
    if (!m.stamp) return;
    const auto& s = m.luminance;
    const ImageFormat& image = images[camera];
    // 17 significant digits: the threshold can be worked out again from these, exactly.
    fmt::format_to(std::back_inserter(text),
                   "{},{},{:.6f},{:.17g},{:.17g},{},{},{},{},{},{},{},{},{},", camera,
                   m.stamp->sequence, m.stamp->time, mean(s, image.pixels()),
                   variance(s, image.pixels()), s.least, s.leastIndex % image.width,
                   s.leastIndex / image.width, s.most, s.mostIndex % image.width,
                   s.mostIndex / image.width, m.threshold, m.candidates, m.stamp->droppedBefore);
    text += liveColumns(*m.stamp, all.tracked);
    for (size_t i = 0; i < m.told.size(); ++i)
      fmt::format_to(std::back_inserter(text), "{}{}={:.17g}", i == 0 ? "" : ";", m.told[i].name,
                     m.told[i].value);
    text += '\n';
  }

  static std::string liveColumns(const FrameStamp& stamp, double tracked) {
    if (stamp.captured == 0) return ",,,,,,,";
    std::string text = fmt::format("{},{:.3f},{:.3f},{},", stamp.sourceSequence,
                                   1e3 * (stamp.arrival - stamp.captured),
                                   1e3 * (tracked - stamp.captured), stamp.skippedBefore);
    const bool paced = stamp.rate > 0, known = stamp.uncertainty > 0;
    text += paced ? fmt::format("{:.3f},{:.3f},", stamp.rate, 1e3 * stamp.jitter) : ",,";
    return text + (known ? fmt::format("{:.3f},", 1e3 * stamp.uncertainty) : ",");
  }
};

}  // namespace

std::unique_ptr<Exporter> makeTracksCsv(const std::string& path) {
  return std::make_unique<RowExporter<TrackRows>>(path);
}

std::unique_ptr<Exporter> makeDetectionsCsv(const std::string& path) {
  return std::make_unique<RowExporter<DetectionRows>>(path);
}

std::unique_ptr<Exporter> makeRejectedCsv(const std::string& path) {
  return std::make_unique<RowExporter<RejectedRows>>(path);
}

std::unique_ptr<Exporter> makeStatsCsv(const std::string& path, std::vector<ImageFormat> images) {
  return std::make_unique<RowExporter<StatRows>>(path, StatRows{std::move(images)});
}

}  // namespace glint
