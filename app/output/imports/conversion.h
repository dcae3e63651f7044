// Converts files of points, bodies and tracks from one program's format to another's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/output/takes/take_options.h"

namespace glint::output {

struct ConversionRequest {
  std::string from, to;
  TakeOptions options = {};           ///< of points in space
  std::optional<UpAxis> fromUp = {};  ///< axis that points up in `from`; empty: as it says
  double rate = 0;                    ///< Hz, instead of what the file says; 0: none
};

struct Conversion {
  std::string summary;                 ///< what was converted, in one line; ends in "-> FILE"
  std::vector<std::string> sentences;  ///< what was assumed, changed or left out
};

/// Reads `from`, recognises its format, and writes it in the format that the suffix of `to` shows.
/// Throws Error naming a file, and UsageError for names and options that do not fit the formats.
Conversion convertFile(const ConversionRequest& request);

}  // namespace glint::output
