#include "app/commands/options.h"

#include <cmath>
#include <cstdlib>

namespace glint {

const CLI::Validator kNamesFile(
    [](const std::string& name) -> std::string {
      if (name.empty()) return "the name is empty";
      if (name.starts_with('-')) return "'" + name + "' looks like a flag; a file is ./" + name;
      return "";
    },
    "");

const CLI::Validator kFinite(
    [](const std::string& text) {
      return std::string(
          std::isfinite(std::strtod(text.c_str(), nullptr)) ? "" : "must be a finite number");
    },
    "");

void SettingOptions::addTo(CLI::App& command) {
  command.add_option("--config", config_, "Settings file (TOML); `glint settings` prints one")
      ->check(kNamesFile)
      ->type_name("FILE");
  command.add_option("--set", sets_, "One setting, such as detect.separation=8; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--device", device_, "Vulkan device: part of its name, or its number")
      ->type_name("NAME|INDEX");
}

Settings SettingOptions::settings() const {
  Settings settings;
  if (!config_.empty()) readToml(settings, config_);
  for (const std::string& set : sets_) setFromText(settings, set, "--set");
  if (!device_.empty()) settings.device.name = device_;
  return settings;
}

}  // namespace glint
