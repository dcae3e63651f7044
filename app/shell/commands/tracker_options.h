// The options of commands that track what a table holds: settings, and whether gaps are joined.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "config/settings.h"

namespace glint::shell {

/// --config, --set, --stitch and --no-stitch.
struct TrackerOptions {
  std::string config;
  std::vector<std::string> sets;
  std::optional<bool> stitch;

  /// Adds the options. `what` is tracked: "tracks" or "points".
  void addTo(CLI::App& command, const char* what);
  /// Returns the settings. Throws Error naming the file or the option.
  Settings settings() const;
};

}  // namespace glint::shell
