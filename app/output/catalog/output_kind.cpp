#include "app/output/catalog/output_kind.h"

#include <array>
#include <filesystem>

#include "app/base/suffix.h"
#include "app/output/pictures/overlay.h"
#include "app/output/pictures/picture.h"
#include "app/output/pictures/raw_recorder.h"
#include "app/output/sinks/rig_keeper.h"
#include "app/output/streams/stream.h"
#include "app/output/tables/table_sink.h"
#include "app/output/tables/tables.h"
#include "app/output/tables/track_formats.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/take_sink.h"

namespace glint::output {
namespace {

using Names = std::vector<std::string>;
using Sinks = std::vector<std::unique_ptr<Sink>>;

Sinks one(std::unique_ptr<Sink> sink) {
  Sinks sinks;
  sinks.push_back(std::move(sink));
  return sinks;
}

/// The suffixes of the formats that every table can be written in.
constexpr std::array<std::string_view, 2> kTableSuffixes{".csv", ".jsonl"};

/// Returns the format that the name of a table shows. Devices and pipes get CSV.
TextStyle styleOf(const std::string& target) {
  return base::longestSuffix(target, kTableSuffixes) == ".jsonl" ? TextStyle::jsonLines
                                                                 : TextStyle::csv;
}

template <class Table>
Sinks makeTable(const OutputSpec& spec, const OutputContext& context) {
  return one(std::make_unique<TableSink<Table>>(context.at(spec.target), styleOf(spec.target)));
}

void checkTable(const OutputSpec& spec) {
  base::checkSuffix(spec.target, "the table", kTableSuffixes);
}

/// Returns the format that the name of a file of points shows. Devices and pipes get CSV.
const TakeFormat& chooseTake(const OutputSpec& spec) {
  const TakeFormat* format = takeFormatOf(spec.target, true);
  return format ? *format : takeFormats().front();
}

template <bool points>
void checkTake(const OutputSpec& spec) {
  base::checkSuffix(spec.target, points ? "the points" : "the poses", takeSuffixes(!points));
  const TakeFormat& format = chooseTake(spec);
  checkTakeOptions(spec.target, format, spec.options.take);
  if (!format.spools && spec.options.take.up == UpAxis::y)
    throw UsageError(
        "--up y: '{}' has the axes of the rig, where z points up; `glint convert` turns it",
        spec.target);
}

Names filesOfTake(const OutputSpec& spec, size_t) {
  Names files{spec.target};
  if (chooseTake(spec).spools) files.insert(files.begin(), spoolOf(spec.target));
  return files;
}

/// `Table`: for the formats with a row for each point or pose.
template <class Table, bool points>
Sinks makeTake(const OutputSpec& spec, const OutputContext& context) {
  const TakeFormat& format = chooseTake(spec);
  if (!format.spools) return makeTable<Table>(spec, context);
  return one(std::make_unique<TakeSink>(context.at(spec.target), spec.target, format,
                                        spec.options.take, points));
}

Names trackSuffixes() {
  Names all;
  for (const TrackFormat& format : trackFormats())
    all.insert(all.end(), format.suffixes.begin(), format.suffixes.end());
  return all;
}

Names filesOfTracks(const OutputSpec& spec, size_t cameras) {
  Names files;
  if (spec.options.record) files.push_back(runRecordPath(spec.target));
  const TrackFormat& format = chooseTrackFormat(spec.target, spec.options.format);
  for (std::string& file : trackFiles(spec.target, format, cameras)) {
    if (format.spools) files.push_back(file + ".rows");
    files.push_back(std::move(file));
  }
  return files;
}

Sinks makeTracks(const OutputSpec& spec, const OutputContext& context) {
  const TrackFormat& format = chooseTrackFormat(spec.target, spec.options.format);
  const Names files = trackFiles(spec.target, format, context.images.size());
  Sinks sinks;
  for (size_t i = 0; i < files.size(); ++i) sinks.push_back(format.make(context.at(files[i]), i));
  return sinks;
}

const std::array<OutputKind, 12> kKinds{{
    {.name = "tracks",
     .option = "-o,--output",
     .about = "Tracks to write; the suffix chooses the format, see below [tracks.csv]\nMay be "
              "repeated. The record of the run (JSON) goes beside the first.",
     .repeats = true,
     .edits = EditUse::rows,
     .suffixes = trackSuffixes,
     .files = filesOfTracks,
     .make = makeTracks},
    {.name = "detections",
     .option = "--detections",
     .about = "Every detection (.csv, .jsonl)",
     .label = "detections",
     .words = "every detection, before tracking",
     .exported = ".detections.csv",
     .check = checkTable,
     .make = makeTable<DetectionsTable>},
    {.name = "stats",
     .option = "--stats",
     .about = "Statistics of every frame (.csv, .jsonl)",
     .label = "statistics",
     .words = "of every frame",
     .exported = ".stats.csv",
     .check = checkTable,
     .make = makeTable<StatsTable>},
    {.name = "rejected",
     .option = "--rejected",
     .about = "Rejected candidates with the reason (.csv, .jsonl)",
     .label = "rejected",
     .words = "rejected candidates with the reason",
     .exported = ".rejected.csv",
     .check = checkTable,
     .make = makeTable<RejectedTable>},
    {.name = "points",
     .option = "--points",
     .about = "Points in space; the suffix chooses the format, see below; needs --rig",
     .files = filesOfTake,
     .check = checkTake<true>,
     .make = makeTake<PointsTable, true>},
    {.name = "rejected_points",
     .option = "--rejected-points",
     .about = "Rejected intersections of rays, with the reason (.csv, .jsonl); needs --rig",
     .check = checkTable,
     .make = makeTable<RejectedPointsTable>},
    {.name = "poses",
     .option = "--poses",
     .about = "Positions and attitudes of --bodies; for suffixes see below; needs --rig",
     .files = filesOfTake,
     .check = checkTake<false>,
     .make = makeTake<PosesTable, false>},
    {.name = "refined_rig",
     .option = "--refine-rig",
     .about = "Rig to write, with cameras corrected that moved or stand wrong; needs --rig\nWrong "
              "places are corrected only with four cameras or more.",
     .check = [](const OutputSpec& spec) { base::checkSuffix(spec.target, "the rig", ".toml"); },
     .make =
         [](const OutputSpec& spec, const OutputContext& context) {
           return one(std::make_unique<RigKeeper>(context.at(spec.target)));
         }},
    {.name = "picture",
     .option = "--picture",
     .about = "Picture of a frame with markers, ids and trails (.png, .jpg)",
     .edits = EditUse::drawing,
     .make =
         [](const OutputSpec& spec, const OutputContext& context) {
           return one(makePicture(
               context.at(spec.target),
               {.frame = spec.options.frame, .end = context.end, .most = context.most}));
         }},
    {.name = "overlay",
     .option = "--overlay",
     .about = "Every frame with markers, ids and trails, as a video (.mp4, .mkv, .avi)",
     .edits = EditUse::drawing,
     .label = "video",
     .words = "every frame with markers, ids and trails",
     .exported = ".seen.mp4",
     .recorded = ".mp4",
     .suffixes =
         [] {
           return Names{".mp4", ".mkv", ".avi"};
         },
     .make =
         [](const OutputSpec& spec, const OutputContext& context) {
           return one(makeOverlay(context.at(spec.target)));
         }},
    {.name = "raw",
     .option = "--record",
     .about = "Record every frame as it came, lossless and with its own time (.mkv)\nSeveral "
              "cameras write FILE_cam0.mkv, FILE_cam1.mkv ... --config FILE takes its settings.",
     .label = "frames",
     .words = "as they come, without loss",
     .recorded = ".raw.mkv",
     .suffixes = [] { return Names{".raw.mkv"}; },
     .files = [](const OutputSpec& spec, size_t cameras) { return rawFiles(spec.target, cameras); },
     .make =
         [](const OutputSpec& spec, const OutputContext& context) {
           checkRaw(spec.target, context.images);
           return one(makeRawRecorder(context.at(spec.target), context.images.size(),
                                      spec.options.preRoll));
         }},
    {.name = "stream",
     .option = "--stream",
     .about = "Send every frame at once to osc:[HOST:]PORT, udp:[HOST:]PORT or -; see below\nudp "
              "sends JSON Lines; - writes them to standard output. May be repeated.",
     .value = "TARGET",
     .repeats = true,
     .handover = Handover::newest,
     .edits = EditUse::rows,
     .files = [](const OutputSpec&, size_t) { return Names(); },
     .make =
         [](const OutputSpec& spec, const OutputContext& context) {
           return one(makeStream(spec.target, {.remote = spec.options.remote,
                                               .space = context.space,
                                               .up = spec.options.take.up}));
         }},
}};

}  // namespace

std::string runRecordPath(const std::string& tracksPath) {
  return std::filesystem::path(tracksPath).replace_extension(".json").string();
}

std::span<const OutputKind> outputKinds() {
  return kKinds;
}

const OutputKind& outputKind(std::string_view name) {
  for (const OutputKind& kind : kKinds)
    if (kind.name == name) return kind;
  throw Error("there is no output '" + std::string(name) + "'");
}

}  // namespace glint::output
