#include "app/commands/track_options.h"

#include "app/capture/source_kinds.h"
#include "app/sinks/track_formats.h"

namespace glint {
namespace {

void addOutput(CLI::App& command, const OutputKind& kind, std::vector<OutputSpec>& outputs) {
  const auto add = [&outputs, name = kind.name](const std::string& target) {
    outputs.push_back({.kind = name, .target = target});
  };
  const std::string option(kind.option), about(kind.about);
  CLI::Option* added = kind.repeats ? command.add_option_function<std::vector<std::string>>(
                                          option,
                                          [add](const std::vector<std::string>& targets) {
                                            for (const std::string& target : targets) add(target);
                                          },
                                          about)
                                    : command.add_option_function<std::string>(option, add, about);
  added->allow_extra_args(false)->type_name(std::string(kind.value));
  if (kind.handover == Handover::waits) added->check(kNamesFile);
}

}  // namespace

void addTrackOptions(CLI::App& command, TrackOptions& options) {
  command
      .add_option("sources", options.sources,
                  sourceHelp(true) + "; several are the cameras of one session")
      ->required()
      ->type_name("SOURCE");
  for (const OutputKind& kind : outputKinds()) addOutput(command, kind, options.outputs);
  command.add_option("--format", options.format, "The format of -o, whatever its name ends in")
      ->type_name("NAME");
  command
      .add_option_function<double>(
          "--pre-roll",
          [&options](double seconds) { options.preRoll = std::make_shared<PreRoll>(seconds); },
          "Keep the frames of the last seconds in memory (at most 2 GiB), with which raw "
          "recordings "
          "that are started later (NAME.raw.mkv) begin")
      ->check(numberIn(0, 3600))
      ->type_name("SECONDS");
  command
      .add_option_function<uint64_t>(
          "--picture-frame", [&options](uint64_t set) { options.pictureFrame = SetIndex(set); },
          "Which frame; the middle one if not given, the last one of what has no length")
      ->check(wholeNumber(0))
      ->type_name("N");
  addFrom(command, options.from);
  command.add_option("--frames", options.frames, "Stop after this many frames")
      ->check(wholeNumber(1))
      ->type_name("N");
  CLI::Option* stitch = command.add_flag_callback(
      "--stitch", [&options] { options.stitch = true; },
      "Join tracks over gaps longer than track.max_gap where only one continuation is plausible "
      "(track.stitch_gap); on by default");
  command
      .add_flag_callback(
          "--no-stitch", [&options] { options.stitch = false; }, "Join no tracks")
      ->excludes(stitch);
  CLI::Option* stills = command.add_flag_callback(
      "--stills", [&options] { options.stills = true; },
      "The pictures have nothing to do with each other: each has its own threshold, and its "
      "markers "
      "are rows at once; recognised by itself where neighbours share nothing");
  command
      .add_flag_callback(
          "--no-stills", [&options] { options.stills = false; }, "They are a recording")
      ->excludes(stills);
  command.add_flag("--stream-remote", options.streamRemote, "Let --stream send to other machines");
  command.add_flag("--realtime", options.realtime,
                   "Play a recording at its own speed, or as fast as can be tracked");
  command
      .add_option("--control", options.control,
                  "Take commands: - (JSON Lines on standard input, answered on standard output) or "
                  "udp:[HOST:]PORT; may be repeated")
      ->type_name("FROM")
      ->allow_extra_args(false);
  command.add_flag("--control-remote", options.controlRemote,
                   "Let --control listen to other machines, with --control-token");
  command
      .add_option("--control-token", options.controlToken,
                  "A file that only its owner can read: requests by UDP must bear its first line")
      ->check(kNamesFile)
      ->type_name("FILE");
  command
      .add_option("--control-folder", options.controlFolder,
                  "The folder below which requests by UDP may record, into new files alone [the "
                  "working folder]")
      ->check(kNamesFile)
      ->type_name("DIR");
  command.add_flag("--paused", options.paused, "Begin paused, at the first frame");
  command.add_flag("--stay", options.stay,
                   "At the end of a recording wait for commands instead of ending");
  command.add_flag("--quiet", options.quiet, "Print errors only");
  options.settings.addTo(command);
  options.settings.addRegions(command);
  options.settings.addFilters(command);
  command.footer("Formats of tracks and their suffixes:\n" + describeTrackFormats());
}

}  // namespace glint
