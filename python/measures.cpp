#include "python/measures.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/boards/board_reader.h"
#include "app/calibrate/account.h"
#include "app/calibrate/board_finder.h"
#include "app/calibrate/board_solve.h"
#include "app/calibrate/placing.h"
#include "app/calibrate/points_table.h"
#include "app/calibrate/solve.h"
#include "app/opening/opening.h"
#include "app/rig/rig_file.h"
#include "app/session/set_frames.h"
#include "app/space/table_sets.h"
#include "config/error.h"
#include "python/devices.h"

namespace glint {
namespace {

template <class Value, size_t size>
using Words = std::array<std::pair<const char*, Value>, size>;

constexpr Words<Metric, 4> kMetrics{{{"euclidean", Metric::euclidean},
                                     {"chamfer345", Metric::chamfer345},
                                     {"chessboard", Metric::chessboard},
                                     {"cityblock", Metric::cityblock}}};
constexpr Words<DistanceSide, 3> kSides{{{"outside", DistanceSide::outside},
                                         {"inside", DistanceSide::inside},
                                         {"signed", DistanceSide::both}}};
constexpr Words<DistanceForm, 3> kForms{{{"float", DistanceForm::floats},
                                         {"integer", DistanceForm::integers},
                                         {"scaled", DistanceForm::scaled}}};
constexpr Words<LensTerms, 4> kTerms{{{"none", LensTerms::none},
                                      {"k1", LensTerms::k1},
                                      {"k1k2", LensTerms::k1k2},
                                      {"full", LensTerms::full}}};

/// What a word means. Throws UsageError naming them all.
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

PointTable tableOf(const PointColumns& columns) {
  PointTable table{.rows = {},
                   .timed = !columns.time.empty(),
                   .sigmasKnown = !columns.sigmaX.empty(),
                   .setsKnown = !columns.set.empty()};
  for (size_t i = 0; i < columns.camera.size(); ++i) {
    PointRow row;
    if (columns.camera[i] < 0 || columns.camera[i] >= static_cast<int64_t>(kMostCameras))
      throw UsageError(fmt::format("{}: 'camera' cannot be {}; cameras are numbered from 0 to {}",
                                   kTables, columns.camera[i], kMostCameras - 1));
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
    if (table.sigmasKnown) row.dot.sigma = row.dot.sigma.cwiseMax(kLeastSigma);
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

DistanceArrays distancesOf(const VolumeData& volume, const DistanceRequest& request,
                           const VolumeProgress& progress) {
  DistanceOptions options;
  options.metric = meaningOf(kMetrics, "metric", request.metric);
  options.nearest = request.nearest;
  if (options.metric == Metric::euclidean) options.spacing = volume.spacing;
  const DistanceSide side = meaningOf(kSides, "side", request.side);
  const bool floats = request.form.empty() && options.metric == Metric::euclidean;
  const DistanceForm form = floats                 ? DistanceForm::floats
                            : request.form.empty() ? DistanceForm::integers
                                                   : meaningOf(kForms, "form", request.form);
  checkDistance(volume.shape, options);
  typeOfMap(form, side, options);
  const Features features = findFeatures(volume, request.rule);
  const auto device = keptDevice(request.device);
  const DistanceMap map = mapDistances(*device, volume, features, side, options, progress);
  DistanceArrays arrays{
      .distances = toVolume(map, form, volume), .nearest = {}, .nans = features.nans};
  if (request.nearest) arrays.nearest = nearestVolume(map, volume);
  return arrays;
}

std::vector<Sample> samplesOf(const SampleColumns& columns, const std::string& what,
                              const std::string& id) {
  const auto refuse = [&](const std::string& column, auto value) {
    throw UsageError(fmt::format("{}: '{}' cannot be {}", what, column, value));
  };
  std::vector<Sample> samples;
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
    return sorted(std::move(samples), what, id);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

namespace {

CalibrationOptions optionsOf(const CalibrationArguments& request) {
  CalibrationOptions options;
  if (!request.wand.empty()) options.target = parseWand(request.wand);
  options.target.isBoard = !request.board.empty();
  options.terms = meaningOf(kTerms, "lens", request.lens);
  options.base = request.distance;
  options.fixIntrinsics = request.fix;
  return options;
}

Rig givenRig(const CalibrationArguments& request) {
  return request.intrinsics.empty() ? Rig{} : readRigText(request.intrinsics, "intrinsics").rig;
}

void takeLenses(CalibrationOptions& options, const Rig& given,
                const std::vector<FrameExtent>& sizes) {
  for (size_t i = 0; i < given.cameras.size(); ++i) {
    const RigCamera& camera = given.cameras[i];
    if (given.cameras.size() != sizes.size() || camera.width != sizes[i].width ||
        camera.height != sizes[i].height)
      throw UsageError("intrinsics: its cameras are not those of the recording");
    options.intrinsics.push_back(camera.lens);
  }
}

std::string methodOf(const CalibrationArguments& request) {
  if (!request.board.empty()) return fmt::format("a {} in images", request.board);
  return request.wand.empty()
             ? "one light moved through the volume"
             : fmt::format("a wand of {} mm moved through the volume", request.wand);
}

CalibrationTexts textsOf(const Calibration& found, const LightRecording& recording,
                         const CalibrationOptions& options, const CalibrationArguments& request) {
  RigFile file{found.rig, found.scaled ? "mm" : "arbitrary",
               fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))), methodOf(request),
               found.heldOut.mean};
  if (recording.timed)
    for (const auto& [camera, seconds] : request.offsets)
      if (camera < file.rig.cameras.size()) file.rig.cameras[camera].timeOffset += seconds;
  return {.rig = rigText(file),
          .account = accountText(found, recording, options),
          .record = accountJson(found, recording, options)};
}

}  // namespace

CalibrationTexts calibrationOf(const PointColumns& columns, const CalibrationArguments& request) {
  const PointTable table = tableOf(columns);
  const Rig given = givenRig(request);
  std::vector<FrameExtent> sizes = request.sizes;
  if (sizes.empty())
    for (const RigCamera& camera : given.cameras) sizes.push_back({camera.width, camera.height});
  if (sizes.empty()) throw UsageError("size: give the images' (width, height), px");
  CalibrationOptions options = optionsOf(request);
  const Placing placing = parsePlacing(request.origin, request.up);
  checkPlacing(placing, options.target);
  const LightRecording recording = matchMoments(table, sizes, request.offsets, kTables);
  takeLenses(options, given, recording.sizes);
  const auto known = [&](size_t camera) { return camera < recording.sizes.size(); };
  if (options.base && !(known(options.base->first) && known(options.base->second)))
    throw UsageError(
        fmt::format("distance: there are cameras 0 to {}", recording.sizes.size() - 1));
  Calibration found = calibrate(recording, options);
  const Pose world = worldOf(found, recording, options.target, placing,
                             momentOf(table, recording, request.offsets, placing.frame));
  return textsOf(moved(std::move(found), world), recording, options, request);
}

CalibrationTexts boardCalibrationOf(const CalibrationArguments& request,
                                    const Interrupt& interrupt) {
  const Board board = parseBoard(request.board);
  const Rig given = givenRig(request);
  CalibrationOptions options = optionsOf(request);
  const Placing placing = parsePlacing(request.origin, request.up);
  checkPlacing(placing, options.target);
  Settings settings;
  auto sources = openSources(request.sources, settings, interrupt);
  for (const auto& source : sources)
    if (source->isLive())
      throw UsageError(
          fmt::format("'{}' is live; `glint calibrate` shows a board to cameras", source->name()));
  BoardViews views(board, extentsOf(sources), request.offsets);
  for (size_t c = 0; c < sources.size(); ++c) readBoard(*sources[c], c, views, interrupt);
  const BoardRecording boards = views.recording();
  takeLenses(options, given, boards.sizes);
  Calibration found = calibrateBoard(boards, board, options);
  const LightRecording recording = recordingOf(boards);
  const Pose world = worldOf(found, recording, options.target, placing, std::nullopt);
  return textsOf(moved(std::move(found), world), recording, options, request);
}

SpaceTables reconstructOf(const PointColumns& columns, const ReconstructRequest& request) {
  const auto rig = rigOf(request.rig);
  const auto bodies = bodiesOf(request.rig);
  TableSets sets({.rig = "rig",
                  .choose = "cameras=[N, ...] chooses cameras of the rig",
                  .rate = "rate",
                  .give = "rate=HZ",
                  .row = "row"},
                 *rig, request.rate);
  sets.add(kTables, tableOf(columns));
  PointTracker tracker(rig, request.settings, false, false, bodies);
  SpaceTables tables;
  trackSets(tracker, sets.take(), [&](const FramePtr& frame) {
    tables.points.add(*frame);
    tables.poses.add(*frame);
  });
  return tables;
}

}  // namespace glint
