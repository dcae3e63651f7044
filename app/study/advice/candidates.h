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

/// Tries kinds of markers on the frames of a sample, and weighs what each finds against what the
/// negative of the picture holds. What is given must outlive it.
class CandidateSearch {
 public:
  /// `fullScale`: the largest value of a pixel.
  CandidateSearch(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                  double fullScale, const ProposalOptions& options)
      : settingsFor_(settingsFor),
        measure_(measure),
        frames_(frames),
        fullScale_(fullScale),
        options_(options) {}

  /// Tries bright and dark, round and elongated markers of every radius, on few frames. The other
  /// functions compare with what it has seen, so it is called first.
  std::vector<SettingsCandidate> allKinds();

  /// Tries the defaults, or the defaults with --dark.
  SettingsCandidate defaults(size_t frames, bool dark = false) const;

  /// Tries the defaults, then --dark, on all frames, for markers that are in few of them because
  /// they are fast. Empty if neither is sure.
  std::optional<SettingsCandidate> inFewFrames() const;

  /// Tries one remedy, down to the level where the negative has as many.
  SettingsCandidate weigh(const Remedy& remedy, size_t frames) const;

  /// Returns what a remedy finds, with room for all markers.
  MarkersByFrame find(const Remedy& remedy, size_t frames) const;

  /// Returns the response of a marker; of one that saturates it, what it would be.
  double strengthOf(const shared::Detection& d) const;

  Settings settingsOf(const Remedy& remedy) const {
    return glint::study::settingsOf(remedy, settingsFor_);
  }
  const Measure& measure() const { return measure_; }
  size_t frames() const { return frames_; }
  double fullScale() const { return fullScale_; }
  const ProposalOptions& options() const { return options_; }

 private:
  /// The markers of about one radius, whatever their shape.
  struct Seen {
    double radius;  ///< px
    MarkersByFrame bright, dark;
  };
  using OwnAndNegative = std::pair<MarkersByFrame, MarkersByFrame>;

  OwnAndNegative downTo(double sigmas, Remedy remedy, size_t frames) const;
  OwnAndNegative census(const Remedy& remedy, size_t frames) const;
  SettingsCandidate weigh(const Remedy& remedy, const MarkersByFrame& seen,
                          const MarkersByFrame& negative) const;
  MarkersByFrame ofShape(const MarkersByFrame& found, const MarkerKind& kind) const;
  double strongestDecoy(const MarkerKind& kind) const;
  std::vector<double> strengthsOf(const MarkersByFrame& found) const;

  const SettingsFor& settingsFor_;
  const Measure& measure_;
  const size_t frames_;
  const double fullScale_;
  const ProposalOptions& options_;
  std::vector<Seen> seen_ = {};  // by allKinds(), one for each radius
};

}  // namespace glint::study
