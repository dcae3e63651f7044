#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/base/suffix.h"
#include "app/base/whole_file.h"
#include "app/capture/source/source_kinds.h"
#include "app/motion/rig/rig_file.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/calibrate_sources.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/sync_options.h"
#include "config/error.h"

namespace glint::shell {
namespace {

struct SyncCommand {
  std::vector<Address> sources;
  SettingOptions settings;
  std::vector<std::string> detections, sizes;
  std::string rig, wand, output;
};

/// Reads tables of points. If there are several, table N holds camera N.
motion::PointTable joinedTable(const std::vector<std::string>& files) {
  motion::PointTable all{.rows = {}, .timed = true, .sigmasKnown = true};
  for (size_t t = 0; t < files.size(); ++t) {
    motion::PointTable table = motion::readPoints(files[t]);
    if (!table.timed) throw Error("'{}' has no times (time_s)", files[t]);
    for (motion::PointRow& row : table.rows) {
      if (files.size() > 1) row.camera = t;
      all.rows.push_back(row);
    }
  }
  if (all.rows.empty()) throw Error("'{}' has no measured points", files.front());
  return all;
}

SeenPoints seenBy(const SyncCommand& command, const motion::Rig& rig, std::FILE* words) {
  if (command.sources.empty()) {
    std::vector<motion::FrameExtent> sizes = parseSizes(command.sizes);
    if (sizes.empty())
      for (const motion::RigCamera& camera : rig.cameras)
        sizes.push_back({camera.width, camera.height});
    if (sizes.empty())
      throw UsageError(
          "--detections needs --size WIDTHxHEIGHT, once for all cameras or once per camera");
    SeenPoints seen{.table = joinedTable(command.detections), .sizes = {}, .orientations = {}};
    seen.sizes = motion::sizesOfAll(seen.table, std::move(sizes));
    return seen;
  }
  Settings settings = command.settings.settings();
  SeenPoints seen = pointsOfSources(command.sources, std::move(settings), words);
  if (seen.failure) std::rethrow_exception(seen.failure);
  return seen;
}

/// Checks the inputs, and returns the files that will be read.
std::vector<std::string> checkedFiles(const SyncCommand& command) {
  if (command.sources.empty() == command.detections.empty())
    throw UsageError("name sources, or tables of points (--detections FILE...)");
  if (command.sources.size() == 1)
    throw UsageError("'{}' is one recording, but clocks are compared between two or more",
                     command.sources.front().shown());
  if (!command.sources.empty() && !command.sizes.empty())
    throw UsageError("--size is for --detections; sources have their own");
  for (const Address& source : command.sources) {
    using Sort = capture::SourceKind::Sort;
    const Sort sort = capture::sourceKindOf(source.shown()).sort;
    if (sort == Sort::camera || sort == Sort::stream)
      throw UsageError("'{}' is live, and live cameras have one clock already", source.shown());
  }
  std::vector<std::string> files = command.detections;
  files.push_back(command.rig);
  const auto more =
      output::filesRead(command.sources, command.settings.settings(), command.settings.config());
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

void run(const SyncCommand& command) {
  output::RunFiles files(checkedFiles(command));
  files.write(command.output);
  base::checkSuffix(command.output, "the table of clocks", ".csv");
  const motion::Rig rig = command.rig.empty() ? motion::Rig{} : motion::readRig(command.rig).rig;
  std::optional<motion::Target> target;
  if (!command.wand.empty()) target = motion::parseWand(command.wand);
  const SeenPoints seen = seenBy(command, rig, files.words());
  if (!command.rig.empty() && rig.cameras.size() != seen.sizes.size())
    throw UsageError("{} has {} cameras, but there are {}", command.rig, rig.cameras.size(),
                     seen.sizes.size());
  if (seen.sizes.size() < 2)
    throw UsageError("there is one camera, but clocks are compared between two or more");
  const auto clocks =
      motion::findClocks(seen.table, seen.sizes, command.rig.empty() ? nullptr : &rig, target);
  printText(files.words(), "{}{}", clocksSummary(clocks),
            sourcesOnOneClock(command.sources, clocks));
  if (command.output.empty()) return;
  base::writeWholeFile(command.output, clocksText(clocks));
  printText(files.words(), "-> {}\n", command.output);
}

}  // namespace

void addSyncCommand(CLI::App& app) {
  const auto options = std::make_shared<SyncCommand>();
  CLI::App* command =
      app.add_subcommand("sync", "Find when each recording began, if they were started separately");
  addSources(*command, options->sources,
             "Recordings, one a camera, of the same moving lights\n" + capture::sourceHelp(false));
  addFile(*command, "--detections", options->detections,
          "Instead: tables of 2D points with times, as `glint track` writes them\nOne table of all "
          "cameras, or one for each camera in their order.");
  addValue(*command, "--size", options->sizes,
           "Image size of the tables, px: once for all cameras, or once per camera in order",
           "WIDTHxHEIGHT")
      ->allow_extra_args(false);
  addFile(*command, "--rig", options->rig,
          "Rig of the cameras; with it, many lights may move, and clocks are more exact");
  addValue(*command, "--wand", options->wand,
           "Without a rig: the wand that was moved, as for `glint calibrate` [guessed]", "MM|A,B");
  addFile(*command, "-o,--output", options->output,
          "Table of clocks to write (.csv), for --sync of calibrate and reconstruct");
  options->settings.addTo(*command);
  options->settings.addRegions(*command);
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
