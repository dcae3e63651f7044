// Exposure, gain and all else that can be set of a V4L2 device. Internal to capture/.
#pragma once

#include <string>
#include <vector>

#include "app/capture/source/camera_info.h"
#include "config/settings.h"

namespace glint::capture {

/// ioctl() that goes on after signals. -1: errno says why not.
int v4l2Call(int file, unsigned long request, void* argument);

/// All that an open device offers, as it is now. The common ones have the names of settings
/// ("exposure"), others their own ("backlight_compensation").
std::vector<CameraControl> listV4l2Controls(int file);

/// Sets what `request` says and `before` does not. What sets a control by itself is switched off
/// first; "auto" switches it on. Throws UsageError for a control that the device has not, or a
/// value that it does not allow; Error where it refuses; all else is set then, too. `name`: of the
/// camera, for messages.
void setV4l2Controls(int file, const std::string& name, const Settings::Camera& request,
                     const Settings::Camera& before);

}  // namespace glint::capture
