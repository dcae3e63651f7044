// The tables that Glint writes of its own: the columns of each, once; docs/formats.md lists them.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "app/frame/frame.h"
#include "app/sinks/table.h"

namespace glint {

/// tracks.csv and tracks.jsonl: a row of a track in a frame, once it is final. Streams: a track in
/// the frame that was measured last.
struct TracksTable {
  struct Row {
    size_t camera;
    const TrackRow& track;
    bool provisional;

    bool fits() const { return std::isfinite(track.seen.angle) && std::isfinite(track.seen.scale); }
  };
  static const Columns<Row>& columns();
  static void each(size_t camera, const Frame& frame, auto&& take) {
    for (const TrackRow& row : frame.cameras[camera].finalised)
      take(Row{camera, row, frame.provisional()});
  }
};

/// detections.csv: a marker in a frame, before tracking, in order of rank.
struct DetectionsTable {
  struct Row {
    size_t camera;
    const FrameStamp& stamp;
    size_t rank;
    const shared::Detection& marker;
    const std::optional<TemplateFit>& fit;
  };
  static const Columns<Row>& columns();
  static void each(size_t camera, const Frame& frame, auto&& take) {
    static const std::optional<TemplateFit> kNone;
    const LayerMeasurement& m = frame.cameras[camera].measured;
    for (size_t i = 0; i < m.markers.size(); ++i)
      take(Row{camera, *m.stamp, i + 1, m.markers[i], i < m.fits.size() ? m.fits[i] : kNone});
  }
};

/// rejected.csv: a candidate that is no marker, and why.
struct RejectedTable {
  struct Row {
    size_t camera;
    const FrameStamp& stamp;
    const Rejected& candidate;
  };
  static const Columns<Row>& columns();
  static void each(size_t camera, const Frame& frame, auto&& take) {
    const LayerMeasurement& m = frame.cameras[camera].measured;
    for (const Rejected& candidate : m.rejected) take(Row{camera, *m.stamp, candidate});
  }
};

/// stats.csv: a frame.
struct StatsTable {
  struct Row {
    size_t camera;
    const LayerMeasurement& measured;
    const FrameStamp& stamp;
    const ImageFormat& image;
    double tracked;  ///< s, Frame::tracked
  };
  static const Columns<Row>& columns();
  static void each(size_t camera, const Frame& frame, auto&& take) {
    const LayerMeasurement& m = frame.cameras[camera].measured;
    if (m.stamp) take(Row{camera, m, *m.stamp, frame.session->images[camera], frame.tracked});
  }
};

/// The tables of docs/formats.md, each with its heading.
std::string formatsMarkdown();

}  // namespace glint
