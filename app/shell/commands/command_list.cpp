#include "app/shell/commands/command_list.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string_view>

#include "app/base/version.h"
#include "app/output/streams/stream.h"
#include "app/output/tables/track_formats.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "config/help_text.h"
#include "config/settings.h"

namespace glint::shell {
namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool isFileName(std::string_view value) {
  constexpr std::array<std::string_view, 4> kFiles{"FILE", "FOLDER", "SOURCE", "PATH"};
  return std::ranges::any_of(
      kFiles, [&](std::string_view kind) { return value.find(kind) != std::string_view::npos; });
}

ValueKind kindOf(const std::vector<std::string>& names, const std::string& value) {
  using Is = ValueKind::Is;
  ValueKind kind{.is = isFileName(value) ? Is::file : Is::other};
  if (has(names, "--set")) {
    kind.is = Is::setting;
    for (const SettingInfo& info : listSettings(Settings())) kind.choices.push_back(info.key);
  } else if (has(names, "--stream")) {
    kind = {Is::target, output::streamBeginnings()};
  } else if (has(names, "--log-level")) {
    kind = {Is::choice, {"debug", "info", "warning", "error", "off"}};
  } else if (has(names, "--format")) {
    kind.is = Is::choice;
    for (const output::TrackFormat& format : output::trackFormats())
      kind.choices.emplace_back(format.name);
  }
  return kind;
}

CommandOption describe(const CLI::Option& option) {
  CommandOption described;
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  described.about = helpLine(option.get_description());
  described.details = helpDetails(option.get_description());
  described.repeats = option.get_items_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return described;
  // Takes "FILE", without the checks that CLI11 adds, as in "N:POSITIVE".
  const std::string type = option.get_type_name();
  described.value = type.substr(0, type.find(':'));
  described.kind = kindOf(described.names, described.value);
  // Inputs without a named type are files.
  if (described.names.empty() && described.value == "TEXT") described.kind.is = ValueKind::Is::file;
  return described;
}

CommandEntry describe(const CLI::App& app, const std::string& name) {
  CommandEntry command{.name = name,
                       .about = helpLine(app.get_description()),
                       .details = helpDetails(app.get_description()),
                       .footer = app.get_footer(),
                       .options = {},
                       .positionals = {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    if (!option->get_lnames().empty() || !option->get_snames().empty())
      command.options.push_back(describe(*option));
    else
      command.positionals.push_back(describe(*option));
  }
  return command;
}

}  // namespace

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return helpLine(option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  std::ostringstream text;
  CLI::detail::format_help(text, command->get_name(), helpLine(command->get_description()),
                           get_column_width());
  return text.str();
}

std::vector<CommandEntry> listCommands(const CLI::App& app) {
  std::vector<CommandEntry> commands{describe(app, "")};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) commands.push_back(describe(*command, command->get_name()));
  return commands;
}

void addCompletionCommand(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print the completion script for a shell: bash, zsh or fish");
  addValue(*command, "shell", *shell, "bash, zsh or fish", "SHELL")->required();
  command->callback(
      [&app, shell] { std::fputs(completionScript(listCommands(app), *shell).c_str(), stdout); });
}

void addManualCommand(CLI::App& app) {
  app.add_subcommand("manual", "Print the manual page glint(1), for man -l -")->callback([&app] {
    std::fputs(manualPage(listCommands(app), base::kVersion).c_str(), stdout);
  });
}

}  // namespace glint::shell
