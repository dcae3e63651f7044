#include "app/shell/commands/track_options.h"

#include <fmt/format.h>

#include "app/capture/source/source_kinds.h"
#include "app/output/streams/stream.h"
#include "app/output/tables/track_formats.h"
#include "config/error.h"
#include "config/setting_key.h"

namespace glint::shell {
namespace {

void addOutput(CLI::App& command, const output::OutputKind& kind,
               std::vector<output::OutputSpec>& outputs) {
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
  if (kind.handover == output::Handover::waits) added->check(kNamesFile);
}

}  // namespace

void addTrackOptions(CLI::App& command, TrackOptions& options) {
  addSources(command, options.sources,
             "Camera, stream, video file, images or synth:SCENE; several form one session\n" +
                 capture::sourceHelp(true) + ".")
      ->required();
  for (const output::OutputKind& kind : output::outputKinds())
    addOutput(command, kind, options.outputs);
  options.rig.addTo(command, false);
  options.space.addTo(command);
  addValue(command, "--format", options.format, "Format of -o, whatever its suffix", "NAME");
  command
      .add_option_function<double>(
          "--pre-roll",
          [&options](double seconds) {
            options.preRoll = std::make_shared<output::PreRoll>(seconds);
          },
          "Keep the last seconds of frames; raw recordings that start later begin with them\nThe "
          "frames stay in memory, at most 2 GiB. A raw recording is NAME.raw.mkv.")
      ->check(numberIn(0, 3600))
      ->type_name("SECONDS");
  command
      .add_option_function<uint64_t>(
          "--picture-frame", [&options](uint64_t set) { options.pictureFrame = SetIndex(set); },
          "Frame that --picture shows [the middle one, or the last one without a length]")
      ->check(wholeNumber(0))
      ->type_name("N");
  addFrom(command, options.from);
  addValue(command, "--frames", options.frames, "Stop after this many frames", "N", wholeNumber(1));
  addSwitch(
      command, "stitch", options.stitch,
      fmt::format("Join tracks over gaps longer than {} (the default for recordings)\nTracks are "
                  "joined only where one continuation alone is plausible. {} is the longest gap.",
                  "track.max_gap"_key, "track.stitch_gap"_key),
      "Do not join tracks");
  addSwitch(
      command, "stills", options.stills,
      "Treat the images as unrelated pictures\nEach has its own threshold, and each of its markers "
      "is a track of its own. This is automatic where neighbouring pictures share nothing.",
      "Treat the images as a recording");
  command.add_flag("--stream-remote", options.streamRemote, "Let --stream send to other machines");
  command.add_flag("--realtime", options.realtime,
                   "Play a recording at its own speed, as far as tracking keeps up");
  addValue(command, "--control", options.control,
           "Take commands from - (standard input) or udp:[HOST:]PORT; may be repeated\nCommands on "
           "standard input are JSON Lines; standard output gets the answers.",
           "FROM")
      ->allow_extra_args(false);
  command.add_flag("--control-remote", options.controlRemote,
                   "Let --control listen to other machines; needs --control-token");
  addFile(command, "--control-token", options.controlToken,
          "File whose first line is the token that requests by UDP must carry\nOnly its "
          "owner may be allowed to read the file.");
  addFile(command, "--control-folder", options.controlFolder,
          "Folder where requests by UDP may record [the working folder]\nThey can only "
          "make new files, in it or below it.",
          "FOLDER");
  command.add_flag("--paused", options.paused, "Begin paused, at the first frame");
  command.add_flag("--stay", options.stay,
                   "Wait for commands at the end of a recording instead of ending");
  command.add_flag("--quiet", options.quiet, "Print errors only");
  options.settings.addTo(command);
  options.settings.addRegions(command);
  options.settings.addFilters(command);
  command.footer("Targets of --stream:\n" + output::describeStreams() +
                 "\nFormats of points and poses and their suffixes:\n" +
                 output::describeTakeFormats() + "\nFormats of tracks and their suffixes:\n" +
                 output::describeTrackFormats());
}

void addEditsOption(CLI::App& command, std::string& file, const std::string& about) {
  addFile(command, "--edits", file, about);
}

void checkEdits(const TrackOptions& options) {
  if (!options.edits.empty() && !options.control.empty())
    throw UsageError("--edits means the tracks of a whole run: leave --control out");
}

}  // namespace glint::shell
