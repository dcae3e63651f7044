#include "app/sinks/outputs.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/sinks/formats.h"
#include "app/sinks/overlay.h"
#include "app/sinks/picture.h"
#include "app/sinks/raw_recorder.h"
#include "app/sinks/row_sink.h"
#include "app/sinks/stream.h"
#include "app/sinks/tables.h"
#include "config/error.h"

namespace glint {
namespace {

using Sinks = std::vector<std::unique_ptr<Sink>>;

Sinks one(std::unique_ptr<Sink> sink) {
  Sinks sinks;
  sinks.push_back(std::move(sink));
  return sinks;
}

std::vector<std::string> itself(const OutputSpec& spec, size_t) {
  return {spec.target};
}

template <class Table>
Sinks makeTable(const OutputSpec& spec, const std::vector<ImageFormat>&) {
  return one(std::make_unique<RowSink<CsvRows<Table>>>(spec.target));
}

bool isRaw(const std::string& file) {
  return file.ends_with(".raw.mkv");
}

bool isVideo(const std::string& file) {
  return !isRaw(file) &&
         (file.ends_with(".mp4") || file.ends_with(".mkv") || file.ends_with(".avi"));
}

bool isTracks(const std::string& file) {
  const auto tells = [&](const TrackFormat& format) {
    return std::any_of(format.suffixes.begin(), format.suffixes.end(),
                       [&](const auto& suffix) { return file.ends_with(suffix); });
  };
  return isDevice(file) || std::any_of(trackFormats().begin(), trackFormats().end(), tells);
}

std::vector<std::string> tracksFiles(const OutputSpec& spec, size_t cameras) {
  const TrackFormat& format = chooseTrackFormat(spec.target, spec.format);
  std::vector<std::string> files;
  for (std::string& file : trackFiles(spec.target, format, cameras)) {
    if (format.spools) files.push_back(file + ".rows");
    files.push_back(std::move(file));
  }
  return files;
}

Sinks makeTracks(const OutputSpec& spec, const std::vector<ImageFormat>& images) {
  const TrackFormat& format = chooseTrackFormat(spec.target, spec.format);
  const auto files = trackFiles(spec.target, format, images.size());
  Sinks sinks;
  for (size_t i = 0; i < files.size(); ++i) sinks.push_back(format.make(files[i], i));
  return sinks;
}

const std::array<OutputKind, 8> kKinds{{
    {"tracks", "-o,--output", "FILE",
     "Tracks; the suffix says in which format (see below); may be repeated, and the record of the "
     "run goes beside the first [tracks.csv]",
     true, Handover::waits, isTracks, tracksFiles, makeTracks},
    {"detections", "--detections", "FILE", "Every detection, as CSV", false, Handover::waits,
     nullptr, itself, makeTable<DetectionsTable>},
    {"stats", "--stats", "FILE", "Statistics of every frame, as CSV", false, Handover::waits,
     nullptr, itself, makeTable<StatsTable>},
    {"rejected", "--rejected", "FILE", "Candidates that are no markers, with the reason, as CSV",
     false, Handover::waits, nullptr, itself, makeTable<RejectedTable>},
    {"picture", "--picture", "FILE", "A frame with markers, ids and trails", false, Handover::waits,
     nullptr, itself,
     [](const OutputSpec& spec, const std::vector<ImageFormat>&) {
       return one(makePicture(spec.target, spec.set));
     }},
    {"overlay", "--overlay", "FILE",
     "Every frame with markers, ids and trails, as a video (.mp4, .mkv, .avi)", false,
     Handover::waits, isVideo, itself,
     [](const OutputSpec& spec, const std::vector<ImageFormat>&) {
       return one(makeOverlay(spec.target));
     }},
    {"record", "--record", "FILE",
     "Every frame as it came, lossless and with its own time (.mkv); of several cameras "
     "FILE_cam0.mkv, FILE_cam1.mkv ...; --config FILE takes its settings",
     false, Handover::waits, isRaw,
     [](const OutputSpec& spec, size_t cameras) { return rawFiles(spec.target, cameras); },
     [](const OutputSpec& spec, const std::vector<ImageFormat>& images) {
       return one(makeRawRecorder(spec.target, images, spec.preRoll));
     }},
    {"stream", "--stream", "TARGET",
     "Send every frame's tracks at once: osc:[HOST:]PORT, udp:[HOST:]PORT (JSON Lines) or - (JSON "
     "Lines to standard output); may be repeated",
     true, Handover::newest, nullptr,
     [](const OutputSpec&, size_t) { return std::vector<std::string>(); },
     [](const OutputSpec& spec, const std::vector<ImageFormat>&) {
       return one(makeStream(spec.target, spec.remote));
     }},
}};

}  // namespace

std::span<const OutputKind> outputKinds() {
  return kKinds;
}

const OutputKind& kindOf(const OutputSpec& spec) {
  return *std::find_if(kKinds.begin(), kKinds.end(),
                       [&](const OutputKind& kind) { return kind.name == spec.kind; });
}

OutputSpec outputNamed(const std::string& file) {
  for (const OutputKind& kind : kKinds)
    if (kind.accepts && kind.accepts(file)) return {std::string(kind.name), file};
  throw UsageError(
      fmt::format("the name '{}' does not tell the format: it must end as an -o or a video would, "
                  "for example in .csv or .mp4",
                  file));
}

std::vector<std::string> filesOf(const std::vector<OutputSpec>& outputs, size_t cameras) {
  std::vector<std::string> files;
  for (const OutputSpec& spec : outputs)
    for (std::string& file : kindOf(spec).files(spec, cameras)) files.push_back(std::move(file));
  return files;
}

void checkOutputs(const std::vector<std::string>& files, const std::vector<std::string>& inputs,
                  std::string_view by, bool devices) {
  const KnownFiles read(inputs);
  std::vector<std::string> outputs;
  for (const std::string& output : files) {
    if (devices && isDevice(output)) continue;
    if (read.has(output))
      throw UsageError(fmt::format("'{}' is read by this {}; name another output", output, by));
    const auto same = [&](const std::string& other) { return sameFile(output, other); };
    if (std::any_of(outputs.begin(), outputs.end(), same))
      throw UsageError(fmt::format("'{}' would be written twice; name another output", output));
    outputs.push_back(output);
  }
}

std::vector<std::unique_ptr<Sink>> makeSinks(const std::vector<OutputSpec>& outputs,
                                             const std::vector<ImageFormat>& images,
                                             Handover handover) {
  Sinks sinks;
  for (const OutputSpec& spec : outputs) {
    if (kindOf(spec).handover != handover) continue;
    for (auto& sink : kindOf(spec).make(spec, images)) sinks.push_back(std::move(sink));
  }
  return sinks;
}

const OutputSpec* firstTracks(const std::vector<OutputSpec>& outputs) {
  const auto found = std::find_if(outputs.begin(), outputs.end(),
                                  [](const OutputSpec& spec) { return spec.kind == "tracks"; });
  return found == outputs.end() ? nullptr : &*found;
}

}  // namespace glint
