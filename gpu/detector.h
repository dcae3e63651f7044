// Finds markers in frames of all cameras at once.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/settings.h"
#include "gpu/frame_ring.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "shared/feedback.h"
#include "shared/results.h"

namespace glint {

/// What was measured in one frame of one camera.
struct LayerMeasurement {
  std::optional<FrameStamp> stamp;  ///< empty when the camera has ended; then nothing else is valid
  shared::PlaneStatistics luminance{};
  shared::PlaneStatistics response{};
  uint32_t threshold = 0;  ///< least response of a candidate that was used
  uint32_t candidates = 0;
  std::vector<shared::Detection> markers;  ///< in order of rank
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
  std::vector<shared::Prediction> predictions;  ///< the most certain first
};

/// The Feedback of frame n from what is known after frame n-1: thresholds by `settings`, and
/// predictions in turn from all layers until kMaxPredictions are placed.
shared::Feedback makeFeedback(const Settings& settings, const ImageFormat& image,
                              std::span<const LayerExpectation> layers);

/// Kernels and buffers for frames of one format. One thread; one frame in flight.
class Detector {
 public:
  /// `maxMarkers`: per layer. Throws Error when the format does not fit the device.
  Detector(const Device& device, const FrameFormat& format, uint32_t maxMarkers);
  ~Detector();

  /// Statistics of the response of each layer, and nothing else; waits for them. For frame 0,
  /// which has no frame before it.
  std::vector<shared::PlaneStatistics> measure(const FrameLease& frame, const Settings& settings);

  /// Starts on a frame. The result must be collected before the next frame is submitted.
  void submit(FrameLease frame, const Settings& settings, const shared::Feedback& feedback);

  /// Waits for the submitted frame; empty if there is none.
  std::optional<FrameResult> collect();

 private:
  struct Memory;
  Plane recordResponse(const FrameSlot& slot, const Settings& settings);

  FrameFormat format_;
  Selection selection_;
  Passes passes_;
  std::unique_ptr<Memory> memory_;
  FrameLease inFlight_;
  shared::Feedback feedback_{};
  bool sameResponse_ = false;  // the response plane is the luminance plane
  Recorder recorder_;          // last: its destructor waits for what uses the others
};

}  // namespace glint
