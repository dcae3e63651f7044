#include "app/desk/calibration_task.h"

#include <ctime>
#include <filesystem>
#include <span>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/base/whole_file.h"
#include "app/calibrate/board_solve.h"
#include "app/calibrate/placing.h"
#include "app/calibrate/solve.h"
#include "config/error.h"

namespace glint {

CalibrationTask::CalibrationTask(CalibrationRequest request, std::function<void()> changed)
    : BackgroundTask(std::move(changed)), request_(std::move(request)) {
  start([this] {
    CalibrationOptions options;
    options.target = request_.target;
    auto [found, recording] = solved(options);
    const Pose world = worldOf(found, recording, request_.target, {.up = 'z'}, std::nullopt);
    found = moved(std::move(found), world);
    auto result = std::make_shared<CalibrationResult>();
    result->rig = {found.rig, found.scaled ? "mm" : "arbitrary",
                   fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))), request_.method,
                   found.heldOut.mean};
    result->grade = gradeOf(found, request_.target);
    result->notes = notesOf(found, recording, options);
    result->heldOut = found.heldOut;
    result->found = found.found;
    result->account = accountJson(found, recording, options);
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
  });
}

std::pair<Calibration, LightRecording> CalibrationTask::solved(
    const CalibrationOptions& options) const {
  if (request_.boards) {
    const BoardRecording boards = request_.boards->recording();
    return {calibrateBoard(boards, request_.boards->board(), options), recordingOf(boards)};
  }
  LightRecording recording = matchMoments(request_.table, request_.sizes, {}, "what was recorded");
  Calibration found = calibrate(recording, options);
  return {std::move(found), std::move(recording)};
}

std::shared_ptr<const CalibrationResult> CalibrationTask::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

void keepRig(const CalibrationResult& result, const std::string& path) {
  if (!path.ends_with(".toml")) throw UsageError("the name of a rig ends in .toml");
  const std::string record = std::filesystem::path(path).replace_extension(".json").string();
  for (const std::string& name : {path, record})
    if (std::filesystem::exists(name))
      throw UsageError(fmt::format("'{}' is there already; choose another name", name));
  writeRig(path, result.rig);
  writeWholeFile(record, std::as_bytes(std::span(result.account)));
}

}  // namespace glint
