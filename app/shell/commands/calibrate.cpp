#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/base/suffix.h"
#include "app/base/whole_file.h"
#include "app/capture/source/source_kinds.h"
#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/board_finder.h"
#include "app/motion/calibrate/board_solve.h"
#include "app/motion/calibrate/corners_table.h"
#include "app/motion/calibrate/placing.h"
#include "app/motion/calibrate/points_table.h"
#include "app/motion/calibrate/solve.h"
#include "app/motion/rig/rig_file.h"
#include "app/output/report/page.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/calibrate_sources.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/sync_options.h"
#include "config/error.h"

namespace glint::shell {
namespace {

struct CalibrateCommand {
  std::vector<Address> sources;
  SettingOptions settings;
  std::string detections, output, report, board, intrinsics, wand, distance, fix, origin, up;
  std::string lens = "k1k2";
  std::vector<std::string> sizes, offsets;
  SyncOption sync;
  bool point = false;
};

size_t cameraOf(double value, const std::string& text) {
  constexpr double kMost = 64;
  if (!(value >= 0 && value < kMost) || value != std::floor(value))
    throw UsageError("'{}': there is no camera {:g}; cameras are numbered from 0 to 63", text,
                     value);
  return static_cast<size_t>(value);
}

std::vector<motion::FrameExtent> sizesOf(const CalibrateCommand& command,
                                         const motion::Rig& given) {
  std::vector<motion::FrameExtent> sizes = parseSizes(command.sizes);
  if (sizes.empty())
    for (const motion::RigCamera& camera : given.cameras)
      sizes.push_back({camera.width, camera.height});
  if (sizes.empty())
    throw UsageError(
        "--detections needs --size WIDTHxHEIGHT, once for all cameras or once per camera");
  return sizes;
}

std::map<size_t, double> offsetsOf(const CalibrateCommand& command) {
  std::map<size_t, double> offsets;
  for (const std::string& text : command.offsets) {
    const auto two = numbersOf(text, ',', 2);
    if (!two) throw UsageError("--offset {}: write CAMERA,SECONDS, such as 1,0.25", text);
    offsets[cameraOf((*two)[0], "--offset " + text)] = (*two)[1];
  }
  return offsets;
}

void takeLenses(motion::CalibrationOptions& options, const motion::Rig& given,
                const std::vector<motion::FrameExtent>& sizes, const std::string& path) {
  if (given.cameras.empty()) return;
  if (given.cameras.size() != sizes.size())
    throw UsageError("--intrinsics: {} has {} cameras, but the recording has {}", path,
                     given.cameras.size(), sizes.size());
  for (size_t c = 0; c < given.cameras.size(); ++c) {
    const auto [width, height] = sizes[c];
    if (given.cameras[c].width != width || given.cameras[c].height != height)
      throw UsageError("--intrinsics: camera {} of {} has {}x{} pixels, not {}x{}", c, path,
                       given.cameras[c].width, given.cameras[c].height, width, height);
    if (given.cameras[c].lens.fisheye && !options.target.isBoard)
      throw UsageError("--intrinsics: camera {} of {} has a fisheye lens, which needs --board", c,
                       path);
    options.intrinsics.push_back(given.cameras[c].lens);
  }
}

motion::CalibrationOptions optionsOf(const CalibrateCommand& command) {
  static const std::map<std::string, motion::LensTerms> kTerms{
      {"none", motion::LensTerms::none},
      {"k1", motion::LensTerms::k1},
      {"k1k2", motion::LensTerms::k1k2},
      {"full", motion::LensTerms::full},
      {"fisheye", motion::LensTerms::fisheye}};
  motion::CalibrationOptions options;
  const bool board = !command.board.empty();
  if (command.point + !command.wand.empty() + board != 1)
    throw UsageError("say what was moved: --point for one light, --wand MM, or --board BOARD");
  if (!command.wand.empty()) options.target = motion::parseWand(command.wand);
  options.target.isBoard = board;
  options.terms = kTerms.at(command.lens);
  if (options.terms == motion::LensTerms::fisheye && !board)
    throw UsageError("--lens fisheye needs --board, because lights do not determine such a lens");
  options.fixIntrinsics = !command.fix.empty();
  if (options.fixIntrinsics && command.intrinsics.empty())
    throw UsageError("--fix intrinsics needs --intrinsics FILE");
  if (command.distance.empty()) return options;
  if (!command.point) throw UsageError("--distance is for --point; a wand has its own length");
  const auto three = numbersOf(command.distance, ',', 3);
  const std::string what = "--distance " + command.distance;
  if (!three || !((*three)[2] > 0) || (*three)[0] == (*three)[1])
    throw UsageError(what + ": write CAMERA,CAMERA,MM, such as 0,1,2500");
  options.base =
      motion::BaseLine{cameraOf((*three)[0], what), cameraOf((*three)[1], what), (*three)[2]};
  return options;
}

std::string methodOf(const CalibrateCommand& command) {
  if (!command.board.empty()) return fmt::format("a {} in images", command.board);
  return command.point ? "one light moved through the volume"
                       : fmt::format("a wand of {} mm moved through the volume", command.wand);
}

/// Returns the settings for the sources, one camera each.
Settings settingsOf(const CalibrateCommand& command) {
  std::vector<std::string> ids;
  for (const Address& source : command.sources) ids.push_back(capture::cameraId(source.shown()));
  Settings settings = command.settings.settingsOf(ids);
  placeCameras(settings, ids);
  return settings;
}

/// The points that were seen, from a table or from sources.
struct Seen {
  motion::PointTable table;
  std::vector<motion::FrameExtent> sizes;
  std::string name;                            ///< name of the table or the sources, for messages
  std::vector<std::string> orientations = {};  ///< see RigFile::orientations
};

/// Returns the name of the file beside the rig that keeps what cameras, streams or pipes saw, or an
/// empty name if none is written.
std::string keptFile(const CalibrateCommand& command) {
  if (command.sources.empty() || base::isDevice(command.output) ||
      base::standardStream(command.output))
    return "";
  return std::filesystem::path(command.output)
      .replace_extension(command.board.empty() ? ".points.csv" : ".corners.csv")
      .string();
}

/// Writes what cameras, streams or pipes saw, and says how to compute from it again. Called before
/// anything is computed, so that nobody has to wave again, whatever fails or is stopped afterwards.
/// A file that cannot be written is a warning, because the calibration can still succeed.
void keep(const CalibrateCommand& command, const std::string& text,
          const std::vector<motion::FrameExtent>& sizes, std::FILE* words) {
  const std::string file = keptFile(command);
  if (file.empty()) return;
  try {
    base::writeWholeFile(file, text);
  } catch (const Error& error) {
    base::warn("what was seen is not kept: {}", error.what());
    return;
  }
  std::string again = fmt::format("--detections {}", file);
  for (const auto& [width, height] : sizes) again += fmt::format(" --size {}x{}", width, height);
  printText(words, "what was seen -> {}; it can be computed again with {}\n", file, again);
  std::fflush(words);
}

Seen seenBy(const CalibrateCommand& command, const motion::Rig& given, std::FILE* words) {
  if (command.sources.empty())
    return {motion::readPoints(command.detections), sizesOf(command, given), command.detections};
  auto [table, sizes, orientations, once, failure] =
      pointsOfSources(command.sources, settingsOf(command), words);
  if (once) keep(command, pointsText(table), sizes, words);
  if (failure) std::rethrow_exception(failure);
  return {std::move(table), std::move(sizes), "the recording", std::move(orientations)};
}

/// Sets `orientations` if the board was seen in recordings: see RigFile::orientations.
motion::BoardRecording boardsSeenBy(const CalibrateCommand& command, const motion::Board& board,
                                    const motion::Rig& given, std::FILE* words,
                                    std::vector<std::string>& orientations) {
  const auto offsets = offsetsOf(command);
  if (command.sources.empty()) {
    const auto sizes = sizesOf(command, given);
    return motion::matchViews(motion::readCorners(command.detections, board, sizes), offsets);
  }
  const SeenBoards seen =
      boardsOfSources(command.sources, settingsOf(command), board, offsets, words);
  if (seen.once) {
    const auto cameras = seen.views.seen();
    std::vector<motion::FrameExtent> sizes;
    for (const motion::CameraViews& camera : cameras) sizes.push_back(camera.size);
    keep(command, motion::cornersText(cameras), sizes, words);
  }
  if (seen.failure) std::rethrow_exception(seen.failure);
  orientations = seen.orientations;
  return seen.views.recording();
}

/// Checks the inputs, and returns the files that will be read.
std::vector<std::string> filesOf(const CalibrateCommand& command) {
  if (command.sources.empty() == command.detections.empty())
    throw UsageError("name sources, or a table of points or corners (--detections FILE)");
  std::vector<std::string> files{command.detections, command.intrinsics, command.sync.file()};
  if (command.sources.empty()) return files;
  if (!command.sizes.empty())
    throw UsageError("--size is for --detections; sources have their own");
  const auto more =
      output::filesRead(command.sources, command.settings.settings(), command.settings.config());
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

/// The calibration, and the recording in which it was found.
struct Solved {
  motion::Calibration found;
  motion::LightRecording recording;
  std::vector<std::string> orientations;  ///< see RigFile::orientations
};

/// Sets the times of what was seen as --sync says, and prints how to name the sources so that other
/// commands do the same.
void putOnOneClock(const CalibrateCommand& command, Seen& seen, const motion::Target& target,
                   std::FILE* words) {
  const auto sizes = motion::sizesOfAll(seen.table, seen.sizes);
  const auto clocks = clocksFor(command.sync, seen.table, sizes, nullptr, target, words);
  if (!clocks) return;
  setClocks(seen.table, *clocks);
  printText(words, "{}", sourcesOnOneClock(command.sources, *clocks));
}

Solved solveLights(const CalibrateCommand& command, motion::CalibrationOptions& options,
                   const motion::Placing& placing, std::FILE* words) {
  const motion::Rig given =
      command.intrinsics.empty() ? motion::Rig{} : motion::readRig(command.intrinsics).rig;
  Seen seen = seenBy(command, given, words);
  const auto offsets = offsetsOf(command);
  putOnOneClock(command, seen, options.target, words);
  motion::LightRecording recording =
      motion::matchMoments(seen.table, seen.sizes, offsets, seen.name);
  takeLenses(options, given, recording.sizes, command.intrinsics);
  if (options.base && std::max(options.base->first, options.base->second) >= recording.sizes.size())
    throw UsageError("--distance {}: there are cameras 0 to {}", command.distance,
                     recording.sizes.size() - 1);
  motion::Calibration found = motion::calibrate(recording, options);
  const motion::Pose world =
      motion::worldOf(found, recording, options.target, placing,
                      motion::momentOf(seen.table, recording, offsets, placing.frame));
  return {motion::moved(std::move(found), world), std::move(recording), seen.orientations};
}

Solved solveBoards(const CalibrateCommand& command, motion::CalibrationOptions& options,
                   const motion::Placing& placing, std::FILE* words) {
  const motion::Board board = motion::parseBoard(command.board);
  const motion::Rig given =
      command.intrinsics.empty() ? motion::Rig{} : motion::readRig(command.intrinsics).rig;
  std::vector<std::string> orientations;
  const motion::BoardRecording boards = boardsSeenBy(command, board, given, words, orientations);
  takeLenses(options, given, boards.sizes, command.intrinsics);
  motion::Calibration found = motion::calibrateBoard(boards, board, options);
  motion::LightRecording recording = motion::recordingOf(boards);
  const motion::Pose world =
      motion::worldOf(found, recording, options.target, placing, std::nullopt);
  return {motion::moved(std::move(found), world), std::move(recording), std::move(orientations)};
}

void run(const CalibrateCommand& command) {
  motion::CalibrationOptions options = optionsOf(command);
  const motion::Placing placing = motion::parsePlacing(command.origin, command.up);
  motion::checkPlacing(placing, options.target);
  const std::string record =
      std::filesystem::path(command.output).replace_extension(".json").string();
  if (!command.sync.value.empty() && options.target.isBoard)
    throw UsageError(
        "--sync finds clocks from lights that move, and --board shows none: give ?offset=SECONDS "
        "with each source");
  if (!command.sync.value.empty() && !command.offsets.empty())
    throw UsageError("--sync and --offset exclude each other");
  output::RunFiles files(filesOf(command));
  if (base::sameFile(command.output, record))
    throw UsageError(
        "'{}': the record beside the rig would have this name; use one that ends in .toml", record);
  const bool recorded = !base::isDevice(command.output) && !base::standardStream(command.output);
  files.write(std::vector{command.output, command.report});
  if (recorded) files.writeBeside(record);
  files.write(keptFile(command));
  base::checkSuffix(command.output, "the rig", ".toml");
  base::checkSuffix(command.report, "the report", ".html");
  if (!options.target.isBoard && command.sources.size() == 1)
    throw UsageError(
        "'{}' is one camera, but two or more must see a light or a wand; use --board to calibrate "
        "one alone",
        command.sources.front().shown());
  const auto [found, recording, orientations] =
      options.target.isBoard ? solveBoards(command, options, placing, files.words())
                             : solveLights(command, options, placing, files.words());
  motion::RigFile file{found.rig, found.scaled ? "mm" : "arbitrary",
                       fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                       methodOf(command), found.heldOut.mean};
  file.orientations = orientations;
  // Adds the offsets of the command line, because the calibration saw times that contain them, and
  // found only what is left.
  if (recording.timed)
    for (const auto& [camera, seconds] : offsetsOf(command))
      if (camera < file.rig.cameras.size()) file.rig.cameras[camera].timeOffset += seconds;
  const std::string account = motion::accountJson(found, recording, options);
  // First, so that a full disk costs the files alone.
  printText(files.words(), "{}", motion::accountText(found, recording, options));
  motion::writeRig(command.output, file);
  if (!command.report.empty()) {
    const std::string name = std::filesystem::path(command.output).filename().string();
    const std::string page = output::report::makeRigPage(found, recording, options, name);
    base::writeWholeFile(command.report, page);
  }
  if (!recorded) return;
  base::writeWholeFile(record, account);
  printText(files.words(), "-> {}, {}\n", command.output, record);
}

}  // namespace

void addCalibrateCommand(CLI::App& app) {
  const auto options = std::make_shared<CalibrateCommand>();
  CLI::App* command = app.add_subcommand(
      "calibrate", "Calibrate cameras and lenses from a wand, a light or a board that all saw");
  addSources(*command, options->sources,
             "Cameras or recordings, one a camera, in which lights are to be found\n" +
                 capture::sourceHelp(true) + ". Live ones end with Ctrl-C.");
  addFile(
      *command, "--detections", options->detections,
      "Instead: table of 2D points, detections.csv or tracks.csv of `glint track`\nIt needs "
      "the columns camera, frame, x and y; time_s, sigma_x and sigma_y are used if present. With "
      "--board: the table of corners that a live calibration keeps.");
  addValue(*command, "--size", options->sizes,
           "Image size of a table, px: once for all cameras, or once per camera in order",
           "WIDTHxHEIGHT")
      ->allow_extra_args(false);
  addFile(*command, "-o,--output", options->output,
          "Rig to write (TOML); a record (JSON) goes beside it")
      ->required();
  addFile(*command, "--report", options->report,
          "Page to write: coverage, residuals, lengths, and errors over the volume (HTML)");
  auto* point = command->add_flag("--point", options->point, "A single light was moved");
  addValue(*command, "--wand", options->wand,
           "A wand was moved: mm between its two lights, or A,B for three on a line", "MM|A,B")
      ->excludes(point);
  addValue(*command, "--board", options->board,
           "A printed board was shown: a chessboard or a ChArUco board\n"
           "chessboard:9x6:25mm: inner corners, side of a square. "
           "charuco:5x7:40mm:30mm:DICT_4X4_50: squares, sides of squares and of markers, "
           "OpenCV's dictionary.",
           "BOARD");
  addValue(*command, "--distance", options->distance,
           "With --point: distance between two cameras, mm, such as 0,1,2500", "CAM,CAM,MM");
  addValue(*command, "--offset", options->offsets,
           "Seconds to add to the times of a camera that began later, such as 1,0.25",
           "CAM,SECONDS")
      ->allow_extra_args(false);
  options->sync.addTo(*command);
  command
      ->add_option("--lens", options->lens,
                   "Distortion terms to find; full adds k3\nfisheye: k1 to k4 of a fisheye lens; "
                   "only with --board")
      ->capture_default_str()
      ->check(CLI::IsMember(std::vector<std::string>{"none", "k1", "k1k2", "full", "fisheye"}));
  addFile(*command, "--intrinsics", options->intrinsics, "Rig whose lenses are the starting point");
  command->add_option("--fix", options->fix, "Keep these as given")
      ->check(CLI::IsMember(std::vector<std::string>{"intrinsics"}));
  addValue(*command, "--origin", options->origin,
           "Origin of space: camera (the first), wand, board or markers:FRAME [camera]\nwand: a "
           "wand of three that lies still in the last second, x along it. markers: three "
           "at a right angle in that frame, x along the longer side.",
           "WHERE");
  addValue(*command, "--up", options->up, "Axis that points up [z; of a camera as it stands]",
           "z|y");
  options->settings.addTo(*command);
  options->settings.addRegions(*command);
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
