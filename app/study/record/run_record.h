// The run record: a JSON file beside the CSV files that states how their numbers came about.
#pragma once

#include <string>
#include <vector>

#include "app/session/options.h"
#include "app/study/advice/findings.h"
#include "app/study/opening/source_words.h"
#include "config/secrets.h"

namespace glint::study {

/// The inputs of a run.
struct RunInputs {
  /// The sources as the user wrote them, in the order of the cameras.
  std::vector<Address> sources;
  std::vector<gpu::ImageFormat> formats;  ///< The image format of each camera.
  gpu::DeviceInfo device;
  Settings settings;
  std::vector<std::vector<capture::SourceFact>> facts = {};  ///< a camera each
  std::vector<SourceReport> reports = {};                    ///< a camera each, or empty
  std::string rig = {}, bodies = {};                         ///< files; or empty
};

/// Writes a run record to `path`: settings and their changes, device, sources, versions, counts,
/// findings, streams and timing percentiles. Throws Error if the file cannot be written.
void writeRunRecord(const std::string& path, const RunInputs& inputs,
                    const session::SessionResult& result, const std::vector<Finding>& findings);

}  // namespace glint::study
