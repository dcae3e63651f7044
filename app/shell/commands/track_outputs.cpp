#include "app/shell/commands/track_outputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/output/catalog/outputs.h"
#include "app/output/edit/edits_file.h"
#include "app/output/sinks/run_files.h"
#include "app/output/streams/stream.h"
#include "app/output/tables/track_formats.h"
#include "config/error.h"

namespace glint::shell {
namespace {

output::OutputRules rulesOf(const TrackOptions& options, const Settings& settings) {
  const bool answers = std::ranges::find(options.control, "-") != options.control.end();
  auto read = output::filesRead(options.sources, settings, options.settings.config());
  read.push_back(options.controlToken);
  read.push_back(options.rig.rig);
  read.push_back(options.rig.bodies);
  read.push_back(options.edits);
  return {
      .read = std::move(read),
      .owner = answers ? "--control -" : "",
      .edits = options.sources.empty() ? "" : output::editsPath(options.sources.front().shown())};
}

/// Throws UsageError if an output needs a rig or bodies that the options do not name.
void checkSpace(std::span<const output::OutputSpec> outputs, const TrackOptions& options) {
  for (const output::OutputSpec& spec : outputs)
    if (options.rig.rig.empty() && (spec.kind == "points" || spec.kind == "rejected_points" ||
                                    spec.kind == "poses" || spec.kind == "refined_rig"))
      throw UsageError("{} needs --rig FILE, the cameras' places",
                       output::outputKind(spec.kind).option);
  checkPoses(options.rig, output::holds(outputs, "poses"));
}

}  // namespace

void completeOutputs(TrackOptions& options, bool always) {
  auto& outputs = options.outputs;
  const auto tracks =
      std::ranges::count_if(outputs, [](const auto& spec) { return spec.kind == "tracks"; });
  if (tracks > 1 && !options.format.empty())
    throw UsageError(
        "--format is for a single -o; with several, let their suffixes choose the formats");
  if (tracks == 0 && (always || !options.format.empty())) {
    const output::TrackFormat& format = options.format.empty()
                                            ? output::trackFormats().front()
                                            : output::chooseTrackFormat("", options.format);
    outputs.push_back(
        {.kind = "tracks", .target = fmt::format("tracks{}", format.suffixes.front())});
  }
  bool first = true;
  for (output::OutputSpec& spec : outputs) {
    spec.options = {.format = options.format,
                    .record = spec.kind == "tracks" && std::exchange(first, false),
                    .frame = options.pictureFrame,
                    .preRoll = options.preRoll,
                    .remote = options.streamRemote,
                    .take = options.space.takeOptions()};
  }
}

void checkOutputs(const TrackOptions& options, const Settings& settings) {
  output::checkOutputs(options.outputs, options.sources.size(), rulesOf(options, settings));
  checkSpace(options.outputs, options);
  for (const output::OutputSpec& spec : options.outputs)
    if (spec.kind == "stream")
      output::checkStreamNeeds(spec.target, !options.rig.rig.empty(), !options.rig.bodies.empty());
}

std::vector<session::command::AddSink> openOutputs(const TrackOptions& options,
                                                   const capture::CameraGroups& groups,
                                                   std::optional<uint64_t> length,
                                                   const output::StreamedSpace& space) {
  const output::OutputContext context{
      .images = groups.images(), .end = length, .most = options.frames, .edits = options.edited};
  output::OutputContext streamed = context;
  streamed.space = space;
  if (!options.edited) streamed.latest = options.latest;
  std::vector<session::command::AddSink> all;
  uint64_t id = 0;
  for (const output::OutputSpec& spec : options.outputs)
    if (output::outputKind(spec.kind).handover == output::Handover::newest)
      all.push_back(
          // Takes ids from above, because those of the session begin at 1.
          output::makeGroup(spec, --id, streamed));
  session::command::AddSink files{
      .name = "outputs",
      .sinks = output::makeSinks(options.outputs, output::Handover::waits, context)};
  if (options.preRoll)  // Comes first, so that recordings that begin with a frame find it there.
    files.sinks.insert(files.sinks.begin(), output::makePreRollKeeper(options.preRoll));
  if (!files.sinks.empty()) all.push_back(std::move(files));
  return all;
}

session::command::AddSink openRecording(output::OutputSpec spec, const TrackOptions& options,
                                        const session::Session& session,
                                        const output::NewFileFolder* below) {
  const std::string file = spec.target;
  checkSpace({&spec, 1}, options);
  if (below) spec.target = below->path(file);
  spec.options.preRoll = options.preRoll;
  const size_t cameras = options.sources.size();
  // checkOutputs() would wait for the reader of a pipe. For standard output, however, it gives the
  // better reason: it names who writes there.
  const bool isStream = base::standardStream(spec.target).has_value();
  if (!isStream) output::checkRecording(spec, options.outputs, cameras);
  output::checkOutputs(std::vector{spec}, cameras, rulesOf(options, *session.state()->settings));
  if (isStream) output::checkRecording(spec, options.outputs, cameras);
  output::NewFiles made;
  if (below) made = below->make(output::outputKind(spec.kind).files(spec, cameras));
  session::command::AddSink recording =
      output::makeGroup(spec, 0, {.images = session.groups().images(), .latest = options.latest});
  recording.name = file;
  return recording;
}

session::command::AddSink openStream(const std::string& target, const TrackOptions& options,
                                     const output::StreamedSpace& space) {
  return output::makeGroup(
      {.kind = "stream",
       .target = target,
       .options = {.remote = options.streamRemote, .take = options.space.takeOptions()}},
      0, {.images = {}, .latest = options.latest, .space = space});
}

}  // namespace glint::shell
