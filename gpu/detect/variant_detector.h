// Finds the markers of a frame by many settings at once.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gpu/detect/detector.h"
#include "gpu/detect/peak_parts.h"

namespace glint::gpu {

/// Settings that differ only in what is made of a frame's candidates share its planes, statistics
/// and candidates. Each different fit is made once:
/// - Without a prominence the candidates of a higher threshold are those of the lowest one that
///   reach it, and so are its peaks (peak_list.h). With one, each threshold has its own search.
/// - A fit depends on the image, its peak and the Refinement. A fit together depends on the group.
/// - The host alone chooses among what was fitted (limits.h).
/// So markers are those of a Detector with each of the settings, bit for bit, but for
/// kFlagExpected, which is never set, and for `ground`, which is there with a fixed threshold, too.
/// Of LayerMeasurement `luminance`, `candidates` and `rejected` are not filled.
///
/// One thread; one frame in flight. Throws as Detector does.
class VariantDetector {
 public:
  /// Whether a frame by these settings can be shared: peaks, and no filters, which may remember.
  static bool canShare(const Settings& settings);
  /// Whether such settings can share it with each other.
  static bool canShare(const Settings& a, const Settings& b);

  /// `variants`: not empty, none of them null, and all canShare(). Their masks are `masks`.
  /// `device` must outlive it.
  VariantDetector(const Device& device, const FrameFormat& format,
                  std::vector<std::shared_ptr<const Settings>> variants, const Masks& masks);
  ~VariantDetector();

  /// Starts on a frame. `layers`: as for makeFeedback(); predictions are not used.
  void submit(FrameLease frame, std::span<const LayerExpectation> layers);

  /// Waits for the submitted frame; none if there is none. The layers by each of the variants;
  /// empty where one of them has more candidates than the device lists: then a Detector must do it.
  std::vector<std::optional<std::vector<LayerMeasurement>>> collect();

 private:
  /// By layer, in order of rank.
  using Peaks = std::vector<std::vector<shared::Candidate>>;
  using Markers = std::vector<std::vector<shared::Detection>>;

  struct Variant {
    std::shared_ptr<const Settings> settings;
    size_t refinement = 0;  // of refinements_
    uint32_t most = 0;      // peaks that may be measured
    // Of the frame:
    shared::Feedback feedback{};
    std::optional<Peaks> peaks = {};  // empty: left to a Detector
    std::optional<PeakParts> parts = {};
    Markers found = {};
  };

  /// Variants whose candidates come from one scan.
  struct Search {
    std::vector<size_t> variants;
    shared::Feedback feedback{};  // with the lowest threshold of them
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
  Buffer list_, counts_;     // candidates, and shared::LayerResult, for the host
  Buffer wanted_, numbers_;  // the same that are to be fitted, by the host
  std::vector<Variant> variants_;
  std::vector<Refinement> refinements_;
  FrameInFlight shared_;  // but for a frame
  std::optional<FrameInFlight> frame_;
  std::vector<Search> searches_;  // of the frame; the first is on the device
  Recorder recorder_;             // last: its destructor waits for what uses the others
};

}  // namespace glint::gpu
