// A file that is written at once.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace glint::base {

/// Writes beside the file that `path` leads to, under a name that no file has, and renames, so that
/// a failure leaves what was there before; links stay links. Devices, pipes and standard output are
/// written themselves. Throws Error naming the file and the reason.
void writeWholeFile(const std::string& path, std::span<const std::byte> bytes);
inline void writeWholeFile(const std::string& path, std::string_view text) {
  writeWholeFile(path, std::as_bytes(std::span(text)));
}

}  // namespace glint::base
