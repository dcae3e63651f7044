#include "app/shell/commands/options.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/text.h"
#include "app/capture/mask/mask.h"
#include "app/capture/video/recorded_stamp.h"
#include "config/error.h"
#include "config/filter_catalog.h"
#include "config/filter_use.h"
#include "config/setting_key.h"
#include "config/toml_text.h"

namespace glint::shell {

const CLI::Validator kNamesFile(
    [](const std::string& name) -> std::string {
      if (name.empty()) return "the name is empty";
      if (name.starts_with('-'))
        return "'" + name + "' looks like an option; if it is a file, write ./" + name;
      return "";
    },
    "");

const CLI::Validator kFinite(
    [](const std::string& text) {
      return std::string(
          std::isfinite(std::strtod(text.c_str(), nullptr)) ? "" : "must be a finite number");
    },
    "");

CLI::Validator wholeNumber(uint64_t least) {
  static constexpr uint64_t kMost = 1'000'000'000'000'000;
  return CLI::Validator(
      [least](const std::string& text) -> std::string {
        const auto value = base::parseNumber<uint64_t>(text);
        if (value && *value >= least && *value <= kMost) return "";
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, kMost);
      },
      "");
}

CLI::Validator numberIn(double least, double most) {
  return CLI::Validator(
      [least, most](const std::string& text) -> std::string {
        const auto value = base::parseNumber<double>(text);
        if (value && *value >= least && *value <= most) return "";
        return fmt::format("'{}' is not a number from {} to {}", text, least, most);
      },
      "");
}

namespace {

/// Returns a check that `read` accepts the text.
CLI::Validator readable(std::function<void(const std::string&)> read) {
  return CLI::Validator(
      [read = std::move(read)](const std::string& text) -> std::string {
        try {
          read(text);
        } catch (const UsageError& error) {
          return error.what();
        }
        return "";
      },
      "");
}

}  // namespace

void addSwitch(CLI::App& command, const std::string& name, std::optional<bool>& on,
               const std::string& about, const std::string& aboutNo) {
  CLI::Option* yes = command.add_flag_callback(
      "--" + name, [&on] { on = true; }, about);
  command
      .add_flag_callback(
          "--no-" + name, [&on] { on = false; }, aboutNo)
      ->excludes(yes);
}

CLI::Option* addSources(CLI::App& command, std::vector<Address>& sources,
                        const std::string& about) {
  return command
      .add_option_function<std::vector<std::string>>(
          "sources",
          [&sources](const std::vector<std::string>& texts) {
            sources = tellApart({texts.begin(), texts.end()});
          },
          about)
      ->type_name("SOURCE");
}

void addFrom(CLI::App& command, std::optional<capture::From>& from) {
  command
      .add_option_function<std::string>(
          "--from", [&from](const std::string& text) { from = capture::parseFrom(text); },
          "Begin with this frame, or at this time, such as 12.5s")
      ->check(readable([](const std::string& text) { capture::parseFrom(text); }))
      ->type_name("N|TIME");
}

void hideSecretsInValues(CLI::App& app) {
  constexpr std::array<std::string_view, 3> kKeepTheirs{"SOURCE", "KEY=VALUE", "FILTER"};
  const CLI::Validator hide(
      [](std::string& value) {
        value = hideSecrets(value);
        return std::string();
      },
      "");
  const auto hideIn = [&](CLI::App& command) {
    for (CLI::Option* option : command.get_options()) {
      const bool keeps =
          std::ranges::find(kKeepTheirs, option->get_type_name()) != kKeepTheirs.end();
      if (!keeps && option->get_items_expected_max() > 0) option->transform(hide);
    }
  };
  hideIn(app);
  for (CLI::App* command : app.get_subcommands({})) hideIn(*command);
}

void refuseEmptyValues(CLI::App& app) {
  const CLI::Validator notEmpty(
      [](const std::string& text) { return std::string(text.empty() ? "the value is empty" : ""); },
      "");
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      // The option takes a value: it is not a flag.
      if (option->get_items_expected_max() > 0) option->check(notEmpty);
    }
  }
}

void SettingOptions::addTo(CLI::App& command, bool asksKind) {
  addFile(command, "--config", config_,
          "Settings file (TOML), or a recording of --record\n`glint settings` prints a "
          "settings file.");
  if (asksKind) {
    addValue(command, "--marker-radius", kind_.radius,
             "Radius of the markers, px; sets the response, separation and size limits", "R",
             numberIn(0.5, 500));
    command.add_flag("--dark", kind_.dark, "The markers are darker than their surroundings");
    command.add_flag("--elongated", kind_.elongated,
                     "The markers may be up to seven times as long as wide");
  }
  addValue(command, "--set", sets_,
           fmt::format("One setting, such as {}=8; may be repeated", "detect.separation"_key),
           "KEY=VALUE")
      ->allow_extra_args(false);
  addValue(command, "--device", device_, "Vulkan device: part of its name, or its number",
           "NAME|INDEX");
}

void SettingOptions::addRegions(CLI::App& command) {
  const CLI::Validator isRegion =
      readable([](const std::string& text) { capture::parseRegions(text, ""); });
  const auto add = [&](const char* option, std::vector<std::string>& rectangles,
                       const char* about) {
    addValue(command, option, rectangles, about, "X,Y,W,H", isRegion)->allow_extra_args(false);
  };
  add("--region", regions_, "Measure only in this rectangle, px; may be repeated");
  add("--ignore", ignored_, "Measure nothing in this rectangle, px; may be repeated");
}

void SettingOptions::addFilters(CLI::App& command) {
  addValue(command, "--filter", filters_,
           "Filter the frames first, such as smooth=gaussian:sigma=2; may be repeated\nFrames go "
           "through the filters in this order. `glint filters` lists all filters.",
           "FILTER")
      ->allow_extra_args(false);
  addFilterFolders(command);
}

void SettingOptions::addFilterFolders(CLI::App& command) {
  addValue(command, "--filter-dir", folders_, "Folder of your own filters (.comp); may be repeated",
           "FOLDER")
      ->allow_extra_args(false)
      ->each([](const std::string& folder) { filters::catalog().addFolder(folder); });
}

Settings SettingOptions::settings(const study::MarkerKind& kind,
                                  const std::vector<std::string>& cameras) const {
  Settings settings;
  if (config_.ends_with(".mkv")) {
    readTomlText(settings, capture::recordedSettings(config_), config_);
  } else if (!config_.empty()) {
    readToml(settings, config_);
  }
  // The numbers on the command line are those of the present cameras.
  if (!cameras.empty()) placeCameras(settings, cameras);
  study::apply(kind, settings);
  for (const std::string& filter : filters_)
    settings.filters.push_back(filters::parseUse(filter, "--filter"));
  filters::check(settings.filters, "--filter");
  if (!regions_.empty()) settings.detect.region = fmt::format("{}", fmt::join(regions_, "; "));
  if (!ignored_.empty()) settings.detect.ignore = fmt::format("{}", fmt::join(ignored_, "; "));
  for (const std::string& set : sets_) setFromText(settings, set, "--set");
  if (!device_.empty()) settings.device.name = device_;
  return settings;
}

bool SettingOptions::maySet(std::string_view key) const {
  const auto sets = [key](const std::string& text) {
    const std::string_view name = std::string_view(text).substr(0, text.find('='));
    return name.substr(0, name.find(' ')) == key;
  };
  return !config_.empty() || std::ranges::any_of(sets_, sets);
}

std::vector<std::string> SettingOptions::arguments() const {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(hideSecrets(value));
  };
  if (!config_.empty()) add("--config", config_);
  for (const std::string& folder : folders_) add("--filter-dir", folder);
  for (const std::string& filter : filters_) add("--filter", filter);
  for (const std::string& region : regions_) add("--region", region);
  for (const std::string& region : ignored_) add("--ignore", region);
  for (const std::string& set : sets_) add("--set", set);
  if (!device_.empty()) add("--device", device_);
  return words;
}

}  // namespace glint::shell
