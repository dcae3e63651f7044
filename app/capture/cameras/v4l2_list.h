// Which V4L2 cameras there are. Internal to capture/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/camera_info.h"

namespace glint::capture {

/// The path of what the user wrote: "camera:0", "camera:NAME" (part of the device's name, or of
/// where it is plugged in), "/dev/video0". Throws Error naming what there is.
std::string findV4l2(const std::string& spec);

/// The path of the camera of this name at this place; empty if it is not there.
std::optional<std::string> findV4l2(const std::string& card, const std::string& bus);

/// What a camera is known by: Source::id().
std::string v4l2Id(const std::string& card, const std::string& bus);

/// By path, each with its modes and controls where nobody uses it. A few file look-ups while
/// nothing is plugged in or out.
CameraLister v4l2Lister();

/// Opens it, and adds modes and controls, or the problem.
void lookAtV4l2(CameraInfo& camera);

}  // namespace glint::capture
