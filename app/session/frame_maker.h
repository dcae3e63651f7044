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
#include "app/session/tracking.h"
#include "app/session/transport.h"

namespace glint::session {

/// A set that the device measures or has measured, and how.
struct MeasuredSet {
  using Clock = std::chrono::steady_clock;

  capture::FrameSet set;
  Clock::time_point begun;                          ///< when the session began with it
  std::optional<Clock::time_point> due;             ///< when it was to be played; empty: at once
  std::vector<gpu::LayerExpectation> expectations;  ///< a camera each
};

/// The seconds of a steady clock's time, as frames have them.
double secondsOf(std::chrono::steady_clock::time_point time);

/// The only place where a session makes a Frame. It stamps each with the present pass, epoch and
/// settings. Everything that the constructor is given must outlive it.
class FrameMaker {
 public:
  /// `keepsPredictions`: frames tell where their tracks were looked for.
  FrameMaker(const Transport& transport, const Detectors& detectors, const Tracking& tracking,
             const capture::CameraGroups& groups,
             std::shared_ptr<const motion::SessionInfo> session, bool keepsPredictions);

  /// A frame of what was measured of a set, for the processors to complete.
  std::shared_ptr<motion::Frame> measured(const MeasuredSet& set,
                                          std::vector<gpu::LayerMeasurement> cameras) const;
  /// The same, but it keeps the tracks of `before`, an earlier frame of that set.
  std::shared_ptr<motion::Frame> measuredAgain(const MeasuredSet& set,
                                               std::vector<gpu::LayerMeasurement> cameras,
                                               const motion::Frame& before) const;
  /// A frame without a measurement, for rows that were still open.
  motion::FramePtr ofRows(std::vector<motion::CameraFrame> rows,
                          std::optional<motion::SpaceFrame> space) const;
  /// A copy of a frame of this set, with pixels.
  motion::FramePtr withPixels(const motion::Frame& frame, const capture::FrameSet& set) const;
  /// A copy with the tracks of the whole recording: see Tracking::knows().
  motion::FramePtr asWhole(const motion::Frame& frame) const;

  void addPixels(motion::Frame& frame, const capture::FrameSet& set) const;

 private:
  std::shared_ptr<motion::Frame> stamped() const;

  const Transport& transport_;
  const Detectors& detectors_;
  const Tracking& tracking_;
  const capture::CameraGroups& groups_;
  const std::shared_ptr<const motion::SessionInfo> session_;
  const bool keepsPredictions_;
};

}  // namespace glint::session
