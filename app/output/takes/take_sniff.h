// Which format a file of a take has, by its name and its first lines.
#pragma once

#include <string>

#include "app/output/takes/take_formats.h"

namespace glint::output {

/// Returns the format of a file that shall be read. A table named .csv may be Glint's own, a wide
/// one or Motive's: its first line tells. Throws UsageError listing the formats if the name shows
/// none.
const TakeFormat& recognizeTake(const std::string& path);

}  // namespace glint::output
