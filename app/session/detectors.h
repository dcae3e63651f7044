// The detectors of a session: one for each group of cameras of one format.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/capture/sets/feeds.h"
#include "app/motion/frame/setting_images.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::session {

/// How to measure frames.
struct Measuring {
  std::shared_ptr<const Settings> settings;  ///< never null
  bool rejected = false;                     ///< report rejected candidates, too
  gpu::PlaneSet planes = {};                 ///< the planes that are kept for drawing
};

/// Used by one thread; one set in flight.
class Detectors {
 public:
  /// Throws UsageError where settings or masks are refused, Error where the device has no room.
  /// `device` must outlive it.
  Detectors(const gpu::Device& device, const capture::CameraGroups& groups,
            const Measuring& measuring, std::shared_ptr<const motion::SettingImages> images,
            const gpu::DetectorOptions& options = {});

  /// Asks for another way to measure frames, from adopt() on. Throws UsageError, and drops the
  /// request, where settings or masks are refused.
  void request(const Measuring& measuring);
  /// Returns true if the request can be adopted without holding up a frame. Otherwise another
  /// thread makes what it needs. Throws Error where the device has no room, and drops the request.
  bool ready();
  /// Measures frames by the request from now on. Call it when ready().
  void adopt();

  const Measuring& measuring() const { return now_.measuring; }
  /// Returns the masks of a group of cameras.
  const gpu::Masks& masks(size_t group) const { return now_.groups[group].masks; }

  /// Measures the statistics of each camera's response, and nothing else. Waits for them.
  std::vector<gpu::ResponseStatistics> measure(const capture::FrameSet& set);

  /// One of this many sets is timed on the device.
  static constexpr uint32_t kTimed = 16;

  /// Submits a set. `expectations`: a camera each. `keepsPlanes`: keeps the planes that were
  /// requested; otherwise none this time.
  void submit(const capture::FrameSet& set, const std::vector<gpu::LayerExpectation>& expectations,
              bool keepsPlanes = true);
  /// Submits a set that was measured before and is on show. Keeps its planes and times it.
  void submitAgain(const capture::FrameSet& set,
                   const std::vector<gpu::LayerExpectation>& expectations);

  struct Result {
    std::vector<gpu::LayerMeasurement> cameras;
    std::vector<gpu::PassTime> times;  ///< of all groups; empty if they were not taken
    /// A group each, null where none were asked for: see FrameResult::planes.
    std::vector<std::shared_ptr<const gpu::PlaneImages>> planes;
  };
  /// Waits for the submitted set.
  Result collect();

 private:
  struct Request {
    Measuring measuring;
    std::vector<gpu::DetectionConfig> groups;
  };
  Request requestOf(const Measuring& measuring) const;
  void submit(const capture::FrameSet& set, const std::vector<gpu::LayerExpectation>& expectations,
              bool keepsPlanes, bool timed);
  std::vector<size_t> camerasOf(size_t group) const;

  const capture::CameraGroups groups_;
  std::vector<std::unique_ptr<gpu::Detector>> detectors_;  // a group each
  std::shared_ptr<const motion::SettingImages> images_;    // null: none can be had
  uint32_t submitted_ = 0;                                 // sets, for the first time
  Request now_;
  std::optional<Request> next_;
};

}  // namespace glint::session
