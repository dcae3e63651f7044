// Finds markers in frames of all cameras at once.
#pragma once

#include <cstddef>
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

/// A number of a filter that reduces: "light.mean", of full scale.
struct FilterReadback {
  std::string name;
  double value = 0;
};

/// The measurements of one frame of one camera.
struct LayerMeasurement {
  CameraState state = CameraState::ended;
  std::optional<FrameStamp> stamp;  ///< of the frame; empty without one: then nothing else is valid
  shared::PlaneStatistics luminance{};
  shared::PlaneStatistics response{};  ///< of the pixels that are not masked
  size_t pixels = 0;                   ///< that `response` counts
  Ground ground = {};                  ///< of the response, if it may matter
  uint32_t threshold = 0;              ///< least response of a candidate that was used
  uint32_t prominence = 0;             ///< how far candidates must stand above large areas; 0: any
  uint32_t candidates = 0;             ///< or components, where markers are blobs
  /// Markers may be missing: more blobs than the device has room for, so that none were measured,
  /// or too few markers among the peaksToMeasure() peaks that were.
  bool partial = false;
  uint32_t elongated = 0;                  ///< see Limited
  std::vector<FilterReadback> readbacks;   ///< numbers that filters report of this frame
  std::vector<shared::Detection> markers;  ///< in order of rank
  std::vector<Rejected> rejected;          ///< if DetectionConfig::rejected asks for them
  /// How the template fits best at each marker's peak; empty if none is matched.
  std::vector<std::optional<TemplateFit>> fits;
  bool matchesTemplate = false;  ///< whether a filter matches one
};

/// The measurements of one frame of all cameras.
struct FrameResult {
  FrameLease frame;
  std::vector<LayerMeasurement> layers;
  std::vector<PassTime> times;  ///< the device's time for each pass, if they were taken
  /// Those that DetectionConfig::planes asked for; null if none, or while three frames' are held
  /// already.
  std::shared_ptr<const PlaneImages> planes = {};
};

/// Statistics of a layer's response.
struct ResponseStatistics {
  shared::PlaneStatistics values{};
  size_t pixels = 0;  ///< that are not masked: those counted
  Ground ground = {};
};

/// Options of a detector.
struct DetectorOptions {
  Timing timing = Timing::passes;  ///< of frames whose DetectionConfig::timed asks for it
  /// How it uses the device. Empty: as is fastest there.
  std::optional<SearchOptions> search = std::nullopt;
};

/// Kernels and buffers for frames of one format. One thread; one frame in flight. Each frame has
/// its own config, which may change at any time. Where a config needs kernels or buffers that do
/// not exist yet, prepare() makes them in the background; submit() and measure() wait for them.
///
/// Every function that waits for the device throws DeviceLost when it is lost; then a detector can
/// only be destroyed. `device` must outlive it.
class Detector {
 public:
  /// Throws Error when the format does not fit the device.
  Detector(const Device& device, const FrameFormat& format, const DetectorOptions& options);
  ~Detector();

  /// True when a frame with this config can be submitted without waiting. Otherwise another thread
  /// makes what is missing: ask again. It prepares one config at a time. Throws Error, once, when
  /// this config cannot be prepared: no room on the device, or masks that do not fit the format.
  /// Earlier configs stay prepared.
  bool prepare(const DetectionConfig& config);

  /// The same, and waits for it. Throws Error when the config cannot be prepared.
  void prepareNow(const DetectionConfig& config);

  /// Statistics of the response of each layer by `config`, and nothing else; waits for them. For
  /// frame 0, which has no frame before it, and for a frame whose response is another plane than
  /// that of the frame before. No frame may be in flight.
  std::vector<ResponseStatistics> measure(const FrameLease& frame, const DetectionConfig& config);

  /// The device's time for each pass of the last measure(), until the next frame is submitted.
  const std::vector<PassTime>& measureTimes() const { return recorder_.times(); }

  /// Starts on a frame, which may be one that was measured before. The result must be collected
  /// before the next frame is submitted. Throws Error when the config cannot be prepared; then no
  /// frame is in flight.
  void submit(FrameLease frame, const DetectionConfig& config, const shared::Feedback& feedback);

  /// Waits for the submitted frame; empty if there is none.
  std::optional<FrameResult> collect();

 private:
  FrameResources resourcesFor(const DetectionConfig& config);
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
  Background making_;  // into the cache
  std::optional<FrameInFlight> inFlight_;
  bool startsInOrder_;
  Recorder recorder_;  // last: its destructor waits for what uses the others
};

}  // namespace glint::gpu
