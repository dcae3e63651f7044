// The key figures of a run, as HTML.
#pragma once

#include <string>

#include "app/output/report/run.h"

namespace glint::output::report {

/// Frames, duration, tracks and so on, of all cameras together.
std::string keyFigures(const Run& run);

/// The same and more, a row a camera.
std::string cameraTable(const Run& run);

/// Points and bodies in space; empty without a rig.
std::string spaceSection(const Run& run);

/// Sources, device and settings of the run; empty without a run record.
std::string runDetails(const Run& run);

}  // namespace glint::output::report
