// Tries ranges of settings in the background, as `glint sweep` does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/desk/background_task.h"
#include "app/shell/desk/small_picture.h"
#include "app/study/sweep/combinations.h"
#include "app/study/sweep/sweep.h"
#include "gpu/device.h"
#include "shared/results.h"

namespace glint::shell {

/// A task that tracks recordings, which it opens again, with each combination of settings. Its
/// progress counts frames.
class SettingsSweep : public BackgroundTask {
 public:
  static constexpr uint32_t kMostWidth = 240, kMostHeight = 160;  ///< px

  struct Outcome {
    std::vector<study::SweepAxis> axes;
    std::vector<study::Combination> combinations;
    study::SweepRun run;
    size_t best = 0;       ///< number of the best combination
    SmallPicture picture;  ///< a frame from the middle of `camera`
    /// Markers in that frame for each combination; none if filters read images.
    std::vector<std::vector<shared::Detection>> markers;
  };

  /// `now` holds the settings that all combinations begin with. `frames` is the number of frames to
  /// be tracked, if known. Throws UsageError as combine() does.
  SettingsSweep(std::shared_ptr<const gpu::Device> device, std::vector<Address> sources,
                size_t camera, std::vector<study::SweepAxis> axes, const Settings& now,
                std::optional<uint64_t> frames, std::function<void()> changed = {});
  ~SettingsSweep() { end(); }

  /// Returns the outcome; null before the work is done. Any thread.
  std::shared_ptr<const Outcome> outcome() const;

 private:
  void run(const std::shared_ptr<Outcome>& outcome);
  void measureShownFrame(Outcome& outcome);

  const std::shared_ptr<const gpu::Device> device_;
  const std::vector<Address> sources_;
  const size_t camera_;
  std::shared_ptr<const Outcome> outcome_;  // guarded by mutex_
};

}  // namespace glint::shell
