#include "app/commands/options.h"

#include <fmt/format.h>

#include "config/error.h"

namespace glint {

const CLI::Validator kNamesFile(
    [](const std::string& name) { return std::string(name.empty() ? "the name is empty" : ""); },
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
  for (const std::string& set : sets_) {
    const size_t equals = set.find('=');
    if (equals == std::string::npos) {
      throw UsageError(fmt::format("--set {}: write KEY=VALUE, such as detect.separation=8", set));
    }
    setFromText(settings, set.substr(0, equals), set.substr(equals + 1), "--set");
  }
  if (!device_.empty()) settings.device.name = device_;
  return settings;
}

}  // namespace glint
