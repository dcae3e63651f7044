// The detectors of a session: one for each group of cameras of one format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/capture/feeds.h"
#include "config/settings.h"
#include "gpu/detector.h"

namespace glint {

/// How frames are to be measured.
struct Measuring {
  Settings settings;
  bool rejected = false;  ///< tell of rejected candidates, too
};

/// Used by one thread; one set in flight.
class Detectors {
 public:
  /// Throws UsageError where settings or masks are refused, Error where the device has no room.
  Detectors(const Device& device, const CameraGroups& groups, const Measuring& measuring);

  /// How frames are measured from the next submit() on. Throws as the constructor does, and then
  /// goes on as before.
  void apply(const Measuring& measuring);
  const Measuring& measuring() const { return measuring_; }

  /// What is measured of one camera, and nothing else; waits for it.
  struct Response {
    shared::PlaneStatistics statistics;
    size_t pixels;  ///< that are not masked
  };
  /// Of each camera.
  std::vector<Response> measure(const FrameSet& set);

  /// `expectations`: a camera each.
  void submit(const FrameSet& set, const std::vector<LayerExpectation>& expectations);

  struct Result {
    std::vector<LayerMeasurement> cameras;
    std::vector<PassTime> times;  ///< of all groups
  };
  /// Waits for the submitted set.
  Result collect();

 private:
  struct Group;
  void make(const Measuring& measuring);

  const Device& device_;
  CameraGroups groups_;
  Measuring measuring_;
  std::vector<std::unique_ptr<Detector>> detectors_;  // a group each
};

}  // namespace glint
