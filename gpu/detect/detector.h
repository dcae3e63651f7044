// Finds markers in frames of all cameras at once.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "gpu/detect/background.h"
#include "gpu/detect/detection_config.h"
#include "gpu/detect/feedback.h"
#include "gpu/detect/frame_in_flight.h"
#include "gpu/detect/frame_memory.h"
#include "gpu/detect/frame_resource_cache.h"
#include "gpu/detect/limits.h"
#include "gpu/detect/near_fit.h"
#include "gpu/detect/peak_finder.h"
#include "gpu/detect/plane_maker.h"
#include "gpu/detect/refiner.h"
#include "gpu/filters/templates.h"
#include "gpu/frame_pool.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "gpu/statistics.h"
#include "shared/results.h"

namespace glint::gpu {

/// A number that a filter reports, such as "light.mean", as a fraction of full scale.
struct FilterReadback {
  std::string name;
  double value = 0;
};

/// The measurements of one frame of one camera.
struct LayerMeasurement {
  CameraState state = CameraState::ended;
  std::optional<FrameStamp> stamp;  ///< empty if there is no frame; the rest is then not valid
  shared::PlaneStatistics luminance{};
  shared::PlaneStatistics response{};  ///< statistics of the pixels that are not masked
  size_t pixels = 0;                   ///< number of pixels that `response` counts
  Ground ground = {};                  ///< background of the response, if the threshold may need it
  uint32_t threshold = 0;              ///< the least response of a candidate that was used
  uint32_t prominence = 0;  ///< counts by which candidates must exceed large areas; 0: no limit
  uint32_t candidates = 0;  ///< number of candidates, or of components if markers are blobs
  /// True if markers may be missing: there were more blobs than the device has room for, so that
  /// none were measured; or too few of the peaksToMeasure() measured peaks were markers.
  bool partial = false;
  uint32_t elongated = 0;                  ///< see Limited
  std::vector<FilterReadback> readbacks;   ///< numbers that filters reported for this frame
  std::vector<shared::Detection> markers;  ///< in order of rank
  std::vector<Rejected> rejected;          ///< filled if DetectionConfig::rejected is true
  /// The best fit of the template at the peak of each marker, if a template is matched.
  std::vector<std::optional<TemplateFit>> fits;
  bool matchesTemplate = false;  ///< true if a filter matches a template
};

/// The measurements of one frame of all cameras.
struct FrameResult {
  FrameLease frame;
  std::vector<LayerMeasurement> layers;
  std::vector<PassTime> times;  ///< the device's time for each pass, if they were taken
  /// The planes that DetectionConfig::planes asked for. Null if it asked for none, or if the planes
  /// of three frames are still held.
  std::shared_ptr<const PlaneImages> planes = {};
};

/// Statistics of a layer's response.
struct ResponseStatistics {
  shared::PlaneStatistics values{};
  size_t pixels = 0;  ///< number of pixels that are not masked
  Ground ground = {};
};

/// Options of a detector.
struct DetectorOptions {
  Timing timing = Timing::passes;  ///< times of frames for which DetectionConfig::timed is true
  /// The use of the device. Empty: the fastest on this device.
  std::optional<SearchOptions> search = std::nullopt;
};

/// Finds the markers in frames of one format. Only one thread may use it, and only one frame is in
/// flight. Each frame has its own config, which may change at any time. If a config needs kernels
/// or buffers that do not exist yet, prepare() makes them in the background, and submit() and
/// measure() wait for them.
///
/// Every function that waits for the device throws DeviceLost if the device is lost. A detector can
/// then only be destroyed. `device` must outlive it.
class Detector {
 public:
  /// Throws Error if the format does not fit the device.
  Detector(const Device& device, const FrameFormat& format, const DetectorOptions& options);
  ~Detector();

  /// Returns true if a frame with this config can be submitted without waiting. Otherwise another
  /// thread starts to make the missing resources, and the caller should ask again later. Only one
  /// config is prepared at a time. Throws Error once if this config cannot be prepared, because the
  /// device has no room or the masks do not fit the format. Earlier configs stay prepared.
  bool prepare(const DetectionConfig& config);

  /// Prepares a config and waits until it is ready. Throws Error if it cannot be prepared.
  void prepareNow(const DetectionConfig& config);

  /// Computes only the statistics of each layer's response, and waits for them. This is needed for
  /// frame 0, which has no previous frame, and for frames whose response is another plane than that
  /// of the previous frame. No frame may be in flight.
  std::vector<ResponseStatistics> measure(const FrameLease& frame, const DetectionConfig& config);

  /// Returns the device's time for each pass of the last measure(). Valid until the next frame is
  /// submitted.
  const std::vector<PassTime>& measureTimes() const { return recorder_.times(); }

  /// Submits a frame to the device, which may have been measured before. The result must be
  /// collected before the next frame is submitted. Throws Error if the config cannot be prepared,
  /// and no frame is in flight then.
  void submit(FrameLease frame, const DetectionConfig& config, const shared::Feedback& feedback);

  /// Waits for the submitted frame and returns its measurements. Returns nothing if no frame was
  /// submitted.
  std::optional<FrameResult> collect();

 private:
  /// Planes that stay on the device until others are made.
  struct MadePlanes {
    std::weak_ptr<const FrameSlot> frame = {};  // The frame of the planes. It may be gone.
    DetectionConfig config = {};
    FrameResources resources = {};  // They hold the memory of the planes.
    FramePlanes planes = {};
  };

  FrameResources resourcesFor(const DetectionConfig& config);
  void recordPlanes(FrameInFlight& frame);
  void recordStatistics(const FrameInFlight& frame);
  void finishStatistics(const FrameInFlight& frame);
  bool isFitted(const FrameInFlight& frame) const;
  void recordMarkers(const FrameInFlight& frame);
  void recordFound(FrameInFlight& frame);
  void measureTo(FrameInFlight& frame, uint32_t end, std::vector<PassTime>& times);
  void submitAndWait(const FrameInFlight& frame, std::vector<PassTime>& times);
  FoundMemory foundBy(const FrameInFlight& frame) const;
  void measureAgain(FrameInFlight& frame, std::vector<PassTime>& times);
  void recordBeside(const FrameInFlight& frame);
  void measureLate(FrameInFlight& frame, std::vector<PassTime>& times);
  uint32_t fullestLayer() const;
  uint32_t fitsInVain(const FrameInFlight& frame,
                      std::span<const std::vector<shared::Detection>> found) const;
  void finishSearch(FrameInFlight& frame, std::vector<PassTime>& times);
  std::vector<std::vector<shared::Detection>> readMarkers(FrameInFlight& frame,
                                                          std::vector<PassTime>& times);
  std::vector<std::vector<std::optional<TemplateFit>>> match(
      const FrameInFlight& frame, std::vector<std::vector<shared::Detection>>& found) const;
  LayerMeasurement measurementOf(const FrameInFlight& frame, uint32_t layer,
                                 std::span<const shared::Detection> found,
                                 std::span<const std::optional<TemplateFit>> fits) const;

  FrameFormat format_;
  const Passes& passes_;
  SearchOptions options_;
  FrameMemory memory_;
  PlaneMaker planes_;
  PeakFinder peaks_;
  Refiner refiner_;
  NearFit nearFit_;
  std::optional<Rehearsal> rehearsal_;
  FrameResourceCache cache_;
  Background making_;  // makes resources for cache_
  std::optional<FrameInFlight> inFlight_;
  MadePlanes made_;  // the planes that were made last
  bool startsInOrder_;
  Recorder recorder_;  // destroyed first: it waits for the device, which uses the other members
};

}  // namespace glint::gpu
