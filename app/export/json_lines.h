// Tracks as JSON Lines: one JSON object a line; docs/formats.md describes them with samples.
#pragma once

#include <memory>
#include <string>

#include "app/export/exporter.h"

namespace glint {

/// tracks.jsonl: what tracks.csv holds, an object a row, its keys the CSV's columns.
std::unique_ptr<Exporter> makeJsonLines(const std::string& path);

/// Appends the members of a row that are its track's own, "track" to "flags", without braces, and
/// "angle" and "scale" where a picture that is sought fits.
/// What is no finite number, for which JSON has no word, is null.
void appendTrackJson(std::string& text, const TrackRow& row);

/// Appends "camera", "frame" and "time_s" (s), without braces.
void appendFrameJson(std::string& text, size_t camera, uint64_t frame, double time);

}  // namespace glint
