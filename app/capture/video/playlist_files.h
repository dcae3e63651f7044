// Finds the files that are read for a file that is named by an address, or that lists other files.
#pragma once

#include <string>
#include <vector>

namespace glint::capture {

/// Returns the name of a file; `spec` is the name itself or an address (`file:clip.mkv`).
std::string fileOfAddress(const std::string& spec);

/// Returns the files that are named in the file `path`, if that is a list of FFmpeg's concat, a
/// playlist of HLS or a manifest of DASH: every word in it that is a file, and the files named in
/// those that are lists themselves. Returns nothing for any other file. Does not wait for pipes.
std::vector<std::string> playlistFiles(const std::string& path);

}  // namespace glint::capture
