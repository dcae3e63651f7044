// The contents of a run record, the JSON file beside tracks.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glint::output::report {

/// A setting of the run.
struct Setting {
  std::string text;   ///< "detect.separation = 8.0"
  bool usual = true;  ///< true if it is the default of this version
};

/// Points and bodies of a run with a rig.
struct SpaceFacts {
  /// The figures of one body.
  struct BodyFacts {
    std::string name;
    uint64_t sets = 0, measured = 0;
    double sigma = 0, turn = 0, residual = 0;  ///< mm, degrees, mm
  };
  std::string rig;
  uint64_t points = 0, rows = 0, measured = 0, sets = 0;
  double rays = 0, sigma = 0, residual = 0;  ///< means; mm, px
  /// px, one for each camera; below 0: not known.
  std::vector<double> floors;
  std::vector<BodyFacts> bodies;
  std::vector<std::string> remarks;  ///< remarks on cameras that were corrected, or are doubtful
};

/// The lowest and the highest number of a camera's frames that were tracked.
struct FrameSpan {
  uint64_t first = 0, last = 0;
};

/// The content of a run record that a report needs.
struct RunFacts {
  std::string version, device, image;  ///< image: "1280x720, 3 channels, 8 bits"
  std::vector<std::string> sources;    ///< of the cameras, as the user wrote them
  std::vector<std::string> inputs;     ///< what was known of each before its first frame
  std::vector<Setting> settings;
  /// The frames of each camera that were tracked; empty for a camera without any. No entries if
  /// the record is of a version that did not write them.
  std::vector<std::optional<FrameSpan>> tracked;
  uint64_t frames = 0, tracks = 0, dropped = 0;
  bool interrupted = false;
  std::string failure;
  std::optional<SpaceFacts> space;
};

/// Reads a run record. Throws Error naming the file if it cannot be read or is no run record.
RunFacts readRunFacts(const std::string& path);

}  // namespace glint::output::report
