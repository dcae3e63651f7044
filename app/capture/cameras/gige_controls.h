// What cameras offer through Aravis, and how it is set. Internal to capture/.
#pragma once

#include <string>
#include <vector>

#include <arv.h>

#include "app/capture/source/camera_info.h"
#include "config/settings.h"

namespace glint::capture::gige {

/// Those of exposure (us), gain and black level that it has.
std::vector<CameraControl> controlsOf(ArvCamera* camera);

/// Sets what `request` says and `before` does not. What sets a feature by itself is switched off
/// first; "auto" switches it on. Throws UsageError for what the camera does not have, Error where
/// it refuses; all else is set then, too. `name`: of the camera, for messages.
void setControls(ArvCamera* camera, const std::string& name, const Settings::Camera& request,
                 const Settings::Camera& before);

/// What answers within a second, and USB3 Vision cameras. Opens none.
std::vector<CameraInfo> listCameras();

/// Adds formats at the full size and the highest rate, exposure, gain and black level, or the
/// problem.
void look(CameraInfo& info);

}  // namespace glint::capture::gige
