// Portable float maps. Internal to app/.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <opencv2/core.hpp>

namespace glint::capture {

/// Returns true if the bytes begin as a PFM file does.
bool isPfm(std::span<const std::byte> file);

/// Decodes a PFM file into floats of one channel (Pf) or BGR (PF), the top row first. The file has
/// its bottom row first, and the sign of its scale is the order of bytes (Debevec's PFM format).
/// The scale itself is ignored. Throws Error that names the file if it is damaged or cut short.
cv::Mat decodePfm(const std::string& name, std::span<const std::byte> file);

}  // namespace glint::capture
