// The command line as data, for shell completions and the manual.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace glint::shell {

/// The values that a shell may offer for an option.
struct ValueKind {
  enum class Is {
    none,     ///< a flag: no value
    file,     ///< files and folders
    choice,   ///< one of `choices`
    setting,  ///< one of `choices`, then "=" and a value
    target,   ///< one of `choices`; those that end in ":" go on
    other     ///< nothing can be offered
  } is = Is::none;
  std::vector<std::string> choices = {};
};

/// The format of `--help`. Descriptions are help texts (config/help_text.h). `--help` prints their
/// lines; only the manual prints the details, too.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

/// An option or a positional argument of a command.
struct CommandOption {
  std::vector<std::string> names;  ///< "-o", "--output"; a positional has none
  std::string value;               ///< name of its value: "FILE", or empty
  std::string about;               ///< the line of help, without a full stop
  std::string details;             ///< sentences, or empty
  ValueKind kind;
  bool repeats = false;
};

/// The help of one command.
struct CommandEntry {
  std::string name;  ///< empty for the whole program
  std::string about;
  std::string details;                 ///< sentences, or empty
  std::string footer;                  ///< lines of further help, or empty
  std::vector<CommandOption> options;  ///< options without the positionals
  /// Positionals in the order in which the user gives them.
  std::vector<CommandOption> positionals;
};

/// Returns the program itself, then its subcommands, all as they were added to `app` so far.
std::vector<CommandEntry> listCommands(const CLI::App& app);

/// Returns a script that completes glint's command line in "bash", "zsh" or "fish". Throws
/// UsageError for another shell.
std::string completionScript(const std::vector<CommandEntry>& commands, const std::string& shell);

/// Returns the manual page glint(1), as roff with the man macros.
std::string manualPage(const std::vector<CommandEntry>& commands, const std::string& version);

}  // namespace glint::shell
