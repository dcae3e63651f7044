// The manual page, written from the list of commands.

#include <fmt/format.h>

#include "app/capture/source_kinds.h"
#include "app/commands/command_list.h"
#include "config/settings.h"

namespace glint {
namespace {

/// Text as roff takes it: dashes are dashes, and no line begins with a command.
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

std::string entry(const CommandOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  if (!option.value.empty())
    names += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", roff(option.value));
  return fmt::format(".TP\n{}{}\n{}", names, option.repeats ? " ..." : "", sentence(option.about));
}

std::string section(const CommandEntry& command) {
  std::string line = fmt::format("\\fBglint {}\\fR [\\fIoptions\\fR]", roff(command.name));
  for (const CommandOption& positional : command.positionals)
    line += fmt::format(" \\fI{}\\fR{}", roff(positional.value), positional.repeats ? " ..." : "");
  std::string text =
      fmt::format(".SS {}\n{}\n.PP\n{}", roff(command.name), line, sentence(command.about));
  for (const CommandOption& positional : command.positionals) text += entry(positional);
  for (const CommandOption& option : command.options)
    if (option.names.back() != "--help") text += entry(option);
  if (!command.footer.empty()) text += fmt::format(".PP\n.EX\n{}\n.EE\n", roff(command.footer));
  return text;
}

std::string settingsSection() {
  std::string text =
      ".SH SETTINGS\nSettings are given by \\fB\\-\\-set\\fR or in a TOML file by "
      "\\fB\\-\\-config\\fR.\n";
  for (const SettingInfo& info : listSettings(Settings())) {
    text += fmt::format(".TP\n\\fB{}\\fR = {}\n{}Allowed: {}", roff(info.key), roff(info.value),
                        sentence(info.help), sentence(info.allowed));
  }
  return text;
}

constexpr const char* kEnd =
    R"(.SH EXIT STATUS
.TP
.B 0
Done, also after Ctrl\-C, which finishes cleanly.
.TP
.B 1
The work failed; what was measured before is in the files, in whole rows.
.TP
.B 2
The command line or the settings are wrong.
.SH ENVIRONMENT
.TP
.B XDG_CONFIG_HOME
Where settings files are looked for and kept (in glint/); \(ti/.config if it is not set.
.TP
.B XDG_STATE_HOME
Where the window's place and the recent files are remembered (in glint/); \(ti/.local/state if it is not set.
.TP
.B XDG_CACHE_HOME
Where compiled kernels are kept (in glint/); \(ti/.cache if it is not set.
.SH EXAMPLES
.TP
\fBglint track recording.mp4 \-o tracks.csv\fR
Tracks the markers of a video.
.TP
\fBglint track left.mkv right.mkv \-o tracks.csv\fR
Several cameras of one session.
.TP
\fBglint track recording.mp4 \-\-dark \-\-marker\-radius 4 \-o tracks.csv\fR
Dark markers of about 4 pixels.
.TP
\fBglint report tracks.csv \-o report.html\fR
One page to look at.
.TP
\fBglint settings > glint.toml\fR
Every setting, its range and meaning.
)";

}  // namespace

std::string manualPage(const std::vector<CommandEntry>& commands, const std::string& version) {
  std::string text = fmt::format(
      ".TH GLINT 1 \"\" \"glint {}\" \"User Commands\"\n.SH NAME\nglint \\- finds and follows "
      "markers in "
      "camera frames\n"
      ".SH SYNOPSIS\n.B glint\n[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]\n"
      ".SH DESCRIPTION\n{}.PP\n"
      "\\fISOURCE\\fR: {}; several are the cameras of one session.\n.SH OPTIONS\n",
      roff(version), sentence(commands.front().about), roff(sourceHelp(true)));
  for (const CommandOption& option : commands.front().options) text += entry(option);
  text += ".SH COMMANDS\n";
  for (auto command = commands.begin() + 1; command != commands.end(); ++command)
    text += section(*command);
  return text + settingsSection() + kEnd;
}

}  // namespace glint
