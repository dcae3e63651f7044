// A file that is written at once.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace glint {

/// Writes beside `path` and renames, so that a failure leaves what was there before. Throws Error
/// naming the file and the reason.
void writeWholeFile(const std::string& path, std::span<const std::byte> bytes);

}  // namespace glint
