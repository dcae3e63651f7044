#include "app/shell/commands/unknown_arguments.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "config/nearest.h"
#include "config/printable.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace glint::shell {
namespace {

constexpr size_t kShown = 200;  // bytes of an argument that a message repeats

/// Returns the command that was given, or the program itself.
const CLI::App& commandOf(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : *given.front();
}

std::vector<std::string> namesOfCommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> longNamesOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Returns the key of the setting whose last part is `name`, such as "min-radius"; or an empty
/// text.
std::string settingNamed(std::string name) {
  std::ranges::replace(name, '-', '_');
  for (const SettingInfo& setting : listSettings(Settings()))
    if (setting.key.substr(setting.key.rfind('.') + 1) == name) return setting.key;
  return "";
}

/// Returns the value that was given to an unknown option: what follows its "=", or the next
/// argument if that is no option. Returns "VALUE" if there is none.
std::string valueOf(std::string_view option, std::span<char* const> arguments) {
  const size_t equals = option.find('=');
  if (equals != std::string_view::npos) return std::string(option.substr(equals + 1));
  const auto at =
      std::ranges::find(arguments, option, [](const char* a) { return std::string_view(a); });
  const bool last = at == arguments.end() || at + 1 == arguments.end();
  if (last || std::string_view(at[1]).starts_with("--")) return "VALUE";
  return at[1];
}

std::string suggestOption(const CLI::App& command, const std::string& option,
                          std::span<char* const> arguments) {
  const std::string dashed = option.substr(0, option.find('='));
  const std::string name = dashed.substr(std::min(dashed.find_first_not_of('-'), dashed.size()));
  const auto options = longNamesOf(command);
  std::string nearest = nearestName(name, [&] {
    std::vector<std::string> plain;
    for (const std::string& one : options) plain.push_back(one.substr(2));
    return plain;
  }());
  const bool takesSettings = std::ranges::find(options, "--set") != options.end();
  const std::string setting = takesSettings ? settingNamed(name) : "";
  if (setting.empty() && !nearest.empty()) return fmt::format("; did you mean '--{}'?", nearest);
  if (!takesSettings) return "";
  std::vector<std::string> keys{setting};
  if (setting.empty()) {
    keys.clear();
    for (const SettingInfo& info : listSettings(Settings())) keys.push_back(info.key);
  }
  const std::string value = shortened(hideSecrets(valueOf(option, arguments)), kShown);
  return didYouMean(name, keys, "--set ", "=" + value);
}

std::string explainCommand(const CLI::App& app, const std::string& given) {
  std::error_code ignored;
  const std::string shown = shortened(hideSecrets(given), kShown);
  if (std::filesystem::exists(given, ignored))
    return fmt::format(
        "'{0}' is no command; `glint track {0}` tracks it, `glint replay {0}` shows it", shown);
  return fmt::format("there is no command '{}'{} (see `glint --help`)", shown,
                     didYouMean(given, namesOfCommands(app)));
}

}  // namespace

std::string explainUnknownArgument(const CLI::App& app, std::span<char* const> arguments) {
  const CLI::App& command = commandOf(app);
  const auto unknown = app.remaining(true);
  const auto first = std::ranges::find_if(arguments, [&](std::string_view argument) {
    return std::ranges::find(unknown, argument) != unknown.end();
  });
  const std::string given = first == arguments.end() ? unknown.front() : *first;
  const bool isOption = given.size() > 1 && given.starts_with('-');
  if (!isOption && &command == &app) return explainCommand(app, given);
  const std::string name = &command == &app ? "glint" : "glint " + command.get_name();
  if (!isOption)
    return fmt::format("`{}` takes no further argument, but got '{}' (see `{} --help`)", name,
                       shortened(hideSecrets(given), kShown), name);
  return fmt::format("`{}` has no option '{}'{} (see `{} --help`)", name,
                     shortened(hideSecrets(given.substr(0, given.find('='))), kShown),
                     suggestOption(command, given, arguments), name);
}

}  // namespace glint::shell
