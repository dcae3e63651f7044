// What `glint sweep` does, in the background.
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

/// Tracks recordings, which it opens again, with ranges of settings. Progress counts frames.
class SettingsSweep : public BackgroundTask {
 public:
  static constexpr uint32_t kMostWidth = 240, kMostHeight = 160;  ///< px

  struct Outcome {
    std::vector<study::SweepAxis> axes;
    std::vector<study::Combination> combinations;
    study::SweepRun run;
    size_t best = 0;
    SmallPicture picture;  ///< a frame from the middle of `camera`
    /// In it, by each of the combinations; none where filters read images.
    std::vector<std::vector<shared::Detection>> markers;
  };

  /// `now`: the settings that all combinations begin with. `frames`: there will be, where known.
  /// Throws UsageError as combine() does.
  SettingsSweep(std::shared_ptr<const gpu::Device> device, std::vector<Address> sources,
                size_t camera, std::vector<study::SweepAxis> axes, const Settings& now,
                std::optional<uint64_t> frames, std::function<void()> changed = {});
  ~SettingsSweep() { end(); }

  /// Null before it is done. Any thread.
  std::shared_ptr<const Outcome> outcome() const;

 private:
  void run(const std::shared_ptr<Outcome>& outcome);
  void look(Outcome& outcome);

  const std::shared_ptr<const gpu::Device> device_;
  const std::vector<Address> sources_;
  const size_t camera_;
  std::shared_ptr<const Outcome> outcome_;  // with the lock
};

}  // namespace glint::shell
