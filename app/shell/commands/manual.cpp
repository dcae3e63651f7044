// The manual page, written from the list of commands.

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/capture/source/source_kinds.h"
#include "app/shell/commands/command_list.h"
#include "config/settings.h"

namespace glint::shell {
namespace {

/// Returns a text as roff needs it: dashes are escaped, and no line begins with a command.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '^':
        out += "\\(ha";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string sentence(const std::string& text) {
  return roff(text) + (text.ends_with('.') ? "\n" : ".\n");
}

/// Returns a line of help and, below it, its details if there are any.
std::string explained(const std::string& about, const std::string& details) {
  return sentence(about) + (details.empty() ? "" : ".br\n" + sentence(details));
}

/// Returns the names of an option and the name of its value.
std::string usage(const CommandOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  if (!option.value.empty())
    names += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", roff(option.value));
  return names + (option.repeats ? " ..." : "");
}

std::string entry(const CommandOption& option) {
  return fmt::format(".TP\n{}\n{}", usage(option), explained(option.about, option.details));
}

/// The options that several commands have in common: their names and their help are the same.
class SharedOptions {
 public:
  explicit SharedOptions(const std::vector<CommandEntry>& commands) {
    for (const CommandEntry& command : commands)
      for (const CommandOption& option : command.options)
        if (!isHelp(option))
          commandsOf_[option.names.back()][entry(option)].push_back(command.name);
    for (auto& [name, entries] : commandsOf_)
      std::erase_if(entries, [](const auto& one) { return one.second.size() < 2; });
  }

  static bool isHelp(const CommandOption& option) { return option.names.back() == "--help"; }
  bool has(const CommandOption& option) const {
    return commandsOf_.at(option.names.back()).contains(entry(option));
  }
  /// Returns the entries in the order of the options' names. If options of the same name differ,
  /// the entry says to which commands it belongs.
  std::string text() const {
    std::string all;
    for (const auto& [name, entries] : commandsOf_) {
      for (const auto& [text, commands] : entries) {
        all += text;
        if (entries.size() > 1)
          all += fmt::format(".br\nThis is the option of {}.\n", fmt::join(commands, ", "));
      }
    }
    return all;
  }

 private:
  // The commands that have an option, by its name and then by its entry.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> commandsOf_;
};

constexpr const char* kShared = "OPTIONS OF SEVERAL COMMANDS";

std::string section(const CommandEntry& command, const SharedOptions& shared) {
  std::string line = fmt::format("\\fBglint {}\\fR [\\fIoptions\\fR]", roff(command.name));
  for (const CommandOption& positional : command.positionals)
    line += fmt::format(" \\fI{}\\fR{}", roff(positional.value), positional.repeats ? " ..." : "");
  std::string text = fmt::format(".SS {}\n{}\n.PP\n{}", roff(command.name), line,
                                 explained(command.about, command.details));
  for (const CommandOption& positional : command.positionals) text += entry(positional);
  std::string others;
  for (const CommandOption& option : command.options) {
    if (SharedOptions::isHelp(option)) continue;
    if (shared.has(option))
      others += "\n" + usage(option) + ",";
    else
      text += entry(option);
  }
  if (!others.empty())
    text += fmt::format(".PP\nSee {} for{}.\n", kShared, others.substr(0, others.size() - 1));
  if (!command.footer.empty()) text += fmt::format(".PP\n.EX\n{}\n.EE\n", roff(command.footer));
  return text;
}

std::string settingsSection() {
  std::string text =
      ".SH SETTINGS\nGive settings with \\fB\\-\\-set\\fR, or in a TOML file with "
      "\\fB\\-\\-config\\fR.\n";
  for (const SettingInfo& info : listSettings(Settings())) {
    text += fmt::format(".TP\n\\fB{}\\fR = {}\n{}Allowed: {}", roff(info.key), roff(info.value),
                        explained(info.help, info.details), sentence(info.allowed));
  }
  return text;
}

constexpr const char* kEnd =
    R"(.SH EXIT STATUS
.TP
.B 0
Done, or stopped by Ctrl\-C and finished cleanly.
.TP
.B 1
The work failed; the files hold every row that was finished.
.TP
.B 2
The command line or the settings are wrong.
.SH ENVIRONMENT
.TP
.B XDG_CONFIG_HOME
Folder of settings files (in glint/); \(ti/.config if it is not set.
.TP
.B XDG_STATE_HOME
Folder where the window keeps its place and the recent files (in glint/); \(ti/.local/state if it is not set.
.TP
.B XDG_CACHE_HOME
Folder of compiled kernels (in glint/); \(ti/.cache if it is not set.
.SH EXAMPLES
.TP
\fBglint track recording.mp4 \-o tracks.csv\fR
Tracks the markers of a video.
.TP
\fBglint track left.mkv right.mkv \-o tracks.csv\fR
Tracks two cameras of one session.
.TP
\fBglint track recording.mp4 \-\-dark \-\-marker\-radius 4 \-o tracks.csv\fR
Tracks dark markers with a radius of about 4 pixels.
.TP
\fBglint report tracks.csv \-o report.html\fR
Writes a page of charts.
.TP
\fBglint settings > glint.toml\fR
Writes every setting with its range and meaning.
)";

}  // namespace

std::string manualPage(const std::vector<CommandEntry>& commands, const std::string& version) {
  std::string text = fmt::format(
      ".TH GLINT 1 \"\" \"glint {}\" \"User Commands\"\n.SH NAME\nglint \\- finds and tracks "
      "markers in camera frames\n.SH SYNOPSIS\n.B glint\n[\\fIoptions\\fR] \\fIcommand\\fR "
      "[\\fIarguments\\fR]\n.SH DESCRIPTION\n{}.PP\n\\fISOURCE\\fR: {}. Several sources are the "
      "cameras of one session.\n.SH OPTIONS\n",
      roff(version), sentence(commands.front().about), roff(capture::sourceHelp(true)));
  for (const CommandOption& option : commands.front().options) text += entry(option);
  const SharedOptions shared({commands.begin() + 1, commands.end()});
  text += ".SH COMMANDS\n";
  for (auto command = commands.begin() + 1; command != commands.end(); ++command)
    text += section(*command, shared);
  text += fmt::format(".SH {}\n{}", kShared, shared.text());
  return text + settingsSection() + kEnd;
}

}  // namespace glint::shell
