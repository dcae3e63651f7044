// Finds the markers of a frame for many settings at once.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gpu/detect/detector.h"
#include "gpu/detect/peak_parts.h"

namespace glint::gpu {

/// Finds markers for several settings (variants) that differ only in the use of a frame's
/// candidates. They share the planes, statistics and candidates of the frame, and each different
/// fit is made only once:
/// - Without a prominence, the candidates for a higher threshold are those for the lowest threshold
///   that reach the higher one. The same is true for peaks (peak_list.h). With a prominence, each
///   threshold needs a search of its own.
/// - A fit depends on the image, the peak and the Refinement. A joint fit depends on the group.
/// - The host chooses the markers among the fitted peaks (limits.h).
/// So the markers are the same, bit for bit, as those of a Detector with each of the settings. The
/// exceptions are kFlagExpected, which is never set, and `ground`, which is also computed for a
/// fixed threshold. The members `luminance`, `candidates` and `rejected` of LayerMeasurement are
/// not filled.
///
/// Only one thread may use it, and only one frame is in flight. Throws as Detector does.
class VariantDetector {
 public:
  /// Returns true if these settings can share a frame with others. They must search for peaks, and
  /// have no filters, because those may remember earlier frames.
  static bool canShare(const Settings& settings);
  /// Returns true if two settings can share a frame with each other.
  static bool canShare(const Settings& a, const Settings& b);

  /// `variants`: not empty, none of them null, and all canShare(). Their masks are `masks`.
  /// `device` must outlive it.
  VariantDetector(const Device& device, const FrameFormat& format,
                  std::vector<std::shared_ptr<const Settings>> variants, const Masks& masks);
  ~VariantDetector();

  /// Submits a frame to the device. For `layers` see makeFeedback(); their predictions are not
  /// used.
  void submit(FrameLease frame, std::span<const LayerExpectation> layers);

  /// Waits for the submitted frame, and returns the measurements of its layers for each variant. An
  /// entry is empty if a layer has too many candidates for the list; a Detector must then measure
  /// the frame. The result is empty if no frame was submitted.
  std::vector<std::optional<std::vector<LayerMeasurement>>> collect();

 private:
  /// Peaks and measurements per layer, in order of rank.
  using Peaks = std::vector<std::vector<shared::Candidate>>;
  using Markers = std::vector<std::vector<shared::Detection>>;

  struct Variant {
    std::shared_ptr<const Settings> settings;
    size_t refinement = 0;  // of refinements_
    uint32_t most = 0;      // peaks that may be measured
    // The frame:
    shared::Feedback feedback{};
    std::optional<Peaks> peaks = {};  // empty: a Detector must measure the frame
    std::optional<PeakParts> parts = {};
    Markers found = {};
  };

  /// Variants whose candidates come from the same scan.
  struct Search {
    std::vector<size_t> variants;
    shared::Feedback feedback{};  // with the lowest of their thresholds
  };

  void addTo(std::vector<Search>& searches, size_t variant) const;
  void record(const Search& search, bool first);
  void choose(const Search& search);
  Peaks wantedFits(size_t refinement);
  Markers fitAlone(size_t refinement, const Peaks& wanted);
  void readPeaks(Variant& variant, const Markers& fits);
  void fitTogether(size_t refinement);
  std::vector<LayerMeasurement> measurementsOf(const Variant& variant,
                                               const std::vector<Ground>& grounds) const;

  FrameFormat format_;
  const Passes& passes_;
  FrameMemory memory_;
  PlaneMaker planes_;
  PeakFinder peaks_;
  NearFit nearFit_;
  FrameResourceCache cache_;
  Buffer list_, counts_;     // listed candidates, and shared::LayerResult, read by the host
  Buffer wanted_, numbers_;  // candidates to fit, and shared::LayerResult, written by the host
  std::vector<Variant> variants_;
  std::vector<Refinement> refinements_;  // the different refinements of the variants
  FrameInFlight shared_;                 // data that all frames share, without a frame
  std::optional<FrameInFlight> frame_;
  std::vector<Search> searches_;  // searches for the frame; the first one is on the device
  Recorder recorder_;  // destroyed first: it waits for the device, which uses the other members
};

}  // namespace glint::gpu
