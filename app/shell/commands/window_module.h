// The window's module, which is opened only if a window is wanted, and other files that come with
// the program.
#pragma once

#include <filesystem>
#include <memory>

#include "app/shell/desk/window_interface.h"

namespace glint::shell {

/// Opens a display. Throws Error if this build or this machine has none, or lacks something that a
/// window needs.
std::unique_ptr<Screen> openScreen();

/// Returns the recording that comes with the program. It is beside the program in a build, or in
/// the place of its installation. Throws Error if it is missing.
std::filesystem::path bundledClip();

/// Returns the recording of several cameras with their rig; without sources if it is missing.
Opening bundledScene();

/// Returns the folder of the workflow for many recordings, which is found in the same way. Throws
/// Error if it is missing.
std::filesystem::path workflowFolder();

}  // namespace glint::shell
