// Measures sets on the device and makes tracked frames of them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/session/detectors.h"
#include "app/session/frame_maker.h"
#include "app/session/options.h"
#include "app/session/processors.h"
#include "app/session/session_tracker.h"
#include "app/session/space_points.h"
#include "app/session/transport.h"

namespace glint::session {

/// A frame, and its planes for drawing: one entry for each group of cameras, null if there are
/// none.
struct DrawableFrame {
  std::shared_ptr<motion::Frame> frame;
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes;
};

/// Submits a set to the device, collects its measurements, makes a frame of them and lets the
/// processors complete it. One set is on the device at a time. Set n uses the statistics and
/// predictions of set n-1. Therefore the next set can be submitted as soon as collect() has
/// returned, while complete() and the sinks are still working on the frame. Used by one thread.
class Engine {
 public:
  /// `device`, `transport`, `groups` and `result` must outlive this object. Wall times and device
  /// times are added to `result`. For `followsHistory` see SessionOptions.
  Engine(const gpu::Device& device, const Transport& transport, const capture::CameraGroups& groups,
         std::shared_ptr<const motion::SessionInfo> session, const SessionOptions& options,
         bool followsHistory, SessionResult& result);

  // Measuring one set after another.

  /// Submits a set. `keepsPlanes` says whether its planes are kept for drawing.
  void submit(capture::FrameSet set, std::optional<MeasuredSet::Clock::time_point> due,
              bool keepsPlanes);
  /// Returns true between submit() and collect().
  bool isBusy() const { return inFlight_.has_value(); }
  /// Waits for the set and runs the processors whose results the next set's measurement needs.
  DrawableFrame collect();
  /// Runs the remaining processors.
  void complete(motion::Frame& frame) { process(frame, false); }
  /// Discards the set that is on the device. It is not tracked.
  void drop();

  // Passes.

  /// Ends all tracks and points. Returns their rows that were not final yet.
  motion::FramePtr finishPass();
  void beginPass(SetIndex first);
  /// Returns the rows that are not final yet. Tracks and points continue.
  motion::FramePtr openRows() const;

  // Sets that were measured before.

  /// Measures a set again with the settings in force. Nothing is tracked; the tracks are those of
  /// `before`. With `ownStatistics`, the set's own statistics replace those that it was measured
  /// with.
  DrawableFrame measureAgain(MeasuredSet& set, const motion::Frame& before, bool ownStatistics);
  /// Measures and tracks the newest set as the first one of the pass.
  DrawableFrame trackAgain(const motion::Frame& before);
  /// Measures a set again in the same way. Returns its planes.
  std::vector<std::shared_ptr<const gpu::PlaneImages>> keepPlanes(const MeasuredSet& set);

  /// Returns the set of the newest frame. It has no groups before the first frame.
  MeasuredSet& newest() { return newest_; }
  const MeasuredSet& newest() const { return newest_; }
  /// Returns true while the memory of the previous set is held. Its cameras must not read into it
  /// before the newest frame has been handed on, because that would delay drawing the frame.
  bool holdsPrevious() const { return !previousSet_.groups.empty(); }
  void releasePrevious() { previousSet_ = {}; }

  // Settings.

  Detectors& detectors() { return detectors_; }
  const Detectors& detectors() const { return detectors_; }
  /// Brings the settings that detectors() have been requested to use into force. `recording` says
  /// that files are being written.
  void adoptSettings(bool recording);

  SessionTracker& tracking() { return tracking_; }
  const FrameMaker& frames() const { return frames_; }
  /// Returns the device's times of the newest frame that was timed.
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
  SessionTracker tracking_;
  SpacePoints space_;
  const std::vector<Processor> processors_;
  const FrameMaker frames_;
  // True if no earlier set predicts the response of the next one.
  bool lacksStatistics_ = true;
  // The set that the device is working on.
  std::optional<MeasuredSet> inFlight_;
  MeasuredSet newest_;
  capture::FrameSet previousSet_;
  std::vector<gpu::PassTime> deviceTimes_;
  SessionResult& result_;
};

}  // namespace glint::session
