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

struct SweepResult {
  Rating rating;
  std::optional<Score> score;  ///< with truth

  /// What is to be large: IDF1 with truth, otherwise the rating's score; then HOTA, or few tracks.
  double value() const { return score ? score->idf1 : rating.score(); }
  bool betterThan(const SweepResult& other) const;
};

struct SweepRun {
  std::vector<SweepResult> results;  ///< a combination each
  uint64_t frames = 0;               ///< sets
  std::string failure;               ///< why the recording broke off, or empty

  size_t best() const;  ///< the first of the best
};

struct SweepOptions {
  std::vector<Address> sources;                ///< recordings, a camera each
  std::optional<uint64_t> frames = {};         ///< stop after so many
  std::span<const motion::Sample> truth = {};  ///< sorted; empty: there is none
  std::function<void(uint64_t frames)> progress = {};
};

/// The recording is decoded once, each different detection made once, and detections share what
/// VariantDetector can. Results are those of
/// `glint track` with the settings of each combination, and of `glint eval` on its tracks. Waits
/// until all is done. Throws UsageError for what is no recording and settings that are refused,
/// Error where the device fails, Interrupted.
SweepRun sweep(const gpu::Device& device, const std::vector<Combination>& combinations,
               const SweepOptions& options, capture::Interrupt& interrupt);

}  // namespace glint::study
