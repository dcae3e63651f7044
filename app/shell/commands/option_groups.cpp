#include "app/shell/commands/option_groups.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glint::shell {
namespace {

/// The number of options in the first section of a help, without --help.
constexpr size_t kFirst = 10;

/// The options that most people need, of all commands, the most needed ones first.
constexpr std::array<std::string_view, 28> kMostNeeded{
    "output",  "rig",    "points",     "overlay",   "record",  "marker-radius", "dark",
    "set",     "config", "frames",     "wand",      "board",   "origin",        "report",
    "picture", "truth",  "detections", "layers",    "markers", "filters",       "quick",
    "json",    "loop",   "spacing",    "threshold", "label",   "type",          "shape"};

/// The heading of a section, and its options in all commands.
struct Section {
  std::string_view heading;
  std::vector<std::string_view> options;
};

const std::array<Section, 8>& sections() {
  static const std::array<Section, 8> all{
      {{"Options for further results",
        {"detections", "stats", "rejected", "rejected-points", "poses", "refine-rig", "picture",
         "picture-frame", "format", "json", "report", "nearest", "slice", "as", "points", "overlay",
         "record"}},
       {"Options for finding markers",
        {"marker-radius", "dark", "elongated", "region", "ignore", "filter", "filter-dir"}},
       {"Options for tracks", {"stitch", "no-stitch", "stills", "no-stills", "edits"}},
       {"Options for frames and playback",
        {"from", "frames", "realtime", "speed", "paused", "stay", "exit-at-end"}},
       {"Options for points in space",
        {"rig", "rig-cameras", "bodies", "up", "unit", "rate", "origin", "lens", "intrinsics",
         "fix", "distance", "offset", "sync", "point", "size"}},
       {"Options for streams and control",
        {"stream", "stream-remote", "pre-roll", "control", "control-remote", "control-token",
         "control-folder"}},
       {"Options for settings and the device", {"config", "set", "device", "threads"}},
       {"Options for messages", {"quiet"}}}};
  return all;
}

std::string_view nameOf(const CLI::Option& option) {
  return option.get_lnames().empty() ? std::string_view() : option.get_lnames().front();
}

/// Returns the place of an option in the list of the most needed ones. Required options come before
/// all others.
size_t rankOf(const CLI::Option& option) {
  if (option.get_required()) return 0;
  const auto at = std::ranges::find(kMostNeeded, nameOf(option));
  return 1 + static_cast<size_t>(at - kMostNeeded.begin());
}

std::string headingOf(const CLI::Option& option) {
  for (const Section& section : sections())
    if (std::ranges::find(section.options, nameOf(option)) != section.options.end())
      return std::string(section.heading);
  return "Options for special cases";
}

void groupOptionsOf(CLI::App& command) {
  std::vector<CLI::Option*> options;
  for (CLI::Option* option : command.get_options())
    if (!option->get_positional() && option != command.get_help_ptr() &&
        !option->get_group().empty())
      options.push_back(option);
  if (options.size() <= kFirst) return;
  std::ranges::stable_sort(options, {}, [](const CLI::Option* option) { return rankOf(*option); });
  for (size_t i = kFirst; i < options.size(); ++i) options[i]->group(headingOf(*options[i]));
}

}  // namespace

void groupOptions(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) groupOptionsOf(*command);
}

}  // namespace glint::shell
