// Proposes settings in the background, as `glint probe` does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/source.h"
#include "app/shell/desk/background_task.h"
#include "app/shell/desk/small_picture.h"
#include "app/study/advice/proposal.h"
#include "config/secrets.h"
#include "gpu/device.h"

namespace glint::shell {

/// A task that tries settings on a few frames of a recording, which it opens again. Its progress
/// counts trials, at most kMostTrials.
class SettingsProbe : public BackgroundTask {
 public:
  static constexpr uint32_t kMostWidth = 240, kMostHeight = 160;  ///< px

  struct Outcome {
    study::Proposal proposal;
    Settings settings;                       ///< settings with the proposal applied
    size_t frames = 0;                       ///< number of frames that were tried
    SmallPicture picture;                    ///< one of these frames
    std::vector<shared::Detection> markers;  ///< markers in it with the proposed settings
  };

  /// `now` holds the settings in force. The proposal keeps those that do not describe the look of
  /// markers: masks and regions, tracks, cameras and the device. It has no filters.
  SettingsProbe(std::shared_ptr<const gpu::Device> device, Address source, Settings now,
                std::function<void()> changed = {});
  /// A function that opens the recording, called on the thread of the task.
  using Open = std::function<std::unique_ptr<capture::Source>(const capture::Interrupt&)>;
  SettingsProbe(std::shared_ptr<const gpu::Device> device, Open open, Settings now,
                std::function<void()> changed = {});
  ~SettingsProbe() { end(); }

  /// Returns the outcome; null before the work is done. Any thread.
  std::shared_ptr<const Outcome> outcome() const;

 private:
  void run();

  const std::shared_ptr<const gpu::Device> device_;
  const Open open_;
  const Settings now_;
  std::shared_ptr<const Outcome> outcome_;  // guarded by mutex_
};

}  // namespace glint::shell
