// Whether a lamp hides dimmer markers, tried in the background.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/capture/source.h"
#include "app/desk/background_task.h"
#include "app/probe/lamp.h"
#include "gpu/device.h"

namespace glint {

/// Measures a few frames of a recording that `open` opens, on the thread, with and without it.
class LampLook : public BackgroundTask {
 public:
  using Open = std::function<std::unique_ptr<Source>(const Interrupt&)>;
  LampLook(std::shared_ptr<const Device> device, Open open, Settings settings,
           std::function<void()> changed);
  ~LampLook() { end(); }

  /// Nothing before it is done, and where nothing is hidden or that cannot be known. Any thread.
  std::optional<Lamp> lamp() const;
  const Settings& settings() const { return settings_; }

 private:
  void look();

  const std::shared_ptr<const Device> device_;
  const Open open_;
  const Settings settings_;
  std::optional<Lamp> lamp_;  // with the lock
};

}  // namespace glint
