#include <memory>

#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "app/commands/commands.h"
#include "app/commands/stop_signal.h"
#include "app/commands/track_options.h"
#include "app/commands/track_outputs.h"
#include "app/commands/track_summary.h"
#include "app/export/formats.h"
#include "app/record/run_record.h"
#include "app/session/session.h"
#include "app/stream/streams.h"
#include "config/error.h"

namespace glint {
namespace {

/// Whether tracks are joined over long gaps: as asked for, otherwise as set, which is on by
/// default. Sources are recordings here; where they are live it is to be off unless asked for.
void applyStitching(std::optional<bool> asked, Settings& settings) {
  if (asked == false) settings.track.stitchGap = 0;
  if (asked == true && settings.track.stitchGap == 0)
    settings.track.stitchGap = Settings().track.stitchGap;
}

void track(const TrackOptions& options) {
  RunInputs inputs{.sources = options.sources,
                   .format = {},
                   .device = {},
                   .settings = options.settings.settings()};
  applyStitching(options.stitch, inputs.settings);
  const std::atomic<bool>& stop = stopOnSignal();
  checkOutputs(options, inputs.settings);
  Streams streams(options.streams, options.streamRemote);
  std::vector<std::unique_ptr<Source>> sources;
  for (const auto& name : options.sources) {
    const Waiting waiting("the source", name);
    sources.push_back(openSource(name, &interruptOnSignal()));
  }
  inputs.format = sessionFormat(sources);
  const Device device({inputs.settings.device.name, inputs.settings.device.validation});
  inputs.device = device.info();

  ProgressLine progress(options.quiet);
  const SessionOptions session{.settings = inputs.settings,
                               .maxFrames = options.frames,
                               .rejected = !options.rejected.empty(),
                               .realtime = options.realtime,
                               .progress = [&](const SessionCounts& c) { progress.update(c); },
                               .live = [&](const SessionFrame& frame) { streams.push(frame); }};
  const SessionReport report = runSession(
      device, std::move(sources), [&] { return makeExporters(options, inputs.format); }, session,
      stop);
  const std::vector<StreamReport> streamReports = streams.finish();
  progress.clear();
  const std::string& first = options.outputs.front();
  // Beside a device or a pipe nothing else is written.
  const bool toFile = !isDevice(first) && !standardStream(first);
  if (!options.quiet && toFile) {
    const bool taken = streams.toStandardOutput() || anyStandardOutput(outputFiles(options));
    std::FILE* const out = taken ? stderr : stdout;
    printSummary(out, options, inputs, report, streamReports);
  }
  std::string failure = report.failure;
  try {
    if (toFile) writeRunRecord(runRecordPath(first), inputs, report, streamReports);
  } catch (const Error& error) {
    if (failure.empty()) failure = error.what();
  }
  for (const StreamReport& stream : streamReports)
    if (failure.empty() && stream.failed) failure = stream.problem;
  if (!failure.empty()) throw Error(failure);
}

}  // namespace

void addTrackCommand(CLI::App& app) {
  const auto options = std::make_shared<TrackOptions>();
  CLI::App* command = app.add_subcommand("track", "Find and follow markers; write their tracks");
  command
      ->add_option(
          "sources", options->sources,
          "Video file, folder or pattern of images, or synth:SCENE; several are the cameras "
          "of one session")
      ->required()
      ->type_name("SOURCE");
  command
      ->add_option("-o,--output", options->outputs,
                   "Tracks; the suffix says in which format (see below); may be repeated, and the "
                   "record of the run goes beside the first [tracks.csv]")
      ->check(kNamesFile)
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--format", options->format, "The format of -o, whatever its name ends in")
      ->type_name("NAME");
  command->add_option("--detections", options->detections, "Every detection, as CSV")
      ->check(kNamesFile)
      ->type_name("FILE");
  command->add_option("--stats", options->stats, "Statistics of every frame, as CSV")
      ->check(kNamesFile)
      ->type_name("FILE");
  command
      ->add_option("--rejected", options->rejected,
                   "Candidates that are no markers, with the reason, as CSV")
      ->check(kNamesFile)
      ->type_name("FILE");
  command->add_option("--picture", options->picture, "A frame with markers, ids and trails")
      ->check(kNamesFile)
      ->type_name("FILE");
  command
      ->add_option("--overlay", options->overlay,
                   "Every frame with markers, ids and trails, as a video (.mp4, .mkv, .avi)")
      ->check(kNamesFile)
      ->type_name("FILE");
  command
      ->add_option("--picture-frame", options->pictureFrame,
                   "Which frame; the last one if not given")
      ->check(wholeNumber(0))
      ->type_name("N");
  command->add_option("--frames", options->frames, "Stop after this many frames")
      ->check(wholeNumber(1))
      ->type_name("N");
  CLI::Option* stitch = command->add_flag_callback(
      "--stitch", [options] { options->stitch = true; },
      "Join tracks over gaps longer than track.max_gap where only one continuation is plausible "
      "(track.stitch_gap); on by default");
  command
      ->add_flag_callback(
          "--no-stitch", [options] { options->stitch = false; }, "Join no tracks")
      ->excludes(stitch);
  command
      ->add_option("--stream", options->streams,
                   "Send every frame's tracks at once: osc:[HOST:]PORT, udp:[HOST:]PORT (JSON "
                   "Lines) or - (JSON Lines to standard output); may be repeated")
      ->type_name("TARGET")
      ->allow_extra_args(false);
  command->add_flag("--stream-remote", options->streamRemote,
                    "Let --stream send to other machines");
  command->add_flag("--realtime", options->realtime,
                    "Play a recording at its own speed, or as fast as can be tracked");
  command->add_flag("--quiet", options->quiet, "Print errors only");
  options->settings.addTo(*command);
  command->footer("Formats of tracks and their suffixes:\n" + describeTrackFormats());
  command->callback([options] {
    completeOutputs(*options);
    track(*options);
  });
}

}  // namespace glint
