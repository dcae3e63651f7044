// The clocks of recordings that were started separately, for commands that need several cameras.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/motion/sync/clocks.h"
#include "config/secrets.h"

namespace glint::shell {

/// The option --sync of commands that read what several cameras saw.
struct SyncOption {
  std::string value;  ///< "auto", a file that `glint sync` wrote, or empty: clocks agree

  void addTo(CLI::App& command);
  /// Returns true if the clocks have to be found from the motion of the lights.
  bool finds() const { return value == "auto"; }
  /// Returns the file of clocks, or an empty name.
  std::string file() const { return finds() ? "" : value; }
};

/// Returns the clocks that the option asks for, or nothing if it is not given. Prints to `words`
/// what was found. For `rig` and `target`, see findClocks(). Throws Error as findClocks() and
/// readClocks() do.
std::optional<std::vector<motion::CameraClock>> clocksFor(
    const SyncOption& option, const motion::PointTable& table,
    const std::vector<motion::FrameExtent>& sizes, const motion::Rig* rig,
    const std::optional<motion::Target>& target, std::FILE* words);

/// Converts the times of all rows to the clock that is common to all cameras.
void setClocks(motion::PointTable& table, const std::vector<motion::CameraClock>& clocks);

/// Returns the table of clocks: camera,offset_s,drift_ppm,sigma_offset_s,sigma_drift_ppm.
std::string clocksText(const std::vector<motion::CameraClock>& clocks);
/// Reads a table as clocksText() writes it. It must have one row for each of `cameras`. Throws
/// Error naming the file.
std::vector<motion::CameraClock> readClocks(const std::string& path, size_t cameras);

/// Returns a line for each camera, which says when it began and how exactly that is known.
std::string clocksSummary(const std::vector<motion::CameraClock>& clocks);

/// Returns a line that names the sources with options that put them on the common clock, for other
/// commands. Returns an empty text if there are no sources.
std::string sourcesOnOneClock(const std::vector<Address>& sources,
                              const std::vector<motion::CameraClock>& clocks);

}  // namespace glint::shell
