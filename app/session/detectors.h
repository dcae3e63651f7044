// The detectors of a session: one for each group of cameras with the same format.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/capture/sets/feeds.h"
#include "app/motion/frame/setting_images.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::session {

/// How frames are to be measured.
struct Measuring {
  /// Never null.
  std::shared_ptr<const Settings> settings;
  /// True if rejected candidates are reported, too.
  bool rejected = false;
  /// The planes that are kept for drawing.
  gpu::PlaneSet planes = {};
};

/// Measures the sets of a session on the device. Used by one thread, with at most one set in
/// flight.
class Detectors {
 public:
  /// Throws UsageError if settings or masks are refused, and Error if the device has not enough
  /// memory. `device` must outlive this object.
  Detectors(const gpu::Device& device, const capture::CameraGroups& groups,
            const Measuring& measuring, std::shared_ptr<const motion::SettingImages> images,
            const gpu::DetectorOptions& options = {});

  /// Requests another way to measure frames, which takes effect at adopt(). Throws UsageError and
  /// drops the request if settings or masks are refused.
  void request(const Measuring& measuring);
  /// Returns true if the request can be adopted without delaying a frame. Otherwise another thread
  /// prepares what it needs. Throws Error and drops the request if the device has not enough
  /// memory.
  bool ready();
  /// Uses the request for all following frames. Call only after ready() has returned true.
  void adopt();

  const Measuring& measuring() const { return now_.measuring; }
  /// Returns the masks of a group of cameras.
  const gpu::Masks& masks(size_t group) const { return now_.groups[group].masks; }

  /// Measures only the statistics of each camera's response, and waits for them.
  std::vector<gpu::ResponseStatistics> measure(const capture::FrameSet& set);

  /// One set in this many is timed on the device. Raising it measures the times less often.
  static constexpr uint32_t kTimed = 16;

  /// Submits a set to the device. `expectations` has one entry for each camera. `keepsPlanes` says
  /// whether the requested planes are kept for this set.
  void submit(const capture::FrameSet& set, const std::vector<gpu::LayerExpectation>& expectations,
              bool keepsPlanes = true);
  /// Submits a set that was measured before and is on show. Keeps its planes and times it.
  void submitAgain(const capture::FrameSet& set,
                   const std::vector<gpu::LayerExpectation>& expectations);

  struct Result {
    std::vector<gpu::LayerMeasurement> cameras;
    /// Times of all groups; empty if this set was not timed.
    std::vector<gpu::PassTime> times;
    /// Planes of each group of cameras, null if none were requested: see FrameResult::planes.
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
  // One for each group of cameras.
  std::vector<std::unique_ptr<gpu::Detector>> detectors_;
  // Null if no pictures are available.
  std::shared_ptr<const motion::SettingImages> images_;
  // Number of sets submitted for the first time.
  uint32_t submitted_ = 0;
  Request now_;
  std::optional<Request> next_;
};

}  // namespace glint::session
