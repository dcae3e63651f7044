// The style sheet and the script of a report.
#pragma once

#include <string_view>

namespace glint::output::report {

extern const std::string_view kPageStyle;

/// Pointing at a track in one chart dims the others in all charts of the camera.
extern const std::string_view kPageScript;

}  // namespace glint::output::report
