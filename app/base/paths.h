// Names of files: those of several cameras, devices, and two names for one file.
#pragma once

#include <filesystem>
#include <string>

namespace glint {

/// "clip.mp4" is "clip_cam2.mp4" for camera 2 of several.
std::filesystem::path cameraPath(const std::filesystem::path& path, int camera, int cameras);

/// Whether a path is a device or a pipe.
bool isDevice(const std::string& path);

/// Whether two paths are one file, also through links, also if it does not exist yet.
bool sameFile(const std::string& a, const std::string& b);

}  // namespace glint
