#include "app/shell/commands/tracker_options.h"

#include <fmt/format.h>

#include "app/shell/commands/options.h"
#include "app/study/opening/opening.h"
#include "config/setting_key.h"

namespace glint::shell {

void TrackerOptions::addTo(CLI::App& command, const char* what) {
  addFile(command, "--config", config, "Settings file (TOML); only [track] matters");
  addValue(command, "--set", sets,
           fmt::format("One setting, such as {}=20; may be repeated", "track.max_gap"_key),
           "KEY=VALUE")
      ->allow_extra_args(false);
  addSwitch(
      command, "stitch", stitch,
      fmt::format("Join {} over gaps longer than {} (the default)", what, "track.max_gap"_key),
      fmt::format("Do not join {}", what));
}

Settings TrackerOptions::settings() const {
  Settings made;
  if (!config.empty()) readToml(made, config);
  for (const std::string& set : sets) setFromText(made, set, "--set");
  study::applyStitching(stitch, false, made);
  return made;
}

}  // namespace glint::shell
