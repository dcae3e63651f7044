// What the record button can write.
#pragma once

#include <string>
#include <vector>

namespace glint::ui {

struct RecordingFormat {
  std::string name, about, suffix;
};

/// The formats of tracks, a video with what was found, and the frames as they come; the usual one
/// first.
const std::vector<RecordingFormat>& recordingFormats();

}  // namespace glint::ui
