#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/motion/space/labelled_points.h"
#include "app/motion/space/point_tracker.h"
#include "app/motion/space/space_counts.h"
#include "app/output/catalog/outputs.h"
#include "app/output/sinks/run_files.h"
#include "app/session/set_frames.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "app/shell/commands/space_input.h"
#include "app/shell/commands/space_options.h"
#include "app/shell/commands/tracker_options.h"
#include "config/printable.h"
#include "config/settings.h"

namespace glint::shell {
namespace {

struct ReconstructCommand {
  RigOptions rig;
  SpaceOptions space;
  TrackerOptions tracker;
  std::vector<std::string> detections;
  std::string points, rejected, poses, refined;
  double rate = 0;
  SyncOption sync;
};

uint64_t unlabelled(const std::vector<motion::SpaceSet>& sets) {
  uint64_t count = 0;
  for (const motion::SpaceSet& set : sets)
    for (const motion::SpaceView& view : set.views)
      count += static_cast<uint64_t>(std::ranges::count(view.dots, -1, &motion::SpaceDot::label));
  return count;
}

std::vector<output::OutputSpec> outputsOf(const ReconstructCommand& command) {
  std::vector<output::OutputSpec> outputs{{.kind = "points", .target = command.points}};
  if (!command.rejected.empty())
    outputs.push_back({.kind = "rejected_points", .target = command.rejected});
  if (!command.poses.empty()) outputs.push_back({.kind = "poses", .target = command.poses});
  if (!command.refined.empty())
    outputs.push_back({.kind = "refined_rig", .target = command.refined});
  for (output::OutputSpec& spec : outputs) spec.options.take = command.space.takeOptions();
  return outputs;
}

/// Throws UsageError for options that points with labels do not have.
void checkLabelled(const ReconstructCommand& command) {
  const std::pair<const char*, bool> given[] = {{"--bodies", !command.rig.bodies.empty()},
                                                {"--poses", !command.poses.empty()},
                                                {"--rejected-points", !command.rejected.empty()},
                                                {"--refine-rig", !command.refined.empty()}};
  for (const auto& [option, isGiven] : given)
    if (isGiven)
      throw UsageError("{} is for dots that Glint assigns itself, and '{}' has labels", option,
                       command.detections.front());
}

/// Computes the points of labelled dots, and writes them.
void placeLabels(const ReconstructCommand& command, const ReadSets& read,
                 const std::shared_ptr<const motion::SpaceRig>& rig,
                 const std::vector<std::unique_ptr<output::Sink>>& sinks, std::FILE* words) {
  const motion::LabelledOptions options;
  motion::LabelledPoints points(rig, read.labels, read.sigmasKnown, options);
  motion::SpaceCounts counts;
  const size_t done = session::placeLabels(
      points, read.sets,
      [&](const motion::FramePtr& frame) {
        counts.add(*frame->results.get<motion::SpaceFrame>());
        for (const auto& sink : sinks) sink->accept(frame);
      },
      &stopOnSignal());
  for (const auto& sink : sinks) sink->finish();
  counts.points = points.points();
  const auto leave = [](uint64_t count, const char* what, const char* why) {
    if (count > 0) base::warn("{} {}", counted(count, what), why);
  };
  if (!read.sigmasKnown)
    base::warn(
        "the tables do not say how exact their dots are: {:g} px are assumed (sigma_x, "
        "sigma_y say it)",
        options.sigma);
  leave(unlabelled(read.sets), "dot", "without a label left out");
  leave(points.alone(), "label", "in a frame of one camera alone: no point");
  leave(points.apart(), "label", "in a frame whose rays do not meet: no point");
  leave(points.leftOut(), "ray", "left out that the other rays of its label do not meet");
  printText(
      words, "{}{}{}; {} -> {}\n", counted(done, "set"), read.byTime ? ", made by time" : "",
      done < read.sets.size() ? fmt::format(" (of {}; stopped by a signal)", read.sets.size()) : "",
      motion::spaceText(counts), command.points);
}

void run(const ReconstructCommand& command) {
  std::vector<std::string> read = command.detections;
  read.push_back(command.rig.rig);
  read.push_back(command.rig.bodies);
  read.push_back(command.tracker.config);
  read.push_back(command.sync.file());
  const std::vector<output::OutputSpec> outputs = outputsOf(command);
  output::checkOutputs(outputs, 1, {.read = read});
  output::RunFiles files(read);
  for (const std::string& table : {command.points, command.rejected, command.poses})
    files.writeInPlace(table);
  files.write(command.refined);
  checkPoses(command.rig, !command.poses.empty());
  const Settings settings = command.tracker.settings();
  const auto rig = openRig(command.rig, !command.refined.empty()).rig;
  const auto bodies = openBodies(command.rig);
  const ReadSets read2d =
      readSets(command.detections, command.rig, *rig, command.rate, command.sync, files.words());
  const auto& [sets, byTime, labels, sigmasKnown] = read2d;
  if (!labels.empty()) checkLabelled(command);

  warnOfRig(command.rig, *rig, bodies);
  const auto sinks = output::makeSinks(outputs, output::Handover::waits, {});
  if (!labels.empty()) return placeLabels(command, read2d, rig, sinks, files.words());
  motion::PointTracker tracker(rig, settings.track, false, !command.rejected.empty(), bodies);
  motion::SpaceCounts counts;
  const std::atomic<bool>& stop = stopOnSignal();
  const size_t tracked = session::trackSets(
      tracker, sets,
      [&](const motion::FramePtr& frame) {
        counts.add(*frame->results.get<motion::SpaceFrame>());
        for (const auto& sink : sinks) sink->accept(frame);
      },
      &stop);
  for (const auto& sink : sinks) sink->finish();
  counts.take(tracker);
  printText(files.words(), "{}{}{}; {} -> {}\n{}{}{}", counted(tracked, "set"),
            byTime ? ", made by time" : "",
            tracked < sets.size() ? fmt::format(" (of {}; stopped by a signal)", sets.size()) : "",
            motion::spaceText(counts), command.points, motion::doubtsSummary(counts),
            motion::correctedSummary(counts, command.refined), motion::bodiesSummary(counts));
}

}  // namespace

void addReconstructCommand(CLI::App& app) {
  const auto options = std::make_shared<ReconstructCommand>();
  CLI::App* command =
      app.add_subcommand("reconstruct", "Compute points in space from what several cameras saw");
  options->rig.addTo(*command, true);
  options->space.addTo(*command);
  addFile(*command, "--detections", options->detections,
          "Tables of 2D points, detections.csv or tracks.csv of `glint track`\nOne table "
          "of all cameras, or one for each camera in their order. See `glint calibrate`.\n"
          "Rows with a label make labelled points; so do the CSV and HDF5 of DeepLabCut\n"
          "and SLEAP, one file for each camera.")
      ->required();
  addFile(*command, "--points", options->points,
          "Points to write; the suffix chooses the format, see below")
      ->required();
  addFile(*command, "--rejected-points", options->rejected,
          "Rejected intersections of rays, with the reason (.csv, .jsonl)");
  addFile(*command, "--poses", options->poses,
          "Poses of the bodies to write; the suffix chooses the format, see below");
  addFile(*command, "--refine-rig", options->refined,
          "Rig to write, with cameras corrected that moved or stand wrong\nWrong places are "
          "corrected only with four cameras or more.");
  addValue(*command, "--rate", options->rate, "Frames a second of tables without times (time_s)",
           "HZ", numberIn(1e-6, 1e6));
  options->sync.addTo(*command);
  options->tracker.addTo(*command, "points");
  command->footer("Formats of points and poses and their suffixes:\n" +
                  output::describeTakeFormats());
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
