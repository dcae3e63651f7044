// The JSON file beside the CSV: how its numbers came about.
#pragma once

#include <string>
#include <vector>

#include "app/session/options.h"
#include "app/study/advice/findings.h"
#include "app/study/opening/source_words.h"

namespace glint::study {

/// What a run was given.
struct RunInputs {
  std::vector<std::string> sources;       ///< as the user wrote them, in the order of the cameras
  std::vector<gpu::ImageFormat> formats;  ///< a camera each
  gpu::DeviceInfo device;
  Settings settings;
  std::vector<std::vector<capture::SourceFact>> facts = {};  ///< a camera each
  std::vector<SourceReport> reports = {};                    ///< a camera each, or empty
  std::string rig = {}, bodies = {};                         ///< files; or empty
};

/// Writes settings and their changes, device, sources, versions, counts, findings, streams and
/// timing percentiles. Throws Error when the file cannot be written.
void writeRunRecord(const std::string& path, const RunInputs& inputs,
                    const session::SessionResult& result, const std::vector<Finding>& findings);

}  // namespace glint::study
