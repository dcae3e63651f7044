// Tracks markers that another program has found in images.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"

namespace glint::session {

struct LinkRequest {
  std::string detections;            ///< table of markers: see output::importDetections()
  std::vector<std::string> outputs;  ///< tracks to write; the suffix chooses the format
  Settings::Track settings;
  std::optional<double> sigma = {};    ///< px, of x and y where the table does not say it
  double rate = 0;                     ///< Hz, of a table without times; 0: none
  std::vector<std::string> read = {};  ///< further files that must not be written over
};

struct LinkResult {
  uint64_t markers = 0, tracks = 0, rows = 0;
  std::vector<std::string> remarks;  ///< what was assumed, a sentence each
};

/// Tracks the markers of a table, camera by camera, and writes the tracks. Throws Error naming a
/// file, and UsageError for outputs that cannot be written.
LinkResult linkFile(const LinkRequest& request);

}  // namespace glint::session
