#include "app/commands/track_outputs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/capture/input_files.h"
#include "app/filter/images.h"
#include "app/mask/mask.h"
#include "app/record/run_record.h"
#include "app/sinks/formats.h"
#include "config/error.h"

namespace glint {
namespace {

bool isStandardOutput(const std::string& output) {
  return (output == "/dev/stdout" || sameFile(output, "/dev/stdout")) &&
         !sameFile(output, "/dev/null");
}

/// The option that writes to standard output by itself, or empty. Throws UsageError if two do.
std::string ownerOfStandardOutput(const TrackOptions& options) {
  const auto streams = std::count_if(
      options.outputs.begin(), options.outputs.end(),
      [](const OutputSpec& spec) { return spec.kind == "stream" && spec.target == "-"; });
  const bool answers =
      std::find(options.control.begin(), options.control.end(), "-") != options.control.end();
  if (streams > 0 && answers)
    throw UsageError("--stream - and --control - both write to standard output: leave one away");
  if (streams > 1) throw UsageError("--stream '-': standard output can hold one stream");
  return streams > 0 ? "--stream -" : answers ? "--control -" : "";
}

std::vector<std::string> inputsOf(const TrackOptions& options, const Settings& settings) {
  std::vector<std::string> inputs = inputFiles(options.sources);
  const auto add = [&](const std::string& name) {
    for (auto& path : maskPaths(name, options.sources.size())) inputs.push_back(std::move(path));
  };
  add(settings.detect.mask);
  for (const FilterFile& file : filterFiles(settings.filters)) add(file.name);
  if (!options.settings.config().empty()) inputs.push_back(options.settings.config());
  return inputs;
}

command::AddSink added(const OutputSpec& spec, const std::vector<ImageFormat>& images) {
  const OutputKind& kind = kindOf(spec);
  return {.name = spec.target, .handover = kind.handover, .sinks = kind.make(spec, images)};
}

}  // namespace

void completeOutputs(TrackOptions& options, bool always) {
  auto& outputs = options.outputs;
  const auto tracks = std::count_if(outputs.begin(), outputs.end(),
                                    [](const auto& spec) { return spec.kind == "tracks"; });
  if (tracks > 1 && !options.format.empty())
    throw UsageError("--format speaks of one output: of several, let their suffixes tell it");
  if (tracks == 0 && (always || !options.format.empty())) {
    const TrackFormat& format =
        options.format.empty() ? trackFormats().front() : chooseTrackFormat("", options.format);
    outputs.push_back({"tracks", fmt::format("tracks{}", format.suffixes.front())});
  }
  for (OutputSpec& spec : outputs) {
    if (spec.kind == "tracks") spec.format = options.format;
    if (spec.kind == "picture") spec.set = options.pictureFrame;
    if (spec.kind == "stream") spec.remote = options.streamRemote;
  }
}

std::vector<std::string> outputFiles(const TrackOptions& options) {
  std::vector<std::string> files = filesOf(options.outputs, options.sources.size());
  if (const OutputSpec* spec = firstTracks(options.outputs))
    files.push_back(runRecordPath(spec->target));
  return files;
}

void checkOutputs(const TrackOptions& options, const Settings& settings) {
  const std::string owner = ownerOfStandardOutput(options);
  const std::vector<std::string> files = outputFiles(options);
  for (const std::string& output : files) {
    if (!owner.empty() && isStandardOutput(output)) {
      throw UsageError(fmt::format("'{}' is standard output, where {} writes; name another output",
                                   output, owner));
    }
  }
  checkOutputs(files, inputsOf(options, settings), "run");
}

std::vector<command::AddSink> openOutputs(const TrackOptions& options, const CameraGroups& groups) {
  std::vector<command::AddSink> all;
  uint64_t id = 0;
  for (const OutputSpec& spec : options.outputs) {
    if (kindOf(spec).handover != Handover::newest) continue;
    all.push_back(added(spec, groups.images()));
    all.back().id = --id;  // from above: the session's own numbers begin below
  }
  command::AddSink files{.name = "outputs", .sinks = makeSinks(options.outputs, groups.images())};
  if (options.preRoll)  // first: recordings that begin with a frame find it there
    files.sinks.insert(files.sinks.begin(), makePreRollKeeper(options.preRoll));
  if (!files.sinks.empty()) all.push_back(std::move(files));
  return all;
}

/// A recording that is started while others wait for answers must not wait for a reader itself, and
/// must not take what the run writes.
command::AddSink openRecording(const std::string& file, const TrackOptions& options,
                               const CameraGroups& groups) {
  OutputSpec spec = outputNamed(file);
  spec.preRoll = options.preRoll;
  const std::vector<std::string> files = filesOf({spec}, options.sources.size());
  checkOutputs(files, inputsOf(options, options.settings.settings()), "run");
  std::error_code unknown;
  if (standardStream(file) || std::filesystem::is_fifo(file, unknown))
    throw UsageError(fmt::format("'{}' is a pipe or a terminal; a recording needs a file", file));
  const std::vector<std::string> others = outputFiles(options);
  for (const std::string& output : files) {
    const auto same = [&](const std::string& other) { return sameFile(output, other); };
    if (!isDevice(output) && std::any_of(others.begin(), others.end(), same))
      throw UsageError(fmt::format("'{}' is an output of the run; name another one", output));
  }
  return added(spec, groups.images());
}

command::AddSink openStream(const std::string& target, const TrackOptions& options) {
  return added({.kind = "stream", .target = target, .remote = options.streamRemote}, {});
}

}  // namespace glint
