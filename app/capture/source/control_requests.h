// Reads and changes the requests to a camera's controls in settings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/settings.h"

namespace glint::capture {

/// Names of controls and their values as texts; an empty value leaves the control as it is.
using ControlRequests = std::vector<std::pair<std::string, std::string>>;

/// Returns the requests: first camera.exposure and the other controls that are settings, then those
/// in camera.controls, in their order. Throws UsageError if that is not a list of NAME=VALUE.
ControlRequests controlRequests(const Settings::Camera& camera);

/// Sets the requested value of a control; in camera.controls if the control is not a setting.
void setControlRequest(Settings::Camera& camera, const std::string& control,
                       const std::string& value);

/// Returns the value of a control with its unit: "200 us". If the camera counts in a multiple of a
/// unit, such as "0.1 ms", the value is converted: 200 gives "20 ms". `unit` may be empty.
std::string valueInWords(double value, const std::string& unit);

/// Returns the range of a control: "1 to 5000 us". If the camera counts in a multiple of a unit,
/// the converted range follows: "1 to 5000 (0.1 to 500 ms)".
std::string rangeInWords(int64_t least, int64_t most, const std::string& unit);

struct CameraSize {
  uint32_t width = 0, height = 0;  ///< px
};
/// Reads camera.size. Throws UsageError if it is not WIDTHxHEIGHT.
CameraSize parseCameraSize(std::string_view text);

}  // namespace glint::capture
