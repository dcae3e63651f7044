// The file of edits beside their recording: NAME.glint.json.
#pragma once

#include <optional>
#include <string>

#include "app/output/edit/track_edits.h"

namespace glint::output {

/// Returns the file of the edits of a recording that begins with this source: "film.glint.json" for
/// "film.mp4", "folder.glint.json" for "folder/". Empty if the source has no place of its own
/// (scenes, cameras, addresses, devices and pipes).
std::string editsPath(const std::string& source);

/// Reads edits. Throws UsageError naming the file and its fault: it cannot be read, is of a later
/// version, or has contents that are not valid.
TrackEdits readEdits(const std::string& path);
/// Reads edits as readEdits() does, from the bytes of a file called `path`.
TrackEdits parseEdits(const std::string& bytes, const std::string& path);

/// Writes the file as a whole. Members that a later version of Glint has written stay. Throws Error
/// naming the file.
void writeEdits(const TrackEdits& edits, const std::string& path);
std::string printEdits(const TrackEdits& edits);

}  // namespace glint::output
