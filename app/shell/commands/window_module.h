// The window's module, opened when a window is wanted, and other files that come with the program.
#pragma once

#include <filesystem>
#include <memory>

#include "app/shell/desk/window_interface.h"

namespace glint::shell {

/// Opens a display. Throws Error where this build or this machine has none, or lacks what a window
/// needs.
std::unique_ptr<Screen> openScreen();

/// The recording that comes with the program: beside it in a build, or where it is installed.
/// Throws Error where it is missing.
std::filesystem::path bundledClip();

/// The recording of several cameras, with their rig; without sources where it is missing.
Opening bundledScene();

/// The folder of the workflow for many recordings, found in the same way. Throws Error.
std::filesystem::path workflowFolder();

}  // namespace glint::shell
