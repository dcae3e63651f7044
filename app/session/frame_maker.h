// Makes the frames of a session.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "app/capture/sets/frame_set.h"
#include "app/motion/frame/frame.h"
#include "app/motion/space/space_row.h"
#include "app/session/detectors.h"
#include "app/session/session_tracker.h"
#include "app/session/transport.h"

namespace glint::session {

/// A set that the device is measuring or has measured, and how.
struct MeasuredSet {
  using Clock = std::chrono::steady_clock;

  capture::FrameSet set;
  /// Time at which the session began to process it.
  Clock::time_point begun;
  /// Time at which it was to be played; empty if at once.
  std::optional<Clock::time_point> due;
  /// One entry for each camera.
  std::vector<gpu::LayerExpectation> expectations;
};

/// Returns the time of a steady clock in seconds, as frames use it.
double secondsOf(std::chrono::steady_clock::time_point time);

/// The only place where a session makes a Frame. It sets the present pass, epoch and settings in
/// each. All arguments of the constructor must outlive this object.
class FrameMaker {
 public:
  /// `keepsPredictions` says that frames contain the places at which their tracks were searched
  /// for.
  FrameMaker(const Transport& transport, const Detectors& detectors, const SessionTracker& tracking,
             const capture::CameraGroups& groups,
             std::shared_ptr<const motion::SessionInfo> session, bool keepsPredictions);

  /// Returns a frame with the measurements of a set, for the processors to complete.
  std::shared_ptr<motion::Frame> measured(const MeasuredSet& set,
                                          std::vector<gpu::LayerMeasurement> cameras) const;
  /// Returns a frame with new measurements of a set, but with the tracks of `before`, an earlier
  /// frame of that set.
  std::shared_ptr<motion::Frame> measuredAgain(const MeasuredSet& set,
                                               std::vector<gpu::LayerMeasurement> cameras,
                                               const motion::Frame& before) const;
  /// Returns a frame without a measurement, for rows that were not final before.
  motion::FramePtr ofRows(std::vector<motion::CameraFrame> rows,
                          std::optional<motion::SpaceFrame> space) const;
  /// Returns a copy of a frame of this set, with pixels.
  motion::FramePtr withPixels(const motion::Frame& frame, const capture::FrameSet& set) const;
  /// Returns a copy with the tracks of the whole recording: see SessionTracker::knows().
  motion::FramePtr asWhole(const motion::Frame& frame) const;

  void addPixels(motion::Frame& frame, const capture::FrameSet& set) const;

 private:
  std::shared_ptr<motion::Frame> stamped() const;

  const Transport& transport_;
  const Detectors& detectors_;
  const SessionTracker& tracking_;
  const capture::CameraGroups& groups_;
  const std::shared_ptr<const motion::SessionInfo> session_;
  const bool keepsPredictions_;
};

}  // namespace glint::session
