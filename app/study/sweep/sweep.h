// Tracks a recording with many settings at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/study/eval/score.h"
#include "app/study/sweep/combinations.h"
#include "app/study/sweep/rating.h"
#include "config/secrets.h"
#include "gpu/device.h"

namespace glint::study {

/// The result of one combination.
struct SweepResult {
  Rating rating;
  std::optional<Score> score;  ///< The comparison with the truth; empty without truth.

  /// Returns the figure that should be large: IDF1 if there is a truth, otherwise the score of the
  /// rating.
  double value() const { return score ? score->idf1 : rating.score(); }
  /// Returns true if the value of this result is larger. If the values are equal, compares HOTA, or
  /// without truth the number of tracks: fewer are better.
  bool betterThan(const SweepResult& other) const;
};

/// The results of a whole sweep.
struct SweepRun {
  std::vector<SweepResult> results;  ///< The result of each combination.
  uint64_t frames = 0;               ///< The number of sets that were tracked.
  std::string failure;  ///< The reason why the recording broke off; empty if it did not.

  size_t best() const;  ///< Returns the index of the best result; of several equal ones, the first.
};

struct SweepOptions {
  std::vector<Address> sources;  ///< The addresses of the recordings, one for each camera.
  /// The number of sets after which the sweep stops; empty: all.
  std::optional<uint64_t> frames = {};
  /// The truth, sorted as score() needs it; empty if there is none.
  std::span<const motion::Sample> truth = {};
  /// Called after each set with the number of sets that are done.
  std::function<void(uint64_t frames)> progress = {};
};

/// Tracks a recording with all combinations. Decodes the recording once, and makes each different
/// detection once; detections share their work as far as VariantDetector can. The results are those
/// of `glint track` with the settings of each combination, and of `glint eval` on its tracks. Waits
/// until all is done. Throws UsageError if a source is no recording or settings are refused, Error
/// if the device fails, and Interrupted after an interrupt.
SweepRun sweep(const gpu::Device& device, const std::vector<Combination>& combinations,
               const SweepOptions& options, capture::Interrupt& interrupt);

}  // namespace glint::study
