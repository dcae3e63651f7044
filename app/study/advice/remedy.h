// Settings that would help, in a form that serves both a command line and a click.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/study/advice/marker_kind.h"
#include "config/settings.h"

namespace glint::study {

/// A change of settings. Empty if there is nothing to change.
struct Remedy {
  MarkerKind kind = {};                ///< The kind of marker to look for, such as dark ones.
  std::vector<std::string> sets = {};  ///< Further settings: "detect.max_markers=512".
  std::string ignore = {};             ///< A rectangle to add to detect.ignore: "x,y,width,height".
};

/// A function that returns the settings for a kind of marker, together with all other settings in
/// force.
using SettingsFor = std::function<Settings(const MarkerKind&)>;

/// Returns the settings with the remedy applied.
Settings settingsOf(const Remedy& remedy, const SettingsFor& settingsFor);

/// Applies the remedy to the settings in force.
void apply(const Remedy& remedy, Settings& settings);

/// Returns the remedy as options of `glint track`: {"--dark", "--marker-radius", "4"}.
std::vector<std::string> argumentsOf(const Remedy& remedy);

/// Returns a command line that a shell splits into these words.
std::string commandLine(const std::vector<std::string>& words);

}  // namespace glint::study
