// Project files, which hold all that is needed to go on with a piece of work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/desk/user_files.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace glint::shell {

/// The frame, the range, the bookmarks and the layout with which a project opens.
struct ProjectView {
  std::optional<uint64_t> frame;    ///< the frame on the screen; empty for live cameras
  uint64_t in = 0;                  ///< the first frame that is played
  std::optional<uint64_t> out;      ///< the last frame that is played; empty: the last one
  std::vector<uint64_t> bookmarks;  ///< frames, in ascending order
  Remembered looks;                 ///< the arrangement of the panels, without the window's place
};

/// The contents of a project file. Edits, rigs and bodies stay in files of their own, which the
/// project names.
struct Project {
  std::vector<Address> sources;  ///< one per camera, at least one
  Settings settings;
  std::string rig, bodies, edits;  ///< files; empty: none, and for edits those beside the recording
  ProjectView view;
};

/// Returns true if the name ends in ".glint", as those of project files do.
bool isProject(std::string_view name);

/// Reads a project. Relative paths in it begin at its folder. Throws Error, which names the file,
/// if it cannot be read, is no project, or was written by a later version.
Project readProject(const std::string& path);

/// Writes a project, or throws Error, which names the file, and leaves an earlier file as it was.
/// Paths inside the project's folder become relative, so that the folder can be moved. Secrets of
/// addresses are left out.
void writeProject(const Project& project, const std::string& path);

}  // namespace glint::shell
