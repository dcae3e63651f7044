// What `glint probe` does, in the background.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source.h"
#include "app/desk/background_task.h"
#include "app/desk/small_picture.h"
#include "app/probe/proposal.h"
#include "gpu/device.h"

namespace glint {

/// Tries settings on a few frames of a recording, which it opens again. Progress counts trials, of
/// kMostTrials at most.
class SettingsProbe : public BackgroundTask {
 public:
  static constexpr uint32_t kMostWidth = 240, kMostHeight = 160;  ///< px

  struct Outcome {
    Proposal proposal;
    Settings settings;                       ///< what it proposes, whole
    size_t frames = 0;                       ///< looked at
    SmallPicture picture;                    ///< one of them
    std::vector<shared::Detection> markers;  ///< in it, by the proposed settings
  };

  /// `now`: the settings in force, of which the proposal keeps all that says nothing of how markers
  /// look: masks and regions, tracks, cameras and the device. It has no filters.
  SettingsProbe(std::shared_ptr<const Device> device, std::string source, Settings now,
                std::function<void()> changed = {});
  /// The same of a recording that `open` opens, on the thread.
  using Open = std::function<std::unique_ptr<Source>(const Interrupt&)>;
  SettingsProbe(std::shared_ptr<const Device> device, Open open, Settings now,
                std::function<void()> changed = {});
  ~SettingsProbe() { end(); }

  /// Null before it is done. Any thread.
  std::shared_ptr<const Outcome> outcome() const;

 private:
  void look();

  const std::shared_ptr<const Device> device_;
  const Open open_;
  const Settings now_;
  std::shared_ptr<const Outcome> outcome_;  // with the lock
};

}  // namespace glint
