// Shell completions, written from the list of commands.
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/shell/commands/command_list.h"
#include "config/error.h"

namespace glint::shell {
namespace {

using Is = ValueKind::Is;

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (size_t at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return out.append(text);
}

/// Quotes a text with single quotes for a POSIX shell, and for zsh.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

std::span<const CommandEntry> subcommands(const std::vector<CommandEntry>& commands) {
  return std::span(commands).subspan(1);
}

std::vector<std::string> namesOf(std::span<const CommandEntry> commands) {
  std::vector<std::string> names;
  for (const CommandEntry& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> choicesOf(const ValueKind& kind) {
  std::vector<std::string> choices = kind.choices;
  if (kind.is == Is::setting)
    for (std::string& choice : choices) choice += "=";
  return choices;
}

// bash

std::string bashCase(const CommandEntry& command) {
  std::string values;
  std::vector<std::string> names;
  for (const CommandOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.kind.is == Is::none) continue;
    const std::string pattern = fmt::format("{}", fmt::join(option.names, "|"));
    if (option.kind.is == Is::file)
      values += fmt::format("        {}) files=1 ;;\n", pattern);
    else
      values += fmt::format("        {}) value=1 words={} ;;\n", pattern,
                            quoted(fmt::format("{}", fmt::join(choicesOf(option.kind), " "))));
  }
  std::string positional = command.positionals.empty() ? "" : " files=1";
  if (!command.positionals.empty() && command.positionals[0].value == "SHELL")
    positional = " words='bash zsh fish'";
  return fmt::format(
      "    {})\n      case $previous in\n{}        *) options={}{} ;;\n      esac ;;\n",
      command.name.empty() ? "''" : command.name, values,
      quoted(fmt::format("{}", fmt::join(names, " "))), positional);
}

std::string bashScript(const std::vector<CommandEntry>& commands) {
  std::string cases;
  for (const CommandEntry& command : commands) cases += bashCase(command);
  return fmt::format(
      R"(# bash completion of glint, as `glint completion bash` prints it.
_glint() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command='' word i options='' words='' files='' value=''
  local commands='{}'
  # "=" is a word of its own to bash: --set detect.separation=8
  [ "$previous" = '=' ] && return
  for ((i = 1; i < COMP_CWORD; ++i)); do
    for word in $commands; do
      [ "${{COMP_WORDS[i]}}" = "$word" ] && command=$word && break 2
    done
  done
  case $command in
{}  esac
  [ -z "$command" ] && [ -z "$value" ] && words="$words $commands"
  case $current in
    -*) [ -z "$value" ] && words=$options ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case ${{COMPREPLY[0]}} in
    *= | *:) compopt -o nospace 2>/dev/null ;;
  esac
  if [ -n "$files" ] && [ ${{#COMPREPLY[@]}} -eq 0 ]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -F _glint glint
)",
      fmt::join(namesOf(subcommands(commands)), " "), cases);
}

// zsh

/// Escapes a text within the brackets of _arguments.
std::string zshText(const std::string& text) {
  return replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]");
}

std::string zshValue(const CommandOption& option) {
  std::string name = option.value.empty() ? "value" : replaced(option.value, ":", "\\:");
  if (option.value == "SHELL") return ":" + name + ":(bash zsh fish)";
  switch (option.kind.is) {
    case Is::none:
      return "";
    case Is::file:
      return fmt::format(":{}:_files", name);
    case Is::choice:
      return fmt::format(":{}:({})", name, fmt::join(option.kind.choices, " "));
    case Is::setting:
      return fmt::format(":{}:{{compadd -S = -- {}}}", name, fmt::join(option.kind.choices, " "));
    case Is::target:
      return fmt::format(
          ":{}:{{compadd -S \"\" -- {}}}", name,
          replaced(fmt::format("{}", fmt::join(option.kind.choices, " ")), ":", "\\:"));
    case Is::other:
      break;
  }
  return fmt::format(":{}: ", name);
}

std::string zshArguments(const CommandEntry& command, std::string_view indent) {
  std::string text;
  for (const CommandOption& option : command.options) {
    for (const std::string& name : option.names) {
      const std::string spec = fmt::format("{}{}[{}]{}", option.repeats ? "*" : "", name,
                                           zshText(option.about), zshValue(option));
      text += fmt::format(" \\\n{}{}", indent, quoted(spec));
    }
  }
  for (const CommandOption& option : command.positionals)
    text +=
        fmt::format(" \\\n{}{}", indent, quoted((option.repeats ? "*" : "") + zshValue(option)));
  return text;
}

std::string zshScript(const std::vector<CommandEntry>& commands) {
  std::string list, cases;
  for (const CommandEntry& command : subcommands(commands)) {
    const std::string about = replaced(command.about, ":", "\\:");
    list += fmt::format("    {}\n", quoted(command.name + ":" + about));
    cases += fmt::format("    {})\n      _arguments{} ;;\n", command.name,
                         zshArguments(command, "        "));
  }
  return fmt::format(
      R"(#compdef glint
# zsh completion of glint, as `glint completion zsh` prints it.
_glint() {{
  local curcontext=$curcontext state line
  local -a commands
  commands=(
{}  )
  _arguments -C{} \
    '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe -t commands 'glint command' commands; return ;;
  esac
  case $line[1] in
{}  esac
}}
if [ "$funcstack[1]" = _glint ]; then _glint "$@"; else compdef _glint glint; fi
)",
      list, zshArguments(commands.front(), "    "), cases);
}

// fish

/// Quotes a text with single quotes for fish.
std::string fishQuoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fishOption(const CommandEntry& command, const CommandOption& option) {
  std::string line = "complete -c glint";
  if (!command.name.empty())
    line += fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                   : fmt::format(" -s {}", name.substr(1));
  }
  if (option.kind.is == Is::file) line += " -r -F";
  if (option.kind.is == Is::other) line += " -x";
  if (option.kind.is == Is::choice || option.kind.is == Is::setting || option.kind.is == Is::target)
    line += fmt::format(" -x -a {}",
                        fishQuoted(fmt::format("{}", fmt::join(choicesOf(option.kind), " "))));
  return line + fmt::format(" -d {}\n", fishQuoted(option.about));
}

std::string fishScript(const std::vector<CommandEntry>& commands) {
  std::string text = "# fish completion of glint, as `glint completion fish` prints it.\n";
  const std::string names = fmt::format("{}", fmt::join(namesOf(subcommands(commands)), " "));
  for (const CommandEntry& command : subcommands(commands)) {
    text +=
        fmt::format("complete -c glint -n 'not __fish_seen_subcommand_from {}' -f -a {} -d {}\n",
                    names, command.name, fishQuoted(command.about));
    if (command.positionals.empty())
      text +=
          fmt::format("complete -c glint -n '__fish_seen_subcommand_from {}' -f\n", command.name);
    else if (command.positionals[0].value == "SHELL")
      text += fmt::format(
          "complete -c glint -n '__fish_seen_subcommand_from {}' -f -a 'bash zsh fish'\n",
          command.name);
  }
  for (const CommandEntry& command : commands)
    for (const CommandOption& option : command.options) text += fishOption(command, option);
  return text;
}

}  // namespace

std::string completionScript(const std::vector<CommandEntry>& commands, const std::string& shell) {
  if (shell == "bash") return bashScript(commands);
  if (shell == "zsh") return zshScript(commands);
  if (shell == "fish") return fishScript(commands);
  throw UsageError("there is no completion for '{}': give bash, zsh or fish", shell);
}

}  // namespace glint::shell
