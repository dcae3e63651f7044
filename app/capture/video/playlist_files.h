// What is read of a file that is named by an address, or that is a list of others.
#pragma once

#include <string>
#include <vector>

namespace glint::capture {

/// The name of a file, of which `spec` may be the address (`file:clip.mkv`).
std::string fileOfAddress(const std::string& spec);

/// What a list of FFmpeg's concat, a playlist of HLS or a manifest of DASH in the file `path`
/// names, and what lists among these name in turn: every word of it that is a file. Empty for any
/// other file. Nothing is waited for.
std::vector<std::string> playlistFiles(const std::string& path);

}  // namespace glint::capture
