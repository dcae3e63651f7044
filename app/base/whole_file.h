// Writes files that are either whole or not changed at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace glint::base {

/// Writes a new file beside the one to which `path` leads and then renames it, so that a failure
/// leaves the file as it was before; links stay links. Devices, pipes and standard output are
/// written directly. Throws Error, which names the file and the reason.
void writeWholeFile(const std::string& path, std::span<const std::byte> bytes);

/// Removes the new file that writeWholeFile() is writing beside an old one, if it is. Only for a
/// signal handler that ends the program: it takes no lock and no memory.
void removeUnfinishedFile();
inline void writeWholeFile(const std::string& path, std::string_view text) {
  writeWholeFile(path, std::as_bytes(std::span(text)));
}

}  // namespace glint::base
