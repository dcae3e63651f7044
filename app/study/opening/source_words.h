// Says in words what is known about a session's sources before its first frame.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/capture/source/source.h"

namespace glint::study {

/// The report on one source, for people and programs.
struct SourceReport {
  std::string name;  ///< as the user wrote it, without secrets
  gpu::ImageFormat format;
  bool live = false;
  capture::SourceSummary summary;
};

/// Asks a source before its first frame is read. A frame that breaks then is reported by the run.
SourceReport reportOf(capture::Source& source);

/// Returns one line: "'clip.mp4': 120x160, turned by 90 degrees clockwise, colour of 8 bits
/// (yuv420p, limited range), 300 frames at 30 frames/s as the file says"; what is left out follows
/// behind a semicolon.
std::string lineOf(const SourceReport& report);

/// Returns sentences about assumptions that are likely to be wrong, each with the option that
/// changes it.
std::vector<std::string> warningsOf(const SourceReport& report);

/// Returns the report as JSON. Values that are not known are null.
nlohmann::ordered_json toJson(const SourceReport& report);

}  // namespace glint::study
