#include "app/output/report/run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "app/base/csv_reader.h"
#include "app/base/paths.h"
#include "app/output/catalog/outputs.h"
#include "config/error.h"
#include "shared/limits.h"

namespace glint::output::report {
namespace {

uint16_t cameraOf(const base::CsvReader& csv, size_t column) {
  const auto camera = csv.value<uint16_t>(column);
  if (camera >= shared::kMaxLayers) csv.refuse(column);
  return camera;
}

// Returns a number whose size is plausible, so that charts of its range can be made. Throws
// otherwise.
double bounded(const base::CsvReader& csv, size_t column, double most) {
  const auto value = csv.value<double>(column);
  if (std::abs(value) > most) csv.refuse(column);
  return value;
}

constexpr double kFarthest = 1e6, kLatest = 1e10;  // px and s, limits that allow charts to be made

/// Throws Error if the file holds points in space. The columns of a pipe are not checked before,
/// because it can be read only once.
void refuseSpace(const std::string& path) {
  constexpr std::array<std::string_view, 2> kTelling{"x_mm", "track"};
  if (base::isDevice(path)) return;
  if (const base::CsvReader csv(path, {}, kTelling); csv.has(0) && !csv.has(1))
    throw Error("{} has places in space; a report is made of the tracks.csv of the same run", path);
}

std::map<uint16_t, Camera> readTracks(const std::string& path) {
  refuseSpace(path);
  constexpr std::array<std::string_view, 9> kColumns{
      "camera", "frame", "time_s", "track", "state", "x", "y", "sigma_x", "sigma_y"};
  constexpr std::array<std::string_view, 1> kOthers{"score"};
  base::CsvReader csv(path, kColumns, kOthers);
  std::map<uint16_t, Camera> cameras;
  while (csv.next()) {
    TrackPoint point;
    point.camera = cameraOf(csv, 0);
    point.frame = csv.value<uint32_t>(1);
    point.time = bounded(csv, 2, kLatest);
    point.track = csv.value<uint64_t>(3);
    point.measured = csv.text(4) == "measured";
    if (!point.measured && csv.text(4) != "predicted") csv.refuse(4);
    point.x = bounded(csv, 5, kFarthest);
    point.y = bounded(csv, 6, kFarthest);
    point.sigmaX = csv.value<double>(7);
    point.sigmaY = csv.value<double>(8);
    if (csv.has(9) && !csv.missing(9)) point.score = csv.value<double>(9);
    if (!cameras[point.camera].summary.add(point))
      throw Error(
          "{}, line {}: frame {} of track {} is repeated or out of order; sort the rows by frame",
          path, csv.line(), point.frame, point.track);
  }
  for (auto& [camera, of] : cameras) of.summary.finish();
  return cameras;
}

// Reads only frames and dropped frames.
std::map<uint16_t, Camera> readStats(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"camera", "frame", "time_s", "dropped_before"};
  base::CsvReader csv(path, kColumns);
  std::map<uint16_t, Camera> cameras;
  while (csv.next()) {
    Camera& camera = cameras[cameraOf(csv, 0)];
    const auto frame = csv.value<uint32_t>(1);
    const double time = bounded(csv, 2, kLatest);
    camera.summary.frames.add(frame, time);
    if (const auto count = csv.value<uint64_t>(3); count > 0)
      camera.drops.push_back({frame, time, count});
  }
  for (auto& [number, camera] : cameras) camera.summary.finish();
  return cameras;
}

// Adds the statistics of a file. Throws Error if they belong to another run.
void addStats(Run& run, const std::string& path) {
  auto stats = readStats(path);
  for (const auto& [number, camera] : run.cameras) {
    const auto all = stats.find(number);
    const auto& some = camera.summary.frames.all();
    if (all == stats.end() || !std::ranges::includes(all->second.summary.frames.all(), some))
      throw Error("{} does not belong to the run that wrote {}: frames or their times differ", path,
                  run.name);
  }
  for (auto& [number, of] : stats) {
    Camera& camera = run.cameras[number];
    camera.summary.frames = std::move(of.summary.frames);
    camera.drops = std::move(of.drops);
  }
  run.allFrames = true;
}

// Adds the record of a run. Throws Error if the file is no record, or belongs to another run.
void addRunFacts(Run& run, const std::string& path) {
  RunFacts facts = readRunFacts(path);
  const size_t sources = facts.sources.size();
  uint64_t tracks = 0;
  for (const auto& [number, camera] : run.cameras) tracks += camera.summary.tracks().size();
  if (tracks > facts.tracks || (!run.cameras.empty() && run.cameras.rbegin()->first >= sources))
    throw Error("{} does not belong to the run that wrote {}: it has fewer tracks or cameras", path,
                run.name);
  for (size_t i = 0; i < sources; ++i) run.cameras[static_cast<uint16_t>(i)];
  if (facts.interrupted) run.notes.emplace_back("The run was interrupted before the sources' end.");
  if (!facts.failure.empty()) run.notes.push_back("The run failed: " + facts.failure);
  run.facts = std::move(facts);
}

// Adds the points of a file. Throws Error if they belong to another run.
void addPoints(Run& run, const std::string& path) {
  SpaceTable table = readSpaceTable(path);
  if (table.rows != run.facts->space->rows)
    throw Error("{} does not belong to the run that wrote {}: it has {} rows, not {}", path,
                run.name, table.rows, run.facts->space->rows);
  run.spaceSets = std::move(table.sets);
}

// Adds the contents of a file beside the tracks, or a note on why that is not possible.
void addFile(Run& run, void (*add)(Run&, const std::string&), const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return;
  if (base::isDevice(path))
    return run.notes.push_back(path + " is a device or a pipe, so it was not read.");
  try {
    add(run, path);
  } catch (const Error& reason) {
    run.notes.emplace_back(reason.what());
  }
}

}  // namespace

double SpaceSetFigures::residual() const {
  return measured > 0 ? std::sqrt(squares / measured) : 0;
}

SpaceTable readSpaceTable(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"frame", "time_s", "state", "residual_px"};
  base::CsvReader csv(path, kColumns);
  SpaceTable table;
  while (csv.next()) {
    const auto frame = csv.value<uint64_t>(0);
    const auto time = csv.value<double>(1);
    if (!(std::abs(time) < kLatest)) csv.refuse(1);
    ++table.rows;
    if (!table.sets.empty() && frame < table.sets.back().frame)
      throw Error("{}, line {}: frame {} is out of order; sort the rows by frame", path, csv.line(),
                  frame);
    if (table.sets.empty() || table.sets.back().frame != frame) table.sets.push_back({frame, time});
    if (csv.text(2) != "measured") continue;
    const auto residual = csv.value<double>(3);
    if (!(residual >= 0 && residual < kFarthest)) csv.refuse(3);
    ++table.sets.back().measured;
    table.sets.back().squares += residual * residual;
  }
  return table;
}

Run readRun(const std::string& tracks, const std::string& stats) {
  const std::filesystem::path path(tracks);
  Run run{.name = path.filename().string(), .cameras = readTracks(tracks)};
  addFile(run, addRunFacts, runRecordPath(tracks));
  if (stats.empty())
    addFile(run, addStats, (path.parent_path() / "stats.csv").string());
  else
    addStats(run, stats);
  if (run.facts && run.facts->space)
    addFile(run, addPoints, (path.parent_path() / "points.csv").string());
  return run;
}

}  // namespace glint::output::report
