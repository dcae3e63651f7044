// Lists and finds V4L2 cameras. Internal to capture/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/camera_info.h"

namespace glint::capture {

/// Returns the path of the camera that the user named: "camera:0", "camera:NAME" (part of the
/// device's name, or of the place where it is plugged in), or "/dev/video0". Throws Error, which
/// lists the cameras, if there is none.
std::string findV4l2(const std::string& spec);

/// Returns the path of the camera with this name at this place; empty if it is not there.
std::optional<std::string> findV4l2(const std::string& card, const std::string& bus);

/// Returns the camera's id: see Source::id().
std::string v4l2Id(const std::string& card, const std::string& bus);

/// Returns a function that lists cameras by path, each with its modes and controls if no program
/// uses it. While nothing is plugged in or out, a call takes a few file look-ups only.
CameraLister v4l2Lister();

/// Opens a camera, and adds its modes and controls; or the problem if that fails.
void inspectV4l2(CameraInfo& camera);

}  // namespace glint::capture
