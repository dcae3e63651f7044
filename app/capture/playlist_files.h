// Files that recordings name which are lists of others.
#pragma once

#include <string>
#include <vector>

namespace glint {

/// What a list of FFmpeg's concat, a playlist of HLS or a manifest of DASH in the file `path`
/// names, and what lists among these name in turn: every word of it that is a file. Empty for any
/// other file. Nothing is waited for.
std::vector<std::string> playlistFiles(const std::string& path);

}  // namespace glint
