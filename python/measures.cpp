#include "python/measures.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/board_finder.h"
#include "app/motion/calibrate/board_solve.h"
#include "app/motion/calibrate/placing.h"
#include "app/motion/calibrate/points_table.h"
#include "app/motion/calibrate/solve.h"
#include "app/motion/rig/rig_file.h"
#include "app/motion/space/table_sets.h"
#include "app/session/set_frames.h"
#include "app/study/boards/board_reader.h"
#include "app/study/opening/opening.h"
#include "config/error.h"
#include "python/devices.h"

namespace glint::python {
namespace {

template <class Value, size_t size>
using Words = std::array<std::pair<const char*, Value>, size>;

constexpr Words<gpu::Metric, 4> kMetrics{{{"euclidean", gpu::Metric::euclidean},
                                          {"chamfer345", gpu::Metric::chamfer345},
                                          {"chessboard", gpu::Metric::chessboard},
                                          {"cityblock", gpu::Metric::cityblock}}};
constexpr Words<study::DistanceSide, 3> kSides{{{"outside", study::DistanceSide::outside},
                                                {"inside", study::DistanceSide::inside},
                                                {"signed", study::DistanceSide::both}}};
constexpr Words<study::DistanceForm, 3> kForms{{{"float", study::DistanceForm::floats},
                                                {"integer", study::DistanceForm::integers},
                                                {"scaled", study::DistanceForm::scaled}}};
constexpr Words<motion::LensTerms, 4> kTerms{{{"none", motion::LensTerms::none},
                                              {"k1", motion::LensTerms::k1},
                                              {"k1k2", motion::LensTerms::k1k2},
                                              {"full", motion::LensTerms::full}}};

/// Returns the value that stands for the word `given`. Throws UsageError, which lists all words, if
/// there is none.
template <class Value, size_t size>
Value meaningOf(const Words<Value, size>& words, const std::string& what,
                const std::string& given) {
  std::string all;
  for (const auto& [word, value] : words) {
    if (given == word) return value;
    all += fmt::format("{}'{}'", all.empty() ? "" : ", ", word);
  }
  throw UsageError(fmt::format("{}: '{}' is none of {}", what, given, all));
}

constexpr const char* kTables = "tables";

motion::PointTable tableOf(const PointColumns& columns) {
  motion::PointTable table{.rows = {},
                           .timed = !columns.time.empty(),
                           .sigmasKnown = !columns.sigmaX.empty(),
                           .setsKnown = !columns.set.empty()};
  for (size_t i = 0; i < columns.camera.size(); ++i) {
    motion::PointRow row;
    if (columns.camera[i] < 0 || columns.camera[i] >= static_cast<int64_t>(motion::kMostCameras))
      throw UsageError(fmt::format("{}: 'camera' cannot be {}; cameras are numbered from 0 to {}",
                                   kTables, columns.camera[i], motion::kMostCameras - 1));
    row.camera = static_cast<size_t>(columns.camera[i]);
    row.frame = static_cast<long>(columns.frame[i]);
    if (table.setsKnown) row.set = static_cast<long>(columns.set[i]);
    row.line = i;
    row.dot = {{columns.x[i], columns.y[i]}, {1, 1}};
    if (table.timed) row.time = columns.time[i];
    if (table.sigmasKnown) row.dot.sigma = {columns.sigmaX[i], columns.sigmaY[i]};
    if (!row.dot.at.allFinite() || !std::isfinite(row.time) || !row.dot.sigma.allFinite() ||
        row.dot.sigma.minCoeff() < 0)
      throw UsageError(
          fmt::format("{}: row {} has a number that is not finite, or a standard deviation below 0",
                      kTables, i));
    if (table.sigmasKnown) row.dot.sigma = row.dot.sigma.cwiseMax(motion::kLeastSigma);
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

DistanceArrays distancesOf(const study::VolumeData& volume, const DistanceRequest& request,
                           const gpu::VolumeProgress& progress) {
  gpu::DistanceOptions options;
  options.metric = meaningOf(kMetrics, "metric", request.metric);
  options.nearest = request.nearest;
  if (options.metric == gpu::Metric::euclidean) options.spacing = volume.spacing;
  const study::DistanceSide side = meaningOf(kSides, "side", request.side);
  const bool floats = request.form.empty() && options.metric == gpu::Metric::euclidean;
  const study::DistanceForm form = floats                 ? study::DistanceForm::floats
                                   : request.form.empty() ? study::DistanceForm::integers
                                                          : meaningOf(kForms, "form", request.form);
  gpu::checkDistance(volume.shape, options);
  study::typeOfMap(form, side, options);
  const study::Features features = study::findFeatures(volume, request.rule);
  const auto device = keptDevice(request.device);
  const study::DistanceMap map =
      study::mapDistances(*device, volume, features, side, options, progress);
  DistanceArrays arrays{
      .distances = study::toVolume(map, form, volume), .nearest = {}, .nans = features.nans};
  if (request.nearest) arrays.nearest = study::nearestVolume(map, volume);
  return arrays;
}

std::vector<motion::Sample> samplesOf(const SampleColumns& columns, const std::string& what,
                                      const std::string& id) {
  const auto refuse = [&](const std::string& column, auto value) {
    throw UsageError(fmt::format("{}: '{}' cannot be {}", what, column, value));
  };
  std::vector<motion::Sample> samples;
  for (size_t i = 0; i < columns.camera.size(); ++i) {
    if (!std::in_range<uint16_t>(columns.camera[i])) refuse("camera", columns.camera[i]);
    if (!std::in_range<uint32_t>(columns.frame[i])) refuse("frame", columns.frame[i]);
    if (columns.id[i] < 0) refuse(id, columns.id[i]);
    if (!std::isfinite(columns.x[i])) refuse("x", columns.x[i]);
    if (!std::isfinite(columns.y[i])) refuse("y", columns.y[i]);
    samples.push_back({.x = columns.x[i],
                       .y = columns.y[i],
                       .id = static_cast<uint64_t>(columns.id[i]),
                       .frame = static_cast<uint32_t>(columns.frame[i]),
                       .camera = static_cast<uint16_t>(columns.camera[i]),
                       .visible = columns.visible.empty() || columns.visible[i] != 0});
  }
  try {
    return motion::sorted(std::move(samples), what, id);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

namespace {

motion::CalibrationOptions optionsOf(const CalibrationArguments& request) {
  motion::CalibrationOptions options;
  if (!request.wand.empty()) options.target = motion::parseWand(request.wand);
  options.target.isBoard = !request.board.empty();
  options.terms = meaningOf(kTerms, "lens", request.lens);
  options.base = request.distance;
  options.fixIntrinsics = request.fix;
  return options;
}

motion::Rig givenRig(const CalibrationArguments& request) {
  return request.intrinsics.empty() ? motion::Rig{}
                                    : motion::readRigText(request.intrinsics, "intrinsics").rig;
}

void takeLenses(motion::CalibrationOptions& options, const motion::Rig& given,
                const std::vector<motion::FrameExtent>& sizes) {
  for (size_t i = 0; i < given.cameras.size(); ++i) {
    const motion::RigCamera& camera = given.cameras[i];
    if (given.cameras.size() != sizes.size() || camera.width != sizes[i].width ||
        camera.height != sizes[i].height)
      throw UsageError("intrinsics: its cameras are not those of the recording");
    if (camera.lens.fisheye)
      throw UsageError(
          "intrinsics: a camera has a fisheye lens, and calibration fits other lenses only");
    options.intrinsics.push_back(camera.lens);
  }
}

std::string methodOf(const CalibrationArguments& request) {
  if (!request.board.empty()) return fmt::format("a {} in images", request.board);
  return request.wand.empty()
             ? "one light moved through the volume"
             : fmt::format("a wand of {} mm moved through the volume", request.wand);
}

CalibrationTexts textsOf(const motion::Calibration& found, const motion::LightRecording& recording,
                         const motion::CalibrationOptions& options,
                         const CalibrationArguments& request) {
  motion::RigFile file{found.rig, found.scaled ? "mm" : "arbitrary",
                       fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                       methodOf(request), found.heldOut.mean};
  if (recording.timed)
    for (const auto& [camera, seconds] : request.offsets)
      if (camera < file.rig.cameras.size()) file.rig.cameras[camera].timeOffset += seconds;
  return {.rig = motion::rigText(file),
          .account = motion::accountText(found, recording, options),
          .record = motion::accountJson(found, recording, options)};
}

}  // namespace

CalibrationTexts calibrationOf(const PointColumns& columns, const CalibrationArguments& request) {
  const motion::PointTable table = tableOf(columns);
  const motion::Rig given = givenRig(request);
  std::vector<motion::FrameExtent> sizes = request.sizes;
  if (sizes.empty())
    for (const motion::RigCamera& camera : given.cameras)
      sizes.push_back({camera.width, camera.height});
  if (sizes.empty()) throw UsageError("size: give the images' (width, height), px");
  motion::CalibrationOptions options = optionsOf(request);
  const motion::Placing placing = motion::parsePlacing(request.origin, request.up);
  motion::checkPlacing(placing, options.target);
  const motion::LightRecording recording =
      motion::matchMoments(table, sizes, request.offsets, kTables);
  takeLenses(options, given, recording.sizes);
  const auto known = [&](size_t camera) { return camera < recording.sizes.size(); };
  if (options.base && !(known(options.base->first) && known(options.base->second)))
    throw UsageError(
        fmt::format("distance: there are cameras 0 to {}", recording.sizes.size() - 1));
  motion::Calibration found = motion::calibrate(recording, options);
  const motion::Pose world =
      motion::worldOf(found, recording, options.target, placing,
                      motion::momentOf(table, recording, request.offsets, placing.frame));
  return textsOf(motion::moved(std::move(found), world), recording, options, request);
}

CalibrationTexts boardCalibrationOf(const CalibrationArguments& request,
                                    const capture::Interrupt& interrupt) {
  const motion::Board board = motion::parseBoard(request.board);
  const motion::Rig given = givenRig(request);
  motion::CalibrationOptions options = optionsOf(request);
  const motion::Placing placing = motion::parsePlacing(request.origin, request.up);
  motion::checkPlacing(placing, options.target);
  Settings settings;
  auto sources = study::openSources(request.sources, settings, interrupt);
  for (const auto& source : sources)
    if (source->isLive())
      throw UsageError(
          fmt::format("'{}' is live; `glint calibrate` shows a board to cameras", source->name()));
  motion::BoardViews views(board, study::extentsOf(sources), request.offsets);
  for (size_t c = 0; c < sources.size(); ++c) study::readBoard(*sources[c], c, views, interrupt);
  const motion::BoardRecording boards = views.recording();
  takeLenses(options, given, boards.sizes);
  motion::Calibration found = motion::calibrateBoard(boards, board, options);
  const motion::LightRecording recording = motion::recordingOf(boards);
  const motion::Pose world =
      motion::worldOf(found, recording, options.target, placing, std::nullopt);
  return textsOf(motion::moved(std::move(found), world), recording, options, request);
}

SpaceTables reconstructOf(const PointColumns& columns, const ReconstructRequest& request) {
  const auto rig = rigOf(request.rig);
  const auto bodies = bodiesOf(request.rig);
  motion::TableSets sets({.rig = "rig",
                          .choose = "cameras=[N, ...] chooses cameras of the rig",
                          .rate = "rate",
                          .give = "rate=HZ",
                          .row = "row"},
                         *rig, request.rate);
  sets.add(kTables, tableOf(columns));
  motion::PointTracker tracker(rig, request.settings, false, false, bodies);
  SpaceTables tables;
  session::trackSets(tracker, sets.take(), [&](const motion::FramePtr& frame) {
    tables.points.add(*frame);
    tables.poses.add(*frame);
  });
  return tables;
}

}  // namespace glint::python
