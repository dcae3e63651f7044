// Recognises images that hold an animation. Internal to app/.
#pragma once

#include <string>

namespace glint::capture {

/// Returns true if a file is a PNG with more than one picture (APNG): the chunk acTL is in front of
/// the pixels. Returns false if it cannot be read.
bool isAnimatedPng(const std::string& path);

/// Returns true if a file is a WebP whose header says that it is an animation. Returns false if it
/// cannot be read.
bool isAnimatedWebp(const std::string& path);

}  // namespace glint::capture
