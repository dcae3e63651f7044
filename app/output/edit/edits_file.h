// Edits beside their recording: NAME.glint.json.
#pragma once

#include <optional>
#include <string>

#include "app/output/edit/track_edits.h"

namespace glint::output {

/// "film.mp4" -> "film.glint.json", "folder/" -> "folder.glint.json": where the edits of a
/// recording are kept that begins with this source; empty where it has no place of its own (scenes,
/// cameras, addresses, devices and pipes).
std::string editsPath(const std::string& source);

/// Throws UsageError naming the file and what is wrong with it: it is none, of a later version, or
/// says what cannot be.
TrackEdits readEdits(const std::string& path);
/// As readEdits(), of the bytes of a file called `path`.
TrackEdits parseEdits(const std::string& bytes, const std::string& path);

/// Whole or not at all; what a later Glint has written beside it stays. Throws Error naming the
/// file.
void writeEdits(const TrackEdits& edits, const std::string& path);
std::string printEdits(const TrackEdits& edits);

}  // namespace glint::output
