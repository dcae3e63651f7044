// The candidates for a proposal: settings that are tried on a few frames.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/study/advice/judgement.h"
#include "app/study/advice/proposal_options.h"

namespace glint::study {

/// Tries kinds of markers on the frames of a sample, and compares the markers that it finds with
/// those that it finds in the negative of the pictures. All arguments of the constructor must
/// outlive it.
class CandidateSearch {
 public:
  /// `frames`: the number of frames in the sample. `fullScale`: the largest value of a pixel.
  CandidateSearch(const SettingsFor& settingsFor, const Measures& measures, size_t frames,
                  double fullScale, const ProposalOptions& options)
      : settingsFor_(settingsFor),
        measures_(measures),
        frames_(frames),
        fullScale_(fullScale),
        options_(options),
        radii_(options.candidates.radii.begin(), options.candidates.radii.end()) {}

  /// Surveys bright and dark, round and elongated markers of every radius that was not dropped, on
  /// the first `frames` frames. Must be called before all other functions, because they compare
  /// with the markers that the last call has found.
  std::vector<SettingsCandidate> allKinds(size_t frames);

  /// Drops the radii that cannot win any more. `all`: the candidates of allKinds(). A radius stays
  /// if its best candidate has a score of at least CandidateOptions::hopelessShare of the best one.
  /// Its neighbours stay as well, because their decoys are compared with its markers.
  void dropHopelessRadii(const std::vector<SettingsCandidate>& all);

  /// Tries the default settings on the first `frames` frames, with the option --dark if `dark`.
  SettingsCandidate defaults(size_t frames, bool dark = false) const;

  /// Tries the default settings, then --dark, on all frames. Finds markers that only a few frames
  /// show because they are fast. Empty if neither of the two candidates is sure.
  std::optional<SettingsCandidate> inFewFrames() const;

  /// Tries one remedy on the first `frames` frames. The candidate keeps only the markers that are
  /// stronger than chance, as a comparison with the negative shows (see cutOf()).
  SettingsCandidate weigh(const Remedy& remedy, size_t frames) const;

  /// Returns the markers that a remedy finds on the first `frames` frames, with detect.max_markers
  /// so large that all of them are kept.
  MarkersByFrame find(const Remedy& remedy, size_t frames) const;

  /// Returns the response at a marker. If the response is saturated there, returns an estimate of
  /// the response without saturation, from the contrast of the marker.
  double strengthOf(const shared::Detection& d) const;

  Settings settingsOf(const Remedy& remedy) const {
    return glint::study::settingsOf(remedy, settingsFor_);
  }
  const Measure& measure() const { return measures_.exact; }
  size_t frames() const { return frames_; }
  double fullScale() const { return fullScale_; }
  const ProposalOptions& options() const { return options_; }

 private:
  /// The markers found in a trial of one radius, whatever their shape.
  struct Seen {
    double radius;  ///< px
    MarkersByFrame bright, dark;
  };
  // Two results of one trial: the markers in the pictures, and those in their negatives.
  using OwnAndNegative = std::pair<MarkersByFrame, MarkersByFrame>;

  OwnAndNegative downTo(double sigmas, Remedy remedy, size_t frames, const Measure& by) const;
  OwnAndNegative census(const Remedy& remedy, size_t frames, const Measure& by) const;
  SettingsCandidate weigh(const Remedy& remedy, const MarkersByFrame& seen,
                          const MarkersByFrame& negative) const;
  MarkersByFrame ofShape(const MarkersByFrame& found, const MarkerKind& kind) const;
  double strongestDecoy(const MarkerKind& kind) const;
  std::vector<double> strengthsOf(const MarkersByFrame& found) const;

  const SettingsFor& settingsFor_;
  const Measures& measures_;
  const size_t frames_;
  const double fullScale_;
  const ProposalOptions& options_;
  std::vector<double> radii_;    // px, those that were not dropped
  std::vector<Seen> seen_ = {};  // The results of allKinds(), one for each radius.
};

}  // namespace glint::study
