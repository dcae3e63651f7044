// The key figures of a recording, as HTML.
#pragma once

#include <string>

#include "app/report/run.h"

namespace glint::report {

/// Frames, duration, tracks and so on, of all cameras together.
std::string keyFigures(const Recording& recording);

/// The same and more, a row a camera.
std::string cameraTable(const Recording& recording);

/// Sources, device and settings of the run; empty without a run record.
std::string runDetails(const Recording& recording);

}  // namespace glint::report
