#include "app/output/catalog/outputs.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/output/sinks/run_files.h"
#include "app/output/tables/track_formats.h"
#include "config/error.h"

namespace glint::output {
namespace {

bool isStandardOutput(const std::string& output) {
  return (output == "/dev/stdout" || base::sameFile(output, "/dev/stdout")) &&
         !base::sameFile(output, "/dev/null");
}

bool isAmong(const std::string& file, const std::vector<std::string>& others) {
  return std::ranges::any_of(others,
                             [&](const std::string& other) { return base::sameFile(file, other); });
}

/// Returns the output that writes to standard output by itself; empty if there is none. Throws
/// UsageError if there are two.
std::string ownerOfStandardOutput(std::span<const OutputSpec> specs, const OutputRules& rules) {
  const auto streams = std::ranges::count_if(
      specs, [](const OutputSpec& spec) { return spec.kind == "stream" && spec.target == "-"; });
  if (streams > 0 && !rules.owner.empty()) {
    throw UsageError("--stream - and {} both write to standard output: leave one out", rules.owner);
  }
  if (streams > 1) throw UsageError("--stream '-': standard output can hold one stream");
  return streams > 0 ? "--stream -" : rules.owner;
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Appends the formats of points (kind "points") or of bodies' poses (kind "poses"). A suffix that
/// formats of tracks have, too, gets the kind's name before it, and so does every one of poses.
void appendTakes(std::vector<OutputChoice>& all, std::string_view kind) {
  const bool poses = kind == "poses";
  const auto hasTracks = [](std::string_view suffix) {
    return std::ranges::any_of(trackFormats(), [&](const TrackFormat& format) {
      return std::ranges::find(format.suffixes, suffix) != format.suffixes.end();
    });
  };
  for (const TakeFormat* format : writtenTakeFormats(poses)) {
    const bool named = poses || hasTracks(format->suffix);
    all.push_back(
        {.name = fmt::format("{} {}", poses ? "bodies" : "points", format->name),
         .about = std::string(format->about),
         .suffix = fmt::format("{}{}{}", named ? "." : "", named ? kind : "", format->suffix),
         .spec = {.kind = kind, .target = {}},
         .take = format});
  }
}

std::vector<OutputChoice> choices(std::string_view OutputKind::*suffix, const SpaceResults& space) {
  std::vector<OutputChoice> all;
  for (const TrackFormat& format : trackFormats()) {
    const std::string name(format.name);
    all.push_back({.name = name,
                   .about = std::string(format.about),
                   .suffix = std::string(format.suffixes.front()),
                   .spec = {.kind = "tracks", .target = {}, .options = {.format = name}}});
  }
  for (const OutputKind& kind : outputKinds()) {
    if ((kind.*suffix).empty()) continue;
    all.push_back({.name = std::string(kind.label),
                   .about = std::string(kind.words),
                   .suffix = std::string(kind.*suffix),
                   .spec = {.kind = kind.name, .target = {}}});
  }
  if (space.points) appendTakes(all, "points");
  if (space.poses) appendTakes(all, "poses");
  return all;
}

std::vector<std::unique_ptr<Sink>> makeOf(const OutputSpec& spec, const OutputContext& context) {
  const OutputKind& kind = outputKind(spec.kind);
  auto sinks = kind.make(spec, context);
  if (kind.edits == EditUse::nothing) return sinks;
  const bool drawn = kind.edits == EditUse::drawing;
  for (auto& sink : sinks) {
    if (context.edits) sink = makeEdited(std::move(sink), context.edits, drawn);
    if (context.latest) sink = makeEdited(std::move(sink), context.latest, drawn);
  }
  return sinks;
}

/// Returns true if a file is written beside an output: the record of the run, or the rows of a wide
/// table.
bool isBeside(const std::string& file, std::span<const OutputSpec> specs) {
  return file.ends_with(".rows") || std::ranges::any_of(specs, [&](const OutputSpec& spec) {
           return spec.options.record && file == runRecordPath(spec.target);
         });
}

}  // namespace

bool holds(std::span<const OutputSpec> specs, std::string_view kind) {
  return std::ranges::any_of(specs, [&](const OutputSpec& spec) { return spec.kind == kind; });
}

// Puts tracks last, because messages about two outputs in one file name the last one.
std::vector<std::string> outputFiles(std::span<const OutputSpec> specs, size_t cameras) {
  std::vector<std::string> files;
  for (const bool tracks : {false, true})
    for (const OutputSpec& spec : specs)
      if ((spec.kind == "tracks") == tracks)
        append(files, outputKind(spec.kind).files(spec, cameras));
  return files;
}

void checkOutputs(std::span<const OutputSpec> specs, size_t cameras, const OutputRules& rules) {
  const std::string owner = ownerOfStandardOutput(specs, rules);
  RunFiles files(rules.read, rules.what);
  const std::vector<std::string> outputs = outputFiles(specs, cameras);
  for (const bool beside : {false, true})  // errors about files that the user has named come first
    for (const std::string& output : outputs) {
      if (isBeside(output, specs) != beside) continue;
      if (!owner.empty() && isStandardOutput(output)) {
        throw UsageError("'{}' is standard output, where {} writes; name another output", output,
                         owner);
      }
      beside ? files.writeBeside(output) : files.writeInPlace(output);
      if (!rules.edits.empty() && base::sameFile(output, rules.edits)) {
        throw UsageError(
            "'{}' would be written, where edits of these tracks are kept; name another output",
            output);
      }
    }
  for (const OutputSpec& spec : specs) outputKind(spec.kind).check(spec);
}

OutputSpec recordingSpec(const std::string& file) {
  const OutputKind* chosen = base::isDevice(file) ? &outputKind("tracks") : nullptr;
  size_t longest = 0;
  const auto compare = [&](const OutputKind& kind, const std::string& suffix) {
    if (!file.ends_with(suffix) || suffix.size() <= longest) return;
    chosen = &kind;
    longest = suffix.size();
  };
  for (const OutputKind& kind : outputKinds())
    for (const std::string& suffix : kind.suffixes()) compare(kind, suffix);
  std::vector<OutputChoice> takes;
  appendTakes(takes, "points");
  appendTakes(takes, "poses");
  for (const OutputChoice& take : takes) compare(outputKind(take.spec.kind), take.suffix);
  if (chosen) return {.kind = chosen->name, .target = file};
  throw UsageError(
      "the name '{}' does not show the format: use the suffix of an -o or a video, "
      "such as .csv or .mp4",
      file);
}

void checkRecording(const OutputSpec& recording, std::span<const OutputSpec> run, size_t cameras) {
  const std::string& file = recording.target;
  std::error_code unknown;
  if (base::standardStream(file) || std::filesystem::is_fifo(file, unknown))
    throw UsageError("'{}' is a pipe or a terminal; a recording needs a file", file);
  const std::vector<std::string> others = outputFiles(run, cameras);
  for (const std::string& output : outputKind(recording.kind).files(recording, cameras)) {
    if (!base::isDevice(output) && isAmong(output, others))
      throw UsageError("'{}' is an output of the run; name another one", output);
  }
}

std::vector<std::unique_ptr<Sink>> makeSinks(std::span<const OutputSpec> specs, Handover handover,
                                             const OutputContext& context) {
  std::vector<std::unique_ptr<Sink>> sinks;
  for (const OutputSpec& spec : specs) {
    const OutputKind& kind = outputKind(spec.kind);
    if (kind.handover != handover) continue;
    for (auto& sink : makeOf(spec, context)) sinks.push_back(std::move(sink));
  }
  return sinks;
}

SinkGroup makeGroup(const OutputSpec& spec, uint64_t id, const OutputContext& context) {
  const OutputKind& kind = outputKind(spec.kind);
  return {.id = id, .name = spec.target, .handover = kind.handover, .sinks = makeOf(spec, context)};
}

std::vector<OutputChoice> exportChoices(const SpaceResults& space) {
  return choices(&OutputKind::exported, space);
}

std::vector<OutputChoice> recordingChoices(const SpaceResults& space) {
  return choices(&OutputKind::recorded, space);
}

TakeOptions allowedOptions(const TakeOptions& options, const OutputChoice& choice) {
  TakeOptions allowed;
  if (choice.take == nullptr) return allowed;
  if (choice.take->spools) allowed.up = options.up, allowed.numbered = options.numbered;
  if (choice.take->keeps.choosesUnit) allowed.metres = options.metres;
  return allowed;
}

}  // namespace glint::output
