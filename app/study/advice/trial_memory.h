// Remembers the results of trials, so that no trial is made twice.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "app/study/advice/frame_sample.h"
#include "app/study/advice/markers_by_frame.h"
#include "config/settings.h"

namespace glint::study {

/// Measures the frames of a sample, and keeps all results. A proposal asks for many trials several
/// times, and on more frames each time.
class TrialMemory {
 public:
  /// Calls `progress` before each trial that is not known yet, with the number of trials that have
  /// been made. `sample` must outlive the object.
  explicit TrialMemory(FrameSample& sample, std::function<void(size_t)> progress = {});

  /// Returns what FrameSample::measureFirst() returns.
  MarkersByFrame measure(const Settings& settings, size_t frames);
  /// Returns what FrameSample::survey() returns.
  MarkersByFrame survey(const Settings& settings, size_t frames);

  const FrameSample& sample() const { return sample_; }

 private:
  struct Trial {
    bool survey;
    Settings settings;
    MarkersByFrame found;  // of the first frames
  };

  MarkersByFrame remember(bool survey, const Settings& settings, size_t frames);

  FrameSample& sample_;
  std::function<void(size_t)> progress_;
  std::vector<Trial> trials_;
};

}  // namespace glint::study
