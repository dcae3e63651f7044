// Finds markers in frames of all cameras at once.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/settings.h"
#include "gpu/evidence.h"
#include "gpu/frame_ring.h"
#include "gpu/limits.h"
#include "gpu/mask.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "shared/feedback.h"
#include "shared/results.h"

namespace glint {

/// What was measured in one frame of one camera.
struct LayerMeasurement {
  CameraState state = CameraState::ended;
  std::optional<FrameStamp> stamp;  ///< of the frame; empty without one: then nothing else is valid
  shared::PlaneStatistics luminance{};
  shared::PlaneStatistics response{};  ///< of the pixels that are not masked
  uint32_t threshold = 0;              ///< least response of a candidate that was used
  uint32_t candidates = 0;             ///< or components, where markers are blobs
  /// Markers may be missing: more blobs than the device has room for, so that none were measured,
  /// or too few markers among DetectorOptions::maxMarkers peaks.
  bool partial = false;
  std::vector<shared::Detection> markers;  ///< in order of rank
  std::vector<Rejected> rejected;          ///< if DetectorOptions::rejected asks for them
};

/// What was measured in one frame of all cameras.
struct FrameResult {
  FrameLease frame;
  std::vector<LayerMeasurement> layers;
  std::vector<PassTime> times;  ///< the device's time for each pass
};

/// Where tracks of one layer are expected, for the Feedback of the next frame.
struct LayerExpectation {
  shared::PlaneStatistics response{};           ///< of frame n-1 (of frame 0 itself for frame 0)
  size_t pixels = 0;                            ///< that `response` counts
  std::vector<shared::Prediction> predictions;  ///< the most certain first
};

/// The Feedback of frame n from what is known after frame n-1: thresholds by `settings`, and
/// predictions in turn from all layers until kMaxPredictions are placed.
shared::Feedback makeFeedback(const Settings& settings, const ImageFormat& image,
                              std::span<const LayerExpectation> layers);

/// What a detector is made for.
struct DetectorOptions {
  uint32_t maxMarkers = 128;          ///< peaks that are measured, per layer: peaksToMeasure()
  std::vector<LayerMask> masks = {};  ///< one a layer, or none at all
  bool rejected = false;              ///< fill LayerMeasurement::rejected
  Timing timing = Timing::passes;
  /// Whether listed candidates are measured while `resolve` decides which of them are markers:
  /// where thousands of invocations run at once that saves its time. Empty: on all devices but
  /// CPUs.
  std::optional<bool> measureListed = std::nullopt;
};

/// Kernels and buffers for frames of one format. One thread; one frame in flight.
class Detector {
 public:
  /// Throws Error when the format does not fit the device, or a mask does not fit the format.
  Detector(const Device& device, const FrameFormat& format, const DetectorOptions& options);
  ~Detector();

  /// Statistics of the response of each layer, and nothing else; waits for them. For frame 0,
  /// which has no frame before it.
  std::vector<shared::PlaneStatistics> measure(const FrameLease& frame, const Settings& settings);

  /// The device's time for each pass of the last measure(), until the next frame is submitted.
  const std::vector<PassTime>& measureTimes() const { return recorder_.times(); }

  /// Pixels of a layer that are not masked: those that the response's statistics count.
  size_t measuredPixels(uint32_t layer) const { return measuredPixels_[layer]; }

  /// Starts on a frame. The result must be collected before the next frame is submitted.
  void submit(FrameLease frame, const Settings& settings, const shared::Feedback& feedback);

  /// Waits for the submitted frame; empty if there is none.
  std::optional<FrameResult> collect();

 private:
  struct Memory;
  void recordLuminance(const FrameSlot& slot);
  void recordResponse(const Settings::Response& settings);
  void recordStatistics();
  void recordManyPeaks();
  void makeBlobs();
  void recordBlobs(const Settings::Detect& settings);
  void recordResolve(bool listed);
  void recordRefine(const Settings& settings);
  Refinement refinement(uint32_t from) const;
  bool resolved() const;
  bool listIsMeasured() const;
  void finishSelection(std::vector<PassTime>& times);
  std::vector<shared::Detection> found(uint32_t layer) const;

  const Device& device_;
  FrameFormat format_;
  Selection selection_;
  std::vector<size_t> measuredPixels_;
  bool masked_;
  Passes passes_;
  std::unique_ptr<Memory> memory_;
  std::optional<Evidence> evidence_;  // if rejected candidates are wanted
  FrameLease inFlight_;
  Settings settings_;  // of the frame in flight
  shared::Feedback feedback_{};
  // Of the frame in flight: as it came, where markers are measured, and where they are sought.
  Plane luminance_, measured_, response_;
  bool sameStatistics_ = false;  // those of the response are those of the luminance
  bool manyCandidates_ = false;  // more than `resolve` takes, in the last frame
  bool measuresLists_;           // as DetectorOptions say
  bool fewCandidates_ = true;    // in the last frame: no more than are measured
  bool seek_ = false;            // the frame in flight: candidates are listed
  bool listed_ = false;          // the frame in flight: candidates are measured as they are listed
  Recorder recorder_;            // last: its destructor waits for what uses the others
};

}  // namespace glint
