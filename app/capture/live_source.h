// What sources that are live have in common. Internal to capture/.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "app/capture/interrupt.h"
#include "app/capture/source.h"

namespace glint {

/// Of a read that finds nothing, and between two looks at the interrupt.
inline constexpr std::chrono::milliseconds kPatience{100}, kLook{20};

/// s, the host's monotonic clock.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// After a while, so that nobody asks again at once.
inline Reading lostReading(const std::string& problem, const Interrupt* interrupt) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until && !(interrupt && interrupt->isSet()))
    std::this_thread::sleep_for(kLook);
  return {.state = CameraState::lost, .stamp = {}, .problem = problem};
}

}  // namespace glint
