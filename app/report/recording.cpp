#include "app/report/run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "app/sinks/outputs.h"
#include "config/error.h"
#include "shared/limits.h"

namespace glint::report {
namespace {

uint16_t cameraOf(const CsvReader& csv, size_t column) {
  const auto camera = csv.value<uint16_t>(column);
  if (camera >= shared::kMaxLayers) csv.refuse(column);
  return camera;
}

// A number that is not beyond all reason, so that charts of its range can be made.
double bounded(const CsvReader& csv, size_t column, double most) {
  const auto value = csv.value<double>(column);
  if (std::abs(value) > most) csv.refuse(column);
  return value;
}

constexpr double kFarthest = 1e6, kLatest = 1e10;  // px, s

std::map<uint16_t, Camera> readTracks(const std::string& path) {
  constexpr std::array<std::string_view, 9> kColumns{
      "camera", "frame", "time_s", "track", "state", "x", "y", "sigma_x", "sigma_y"};
  CsvReader csv(path, kColumns);
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
    if (!cameras[point.camera].summary.add(point))
      throw Error(fmt::format(
          "{}, line {}: frame {} of track {} comes again or too late; sort the rows by frame.",
          path, csv.line(), point.frame, point.track));
  }
  for (auto& [camera, of] : cameras) of.summary.finish();
  return cameras;
}

struct CameraFrames {
  FrameTimes frames;
  std::vector<Drop> drops;
};

std::map<uint16_t, CameraFrames> readStats(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"camera", "frame", "time_s", "dropped_before"};
  CsvReader csv(path, kColumns);
  std::map<uint16_t, CameraFrames> cameras;
  while (csv.next()) {
    CameraFrames& camera = cameras[cameraOf(csv, 0)];
    const auto frame = csv.value<uint32_t>(1);
    const double time = bounded(csv, 2, kLatest);
    camera.frames.add(frame, time);
    if (const auto count = csv.value<uint64_t>(3); count > 0)
      camera.drops.push_back({frame, time, count});
  }
  for (auto& [number, camera] : cameras) camera.frames.finish();
  return cameras;
}

// Whether every frame of `some` is in `all`, with the same time.
bool holds(const FrameTimes& all, const FrameTimes& some) {
  const auto before = [](const FrameTime& a, const FrameTime& b) {
    return a.frame != b.frame ? a.frame < b.frame : a.time < b.time;
  };
  return std::includes(all.all().begin(), all.all().end(), some.all().begin(), some.all().end(),
                       before);
}

// Throws Error when the statistics are of another run.
void addStats(Recording& recording, const std::string& path) {
  auto stats = readStats(path);
  for (const auto& [number, camera] : recording.cameras) {
    const auto found = stats.find(number);
    if (found == stats.end() || !holds(found->second.frames, camera.summary.frames))
      throw Error(fmt::format("{} is not of the run that wrote {}: frames or their times differ.",
                              path, recording.name));
  }
  for (auto& [number, of] : stats) {
    Camera& camera = recording.cameras[number];
    camera.summary.frames = std::move(of.frames);
    camera.drops = std::move(of.drops);
  }
  recording.allFrames = true;
}

void addRunFacts(Recording& recording, const std::string& path) {
  try {
    recording.run = readRunFacts(path);
  } catch (const Error& error) {
    recording.notes.emplace_back(error.what());
    return;
  }
  const size_t sources = recording.run->sources.size();
  uint64_t tracks = 0;
  for (const auto& [number, camera] : recording.cameras) tracks += camera.summary.tracks().size();
  if (tracks > recording.run->tracks ||
      (!recording.cameras.empty() && recording.cameras.rbegin()->first >= sources)) {
    recording.notes.push_back(
        fmt::format("{} is not of the run that wrote {}: it has fewer tracks or cameras.", path,
                    recording.name));
    recording.run.reset();
    return;
  }
  for (size_t i = 0; i < sources; ++i) recording.cameras[static_cast<uint16_t>(i)];
  if (recording.run->interrupted)
    recording.notes.emplace_back("The run was interrupted before the sources' end.");
  if (!recording.run->failure.empty())
    recording.notes.push_back("The run failed: " + recording.run->failure);
}

}  // namespace

Recording readRun(const std::string& tracks, const std::string& stats) {
  namespace fs = std::filesystem;
  Recording recording;
  recording.name = fs::path(tracks).filename().string();
  recording.cameras = readTracks(tracks);
  std::error_code error;
  const std::string record = runRecordPath(tracks);
  if (fs::exists(record, error)) addRunFacts(recording, record);
  if (!stats.empty()) {
    addStats(recording, stats);
  } else if (const auto beside = fs::path(tracks).parent_path() / "stats.csv";
             fs::exists(beside, error)) {
    try {
      addStats(recording, beside.string());
    } catch (const Error& reason) {
      recording.notes.emplace_back(reason.what());
    }
  }
  return recording;
}

}  // namespace glint::report
