// What a session hands on, and who takes it.
#pragma once

#include <cstdint>
#include <vector>

#include "app/track/observation.h"
#include "gpu/detector.h"

namespace glint {

/// One frame of one camera, measured and tracked.
struct CameraFrame {
  LayerMeasurement measured;      ///< its stamp is empty when the camera has ended
  std::vector<TrackRow> live;     ///< every confirmed track in this frame, by id
  std::vector<TrackRow> settled;  ///< rows whose fate became known, by frame and id
};

/// One frame of all cameras, in the order of capture. The last one of a session holds no
/// measurement, only the rows that were still open.
struct SessionFrame {
  FrameLease pixels;  ///< null in the last one, and where no exporter wants pixels
  uint64_t droppedBefore = 0;
  std::vector<CameraFrame> cameras;
};

/// Takes every frame of a session, in order, on the session's export thread.
class Exporter {
 public:
  virtual ~Exporter() = default;
  Exporter() = default;
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  /// Whether SessionFrame::pixels must be there.
  virtual bool wantsPixels() const { return false; }

  /// Throws Error when the frame cannot be kept; the session then stops.
  virtual void write(const SessionFrame& frame) = 0;

  /// Called a few times a second when no frame comes: writes what has waited long enough. Throws
  /// Error as write() does.
  virtual void poll() {}

  /// Nothing follows. Throws Error when what is left cannot be kept. Called also after an Error
  /// elsewhere, so that what was measured before it is kept.
  virtual void finish() = 0;
};

}  // namespace glint
