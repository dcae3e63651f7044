// What is asked of a camera's controls, by the names that cameras give them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/settings.h"

namespace glint::capture {

/// A control's name, and its value as text; empty: as it is.
using ControlRequests = std::vector<std::pair<std::string, std::string>>;

/// camera.exposure and the others that settings have a name for, then those of camera.controls in
/// order. Throws UsageError where that is no list of NAME=VALUE.
ControlRequests controlRequests(const Settings::Camera& camera);

/// Sets what is asked of one of them; in camera.controls where settings have no name for it.
void setControlRequest(Settings::Camera& camera, const std::string& control,
                       const std::string& value);

/// What follows a value of such a unit: " us", or " times 0.1 ms" where it has a number of its own.
std::string afterValue(const std::string& unit);

struct CameraSize {
  uint32_t width = 0, height = 0;  ///< px
};
/// Of camera.size. Throws UsageError where that is no WIDTHxHEIGHT.
CameraSize parseCameraSize(std::string_view text);

}  // namespace glint::capture
