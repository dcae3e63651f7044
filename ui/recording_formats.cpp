#include "ui/recording_formats.h"

#include "app/sinks/formats.h"

namespace glint::ui {

const std::vector<RecordingFormat>& recordingFormats() {
  static const std::vector<RecordingFormat> all = [] {
    std::vector<RecordingFormat> formats;
    for (const TrackFormat& format : trackFormats()) {
      formats.push_back({std::string(format.name), std::string(format.about),
                         std::string(format.suffixes.front())});
    }
    formats.push_back({"video", "every frame with markers, ids and trails", ".mp4"});
    formats.push_back({"frames", "as they come, without loss", ".raw.mkv"});
    return formats;
  }();
  return all;
}

}  // namespace glint::ui
