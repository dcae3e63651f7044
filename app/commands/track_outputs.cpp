#include "app/commands/track_outputs.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/capture/input_files.h"
#include "app/export/csv.h"
#include "app/export/formats.h"
#include "app/export/overlay.h"
#include "app/export/picture.h"
#include "app/export/raw_recorder.h"
#include "app/filter/images.h"
#include "app/mask/mask.h"
#include "app/record/run_record.h"
#include "config/error.h"

namespace glint {
namespace {

bool isVideoName(const std::string& file) {
  return file.ends_with(".mp4") || file.ends_with(".mkv") || file.ends_with(".avi");
}

bool holds(const std::vector<std::string>& targets, const std::string& wanted) {
  return std::find(targets.begin(), targets.end(), wanted) != targets.end();
}

bool isStandardOutput(const std::string& output) {
  return (output == "/dev/stdout" || sameFile(output, "/dev/stdout")) &&
         !sameFile(output, "/dev/null");
}

/// The option that writes to standard output by itself, or empty. Throws UsageError if two do.
std::string ownerOfStandardOutput(const TrackOptions& options) {
  const bool streams = holds(options.streams, "-"), answers = holds(options.control, "-");
  if (streams && answers)
    throw UsageError("--stream - and --control - both write to standard output: leave one away");
  return streams ? "--stream -" : answers ? "--control -" : "";
}

}  // namespace

void completeOutputs(TrackOptions& options) {
  if (options.outputs.size() > 1 && !options.format.empty()) {
    throw UsageError("--format speaks of one output: of several, let their suffixes tell it");
  }
  if (!options.outputs.empty()) return;
  const TrackFormat& format =
      options.format.empty() ? trackFormats().front() : chooseTrackFormat("", options.format);
  options.outputs.push_back(fmt::format("tracks{}", format.suffixes.front()));
}

std::vector<std::string> outputFiles(const TrackOptions& options) {
  std::vector<std::string> files{options.detections, options.stats, options.rejected,
                                 options.picture, options.overlay};
  if (!options.record.empty())
    for (auto& file : rawFiles(options.record, options.sources.size())) files.push_back(file);
  if (!options.outputs.empty()) files.push_back(runRecordPath(options.outputs.front()));
  for (const std::string& output : options.outputs) {
    const TrackFormat& format = chooseTrackFormat(output, options.format);
    for (auto& file : trackFiles(output, format, options.sources.size())) {
      if (format.spools) files.push_back(file + ".rows");
      files.push_back(file);
    }
  }
  std::erase(files, "");
  return files;
}

void checkOutputs(const TrackOptions& options, const Settings& settings) {
  std::vector<std::string> inputs = inputFiles(options.sources);
  for (auto& path : maskPaths(settings.detect.mask, options.sources.size()))
    inputs.push_back(std::move(path));
  for (const FilterFile& file : filterFiles(settings.filters))
    for (auto& path : maskPaths(file.name, options.sources.size()))
      inputs.push_back(std::move(path));
  if (!options.settings.config().empty()) inputs.push_back(options.settings.config());
  const KnownFiles read(inputs);
  const std::string owner = ownerOfStandardOutput(options);
  std::vector<std::string> outputs;
  for (const std::string& output : outputFiles(options)) {
    if (!owner.empty() && isStandardOutput(output)) {
      throw UsageError(fmt::format("'{}' is standard output, where {} writes; name another output",
                                   output, owner));
    }
    if (isDevice(output)) continue;
    if (read.has(output))
      throw UsageError(fmt::format("'{}' is read by this run; name another output", output));
    const auto same = [&](const std::string& other) { return sameFile(output, other); };
    if (std::any_of(outputs.begin(), outputs.end(), same)) {
      throw UsageError(fmt::format("'{}' would be written twice; name another output", output));
    }
    outputs.push_back(output);
  }
}

std::vector<std::unique_ptr<Exporter>> makeExporters(const TrackOptions& options,
                                                     const CameraGroups& groups,
                                                     const Settings& settings) {
  std::vector<std::unique_ptr<Exporter>> exporters;
  for (const std::string& output : options.outputs) {
    const TrackFormat& format = chooseTrackFormat(output, options.format);
    const auto files = trackFiles(output, format, groups.places.size());
    for (size_t i = 0; i < files.size(); ++i) exporters.push_back(format.make(files[i], i));
  }
  if (!options.detections.empty()) exporters.push_back(makeDetectionsCsv(options.detections));
  if (!options.stats.empty()) exporters.push_back(makeStatsCsv(options.stats, groups.images()));
  if (!options.rejected.empty()) exporters.push_back(makeRejectedCsv(options.rejected));
  if (!options.picture.empty())
    exporters.push_back(makePicture(options.picture, options.pictureFrame));
  if (!options.overlay.empty()) exporters.push_back(makeOverlay(options.overlay));
  if (!options.record.empty()) {
    std::ostringstream text;
    writeToml(settings, text);
    exporters.push_back(
        makeRawRecorder(options.record, groups.images(), text.str(), options.preRoll));
  }
  return exporters;
}

void checkSuffix(const std::string& file) {
  const auto tells = [&](const TrackFormat& format) {
    return std::any_of(format.suffixes.begin(), format.suffixes.end(),
                       [&](const auto& suffix) { return file.ends_with(suffix); });
  };
  if (isVideoName(file) || isDevice(file) ||
      std::any_of(trackFormats().begin(), trackFormats().end(), tells))
    return;
  throw UsageError(
      fmt::format("the name '{}' does not tell the format: it must end as an -o or a video would, "
                  "for example in .csv or .mp4",
                  file));
}

/// A recording that is started while others wait for answers must not wait for a reader itself, and
/// must not take what the run writes.
void checkRecording(const std::string& file, const TrackOptions& recording,
                    const TrackOptions& run) {
  std::error_code unknown;
  if (standardStream(file) || std::filesystem::is_fifo(file, unknown))
    throw UsageError(fmt::format("'{}' is a pipe or a terminal; a recording needs a file", file));
  const std::vector<std::string> others = outputFiles(run);
  for (const std::string& output : outputFiles(recording)) {
    if (output == runRecordPath(file)) continue;  // a recording has none
    const auto same = [&](const std::string& other) { return sameFile(output, other); };
    if (!isDevice(output) && std::any_of(others.begin(), others.end(), same))
      throw UsageError(fmt::format("'{}' is an output of the run; name another one", output));
  }
}

std::vector<std::unique_ptr<Exporter>> makeRecording(const std::string& file,
                                                     const TrackOptions& options,
                                                     const CameraGroups& groups) {
  TrackOptions recording = options;
  recording.outputs.clear();
  recording.format.clear();
  recording.detections = recording.stats = recording.rejected = recording.picture =
      recording.record = "";
  const bool video = isVideoName(file);
  const bool raw = file.ends_with(".raw.mkv");
  recording.record = raw ? file : "";
  recording.overlay = video && !raw ? file : "";
  if (!video) recording.outputs = {file};
  checkSuffix(file);
  checkOutputs(recording, options.settings.settings());
  checkRecording(file, recording, options);
  return makeExporters(recording, groups, options.settings.settings());
}

}  // namespace glint
