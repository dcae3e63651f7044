// What a run record says: the JSON file beside tracks.csv.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glint::report {

struct Setting {
  std::string text;   ///< "detect.separation = 8.0"
  bool usual = true;  ///< the default of this version
};

struct RunFacts {
  std::string version, device, image;  ///< image: "1280x720, 3 channels, 8 bits"
  std::vector<std::string> sources;    ///< of the cameras, as the user wrote them
  std::vector<Setting> settings;
  uint64_t frames = 0, tracks = 0, dropped = 0;
  bool interrupted = false;
  std::string failure;
};

/// Throws Error naming the file when it cannot be read or is no run record.
RunFacts readRunFacts(const std::string& path);

}  // namespace glint::report
