#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/commands/paths.h"
#include "app/commands/stop_signal.h"
#include "app/export/csv.h"
#include "app/export/formats.h"
#include "app/export/overlay.h"
#include "app/export/picture.h"
#include "app/export/run_record.h"
#include "app/mask.h"
#include "app/session.h"
#include "app/stream/streams.h"
#include "config/error.h"

namespace glint {
namespace {

struct TrackOptions {
  std::vector<std::string> sources;
  SettingOptions settings;
  std::vector<std::string> outputs;
  std::string format, detections, stats, rejected, picture, overlay;
  std::vector<std::string> streams;
  std::optional<uint64_t> frames, pictureFrame;
  std::optional<bool> stitch;
  bool quiet = false, realtime = false, streamRemote = false;
};

/// A line that is rewritten a few times a second, on a terminal only.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

  void update(const SessionCounts& counts) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> since = now - last_;
    if (!shown_ || since < std::chrono::milliseconds(250)) return;
    const double rate = static_cast<double>(counts.frames - lastFrames_) / since.count();
    fmt::print(stderr, "\r\x1b[K{} frames  {:.0f} frames/s  {} markers  {} tracks", counts.frames,
               rate, counts.lastMarkers, counts.liveTracks);
    std::fflush(stderr);
    last_ = now;
    lastFrames_ = counts.frames;
    written_ = true;
  }

  void clear() const {
    if (written_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool shown_;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  uint64_t lastFrames_ = 0;
};

std::vector<std::unique_ptr<Exporter>> makeExporters(const TrackOptions& options,
                                                     const FrameFormat& frames) {
  std::vector<std::unique_ptr<Exporter>> exporters;
  for (const std::string& output : options.outputs) {
    const TrackFormat& format = chooseTrackFormat(output, options.format);
    const auto files = trackFiles(output, format, frames.layers);
    for (size_t i = 0; i < files.size(); ++i) exporters.push_back(format.make(files[i], i));
  }
  if (!options.detections.empty()) exporters.push_back(makeDetectionsCsv(options.detections));
  if (!options.stats.empty()) exporters.push_back(makeStatsCsv(options.stats, frames.image));
  if (!options.rejected.empty()) exporters.push_back(makeRejectedCsv(options.rejected));
  if (!options.picture.empty())
    exporters.push_back(makePicture(options.picture, options.pictureFrame));
  if (!options.overlay.empty()) exporters.push_back(makeOverlay(options.overlay));
  return exporters;
}

/// Whether `output` is what --stream - writes to.
bool isStreamed(const TrackOptions& options, const std::string& output) {
  return std::find(options.streams.begin(), options.streams.end(), "-") != options.streams.end() &&
         (output == "/dev/stdout" || sameFile(output, "/dev/stdout")) &&
         !sameFile(output, "/dev/null");
}

/// Refuses to write two things to one file, or over what the run reads. Devices such as /dev/null
/// may be shared.
void checkOutputs(const TrackOptions& options, const Settings& settings) {
  std::vector<std::string> inputs = options.sources;
  for (auto& path : maskPaths(settings.detect.mask, options.sources.size()))
    inputs.push_back(std::move(path));
  if (!options.settings.config().empty()) inputs.push_back(options.settings.config());
  std::vector<std::string> files{runRecordPath(options.outputs.front()),
                                 options.detections,
                                 options.stats,
                                 options.rejected,
                                 options.picture,
                                 options.overlay};
  for (const std::string& output : options.outputs) {
    const TrackFormat& format = chooseTrackFormat(output, options.format);
    for (auto& file : trackFiles(output, format, options.sources.size())) files.push_back(file);
  }
  std::vector<std::string> outputs;
  for (const std::string& output : files) {
    if (!output.empty() && isStreamed(options, output)) {
      throw UsageError(fmt::format(
          "'{}' is standard output, where --stream - writes; name another output", output));
    }
    if (output.empty() || isDevice(output)) continue;
    const auto same = [&](const std::string& other) { return sameFile(output, other); };
    if (std::any_of(inputs.begin(), inputs.end(), same)) {
      throw UsageError(fmt::format("'{}' is read by this run; name another output", output));
    }
    if (std::any_of(outputs.begin(), outputs.end(), same)) {
      throw UsageError(fmt::format("'{}' would be written twice; name another output", output));
    }
    outputs.push_back(output);
  }
}

/// What differs between the cameras' ends, or empty.
std::string endings(const std::vector<std::string>& sources, const SessionReport& report) {
  std::string text;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (report.counts.framesOfCamera[i] == report.counts.frames) continue;
    text += fmt::format("camera {} ('{}') ended after {} of {} frames\n", i, sources[i],
                        report.counts.framesOfCamera[i], report.counts.frames);
  }
  return text;
}

/// How many candidates were rejected for which reason.
std::string rejections(const SessionCounts& counts) {
  std::string text;
  for (const auto& [reason, count] : counts.rejected)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, nameOf(reason));
  return fmt::format("rejected candidates: {}\n", text.empty() ? "none" : text);
}

/// What became of the frames of every stream.
std::string streamLines(const std::vector<StreamReport>& streams) {
  std::string text;
  for (const StreamReport& s : streams) {
    text += fmt::format("stream {}: {} frames sent, {} dropped{}\n", s.target, s.sent, s.dropped,
                        s.problem.empty() ? "" : fmt::format(" ({})", s.problem));
  }
  return text;
}

/// Into `out`, which carries nothing else.
void printSummary(std::FILE* out, const TrackOptions& options, const RunInputs& inputs,
                  const SessionReport& report, const std::vector<StreamReport>& streams) {
  const SessionCounts& c = report.counts;
  const auto frames = static_cast<double>(std::max<uint64_t>(c.frames, 1));
  fmt::print(out, "{} frames in {:.2f} s ({:.0f} frames/s) on {}\n", c.frames, report.seconds,
             static_cast<double>(c.frames) / std::max(report.seconds, 1e-9), inputs.device.name);
  fmt::print(out, "{:.1f} markers a frame, {} tracks -> {}\n",
             static_cast<double>(c.markers) / frames, c.tracks, fmt::join(options.outputs, ", "));
  if (!options.rejected.empty()) fmt::print(out, "{}", rejections(c));
  if (c.partialFrames > 0) {
    fmt::print(
        out,
        "warning: markers may be missing from {} frames, which held more than is measured; raise "
        "detect.threshold or detect.max_markers, or use detect.method=blobs for large markers\n",
        c.partialFrames);
  }
  if (c.markers == 0 && c.dimFrames > 0) {
    fmt::print(
        out,
        "hint: in {} frames nothing reached the threshold; the automatic one rises above markers "
        "that cover more than a few percent of the image: set detect.threshold=0.5 then\n",
        c.dimFrames);
  }
  fmt::print(out, "{}{}", endings(inputs.sources, report), streamLines(streams));
  if (report.interrupted)
    fmt::print(out, "stopped by a signal; everything measured until then is kept\n");
}

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
  for (const auto& name : options.sources) sources.push_back(openSource(name));
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
  const bool toFile = !isDevice(first);  // beside a device or a pipe nothing else is written
  if (!options.quiet && toFile) {
    std::FILE* const out = streams.toStandardOutput() ? stderr : stdout;
    printSummary(out, options, inputs, report, streamReports);
  }
  std::string failure = report.failure;
  try {
    if (toFile) writeRunRecord(runRecordPath(first), inputs, report, streamReports);
  } catch (const Error& error) {
    if (failure.empty()) failure = error.what();
  }
  if (!failure.empty()) throw Error(failure);
}

/// What -o and --format leave open.
void completeOutputs(TrackOptions& options) {
  if (options.outputs.size() > 1 && !options.format.empty()) {
    throw UsageError("--format speaks of one output: of several, let their suffixes tell it");
  }
  if (!options.outputs.empty()) return;
  const TrackFormat& format =
      options.format.empty() ? trackFormats().front() : chooseTrackFormat("", options.format);
  options.outputs.push_back(fmt::format("tracks{}", format.suffixes.front()));
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
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command->add_option("--frames", options->frames, "Stop after this many frames")
      ->check(CLI::PositiveNumber)
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
