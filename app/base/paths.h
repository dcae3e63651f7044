// Names of files: those of several cameras, devices, and two names for one file.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace glint::base {

/// "clip.mp4" is "clip_cam2.mp4" for camera 2 of several.
std::filesystem::path cameraPath(const std::filesystem::path& path, int camera, int cameras);

/// Makes a folder, and those above it, where they are not there yet. Throws Error naming it.
void makeFolder(const std::filesystem::path& folder);

/// Whether a path is a device or a pipe.
bool isDevice(const std::string& path);

/// Where a path leads through links, also if there is no file there yet.
std::filesystem::path followLinks(const std::string& path);

/// Whether two paths are one file, also through links, also if it does not exist yet.
bool sameFile(const std::string& a, const std::string& b);

/// The descriptor of standard output or standard error if that is what `path` leads to:
/// /dev/stdout, or the file that a shell has redirected it to.
std::optional<int> standardStream(const std::string& path);

/// Whether one of the paths leads to standard output, so that nothing else may be printed there.
bool anyStandardOutput(std::span<const std::string> paths);

}  // namespace glint::base
