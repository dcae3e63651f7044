// Finds out in the background whether a lamp or glare hides dimmer markers.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/capture/source/source.h"
#include "app/shell/desk/background_task.h"
#include "app/study/advice/glare.h"
#include "app/study/advice/lamp.h"
#include "gpu/device.h"

namespace glint::shell {

/// A task that measures a few frames of a recording with and without its lamp, or with a threshold
/// below its glare, on a thread of its own. `open` opens the recording on that thread.
class ThresholdTrial : public BackgroundTask {
 public:
  using Open = std::function<std::unique_ptr<capture::Source>(const capture::Interrupt&)>;
  ThresholdTrial(std::shared_ptr<const gpu::Device> device, Open open, Settings settings,
                 std::function<void()> changed);
  ~ThresholdTrial() { end(); }

  /// Return the lamp, or the glare, that hides markers. At most one of the two is there. Both are
  /// empty before the trial is done, if nothing is hidden, or if that cannot be known. Any thread.
  std::optional<study::Lamp> lamp() const;
  std::optional<study::Glare> glare() const;
  const Settings& settings() const { return settings_; }

 private:
  void measure();

  const std::shared_ptr<const gpu::Device> device_;
  const Open open_;
  const Settings settings_;
  std::optional<study::Lamp> lamp_;    // guarded by mutex_
  std::optional<study::Glare> glare_;  // guarded by mutex_
};

}  // namespace glint::shell
