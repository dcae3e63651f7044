// Measures sets on the device and makes them tracked frames.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/session/detectors.h"
#include "app/session/frame_maker.h"
#include "app/session/options.h"
#include "app/session/processors.h"
#include "app/session/space_points.h"
#include "app/session/tracking.h"
#include "app/session/transport.h"

namespace glint::session {

/// A frame, and its planes for drawing: a group each, null where there are none.
struct DrawableFrame {
  std::shared_ptr<motion::Frame> frame;
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes;
};

/// Submits a set to the device, collects its measurements, makes a frame of them and has that
/// completed by the processors. One set is on the device at a time. Set n gets the statistics and
/// predictions of set n-1, so the next one can be submitted as soon as collect() has returned,
/// while complete() and the sinks still work on the frame. Used by one thread.
class Engine {
 public:
  /// `device`, `transport`, `groups` and `result` must outlive it. Wall times and device times are
  /// added to `result`. `followsHistory`: see SessionOptions.
  Engine(const gpu::Device& device, const Transport& transport, const capture::CameraGroups& groups,
         std::shared_ptr<const motion::SessionInfo> session, const SessionOptions& options,
         bool followsHistory, SessionResult& result);

  // One set after another.

  /// Submits a set. `keepsPlanes`: its planes are kept for drawing.
  void submit(capture::FrameSet set, std::optional<MeasuredSet::Clock::time_point> due,
              bool keepsPlanes);
  /// True from submit() to collect().
  bool isBusy() const { return inFlight_.has_value(); }
  /// Waits for the set and runs the processors that the next set's measurement depends on.
  DrawableFrame collect();
  /// Runs the other processors.
  void complete(motion::Frame& frame) { process(frame, false); }
  /// Leaves out the set that is on the device: it is not tracked.
  void drop();

  // Passes.

  /// Ends all tracks and points. Returns their rows that were still open.
  motion::FramePtr finishPass();
  void beginPass(SetIndex first);
  /// Returns the rows that are still open; tracks and points go on.
  motion::FramePtr openRows() const;

  // Sets that were measured before.

  /// Measures a set with the settings in force, and tracks nothing: tracks are those of `before`.
  /// `ownStatistics`: the set's own statistics replace those that it was measured with.
  DrawableFrame measureAgain(MeasuredSet& set, const motion::Frame& before, bool ownStatistics);
  /// Measures and tracks the newest set as the first one of the pass.
  DrawableFrame trackAgain(const motion::Frame& before);
  /// Measures a set as before. Returns its planes.
  std::vector<std::shared_ptr<const gpu::PlaneImages>> keepPlanes(const MeasuredSet& set);

  /// The set of the newest frame. Without groups before the first one.
  MeasuredSet& newest() { return newest_; }
  const MeasuredSet& newest() const { return newest_; }
  /// The memory of the set before it, which its cameras must not read into before the newest frame
  /// has been served: that would hold up drawing it.
  bool holdsPrevious() const { return !previousSet_.groups.empty(); }
  void releasePrevious() { previousSet_ = {}; }

  // Settings.

  Detectors& detectors() { return detectors_; }
  const Detectors& detectors() const { return detectors_; }
  /// Puts the settings that detectors() were asked for into force. `recording`: files are being
  /// written.
  void adoptSettings(bool recording);

  Tracking& tracking() { return tracking_; }
  const FrameMaker& frames() const { return frames_; }
  /// The device's times for the newest frame of which they were taken.
  const std::vector<gpu::PassTime>& deviceTimes() const { return deviceTimes_; }
  /// Sets the counts of tracks and of points in space.
  void countTracks(SessionCounts& counts) const;
  motion::SpaceCounts spaceCounts() const { return space_.counts(); }

 private:
  void onDevice(auto&& action);
  void process(motion::Frame& frame, bool feedsBack);
  void expectFirstFrames(const capture::FrameSet& set);
  Detectors::Result collectAgain(const MeasuredSet& set);

  const gpu::Device& device_;
  const capture::CameraGroups& groups_;
  const bool stills_;
  Detectors detectors_;
  Tracking tracking_;
  SpacePoints space_;
  const std::vector<Processor> processors_;
  const FrameMaker frames_;
  bool lacksStatistics_ = true;  // no set before the next one says anything about its response
  std::optional<MeasuredSet> inFlight_;  // on the device
  MeasuredSet newest_;
  capture::FrameSet previousSet_;
  std::vector<gpu::PassTime> deviceTimes_;
  SessionResult& result_;
};

}  // namespace glint::session
