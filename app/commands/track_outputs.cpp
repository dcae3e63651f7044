#include "app/commands/track_outputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/edit/edits_file.h"
#include "app/sinks/outputs.h"
#include "app/sinks/run_files.h"
#include "app/sinks/track_formats.h"
#include "config/error.h"

namespace glint {
namespace {

OutputRules rulesOf(const TrackOptions& options, const Settings& settings) {
  const bool answers =
      std::find(options.control.begin(), options.control.end(), "-") != options.control.end();
  auto read = filesRead(options.sources, settings, options.settings.config());
  read.push_back(options.controlToken);
  read.push_back(options.rig.rig);
  read.push_back(options.rig.bodies);
  read.push_back(options.edits);
  return {.read = std::move(read),
          .owner = answers ? "--control -" : "",
          .edits = options.sources.empty() ? "" : editsPath(options.sources.front())};
}

}  // namespace

void completeOutputs(TrackOptions& options, bool always) {
  auto& outputs = options.outputs;
  const auto tracks = std::count_if(outputs.begin(), outputs.end(),
                                    [](const auto& spec) { return spec.kind == "tracks"; });
  if (tracks > 1 && !options.format.empty())
    throw UsageError(
        "--format is for a single -o; with several, let their suffixes choose the formats");
  if (tracks == 0 && (always || !options.format.empty())) {
    const TrackFormat& format =
        options.format.empty() ? trackFormats().front() : chooseTrackFormat("", options.format);
    outputs.push_back(
        {.kind = "tracks", .target = fmt::format("tracks{}", format.suffixes.front())});
  }
  bool first = true;
  for (OutputSpec& spec : outputs) {
    spec.options = {.format = options.format,
                    .record = spec.kind == "tracks" && std::exchange(first, false),
                    .frame = options.pictureFrame,
                    .preRoll = options.preRoll,
                    .remote = options.streamRemote};
  }
}

void checkOutputs(const TrackOptions& options, const Settings& settings) {
  checkOutputs(options.outputs, options.sources.size(), rulesOf(options, settings));
  for (const OutputSpec& spec : options.outputs)
    if (options.rig.rig.empty() && (spec.kind == "points" || spec.kind == "rejected_points" ||
                                    spec.kind == "poses" || spec.kind == "refined_rig"))
      throw UsageError(
          fmt::format("{} needs --rig FILE, the cameras' places", outputKind(spec.kind).option));
  checkPoses(options.rig, holds(options.outputs, "poses"));
}

std::vector<command::AddSink> openOutputs(const TrackOptions& options, const CameraGroups& groups,
                                          std::optional<uint64_t> length) {
  const OutputContext context{
      .images = groups.images(), .end = length, .most = options.frames, .edits = options.edited};
  OutputContext streamed = context;
  if (!options.edited) streamed.latest = options.latest;
  std::vector<command::AddSink> all;
  uint64_t id = 0;
  for (const OutputSpec& spec : options.outputs)
    if (outputKind(spec.kind).handover == Handover::newest)
      all.push_back(makeGroup(spec, --id, streamed));  // from above: the session's begin at 1
  command::AddSink files{.name = "outputs",
                         .sinks = makeSinks(options.outputs, Handover::waits, context)};
  if (options.preRoll)  // first: recordings that begin with a frame find it there
    files.sinks.insert(files.sinks.begin(), makePreRollKeeper(options.preRoll));
  if (!files.sinks.empty()) all.push_back(std::move(files));
  return all;
}

command::AddSink openRecording(const std::string& file, const TrackOptions& options,
                               const Session& session, const NewFileFolder* below) {
  OutputSpec spec = recordingSpec(file);
  if (below) spec.target = below->path(file);
  spec.options.preRoll = options.preRoll;
  const size_t cameras = options.sources.size();
  checkOutputs(std::vector{spec}, cameras, rulesOf(options, *session.state()->settings));
  checkRecording(spec, options.outputs, cameras);
  NewFiles made;
  if (below) made = below->make(outputKind(spec.kind).files(spec, cameras));
  command::AddSink recording =
      makeGroup(spec, 0, {.images = session.groups().images(), .latest = options.latest});
  recording.name = file;
  return recording;
}

command::AddSink openStream(const std::string& target, const TrackOptions& options) {
  return makeGroup(
      {.kind = "stream", .target = target, .options = {.remote = options.streamRemote}}, 0,
      {.images = {}, .latest = options.latest});
}

}  // namespace glint
