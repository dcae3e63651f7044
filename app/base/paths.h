// Handles names of files: of several cameras, of devices, and different names of one file.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace glint::base {

/// Returns the name of one camera's file: "clip_cam2.mp4" for "clip.mp4" and camera 2, or the path
/// itself if there is one camera only.
std::filesystem::path cameraPath(const std::filesystem::path& path, int camera, int cameras);

/// Makes a folder, and those above it, if they do not exist yet. Throws Error, which names the
/// folder.
void makeFolder(const std::filesystem::path& folder);

/// Throws Error naming `path` and the reason if no file of this name can be written: there is no
/// such folder, it must not be changed, `path` is a folder or a protected file, or its name is too
/// long. Changes nothing. A device or a pipe always passes. `inPlace`: the file is not replaced by
/// a new one if it exists, so its folder does not matter then.
void checkWritable(const std::string& path, bool inPlace = false);

/// Throws Error as checkWritable() does if makeFolder() cannot make this folder, or if it exists
/// and no file can be made in it.
void checkFolder(const std::filesystem::path& folder);

/// Returns true if a path is a device or a pipe.
bool isDevice(const std::string& path);

/// Returns the path to which links lead from `path`, even if there is no file there yet.
std::filesystem::path followLinks(const std::string& path);

/// Returns true if two paths lead to one file, directly or through links, even if it does not exist
/// yet.
bool sameFile(const std::string& a, const std::string& b);

/// Returns the descriptor of standard output or standard error if `path` leads to it: because it is
/// /dev/stdout, or the file to which a shell has redirected the output. Otherwise empty.
std::optional<int> standardStream(const std::string& path);

/// Returns true if one of the paths leads to standard output, where nothing else may be printed
/// then.
bool anyStandardOutput(std::span<const std::string> paths);

}  // namespace glint::base
