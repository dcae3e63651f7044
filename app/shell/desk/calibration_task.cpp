#include "app/shell/desk/calibration_task.h"

#include <ctime>
#include <filesystem>
#include <span>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/base/whole_file.h"
#include "app/motion/calibrate/board_solve.h"
#include "app/motion/calibrate/placing.h"
#include "app/motion/calibrate/solve.h"
#include "config/error.h"

namespace glint::shell {

CalibrationTask::CalibrationTask(CalibrationRequest request, std::function<void()> changed)
    : BackgroundTask(std::move(changed)), request_(std::move(request)) {
  start([this] {
    motion::CalibrationOptions options;
    options.target = request_.target;
    auto [found, recording] = solved(options);
    const motion::Pose world =
        motion::worldOf(found, recording, request_.target, {.up = 'z'}, std::nullopt);
    found = motion::moved(std::move(found), world);
    auto result = std::make_shared<CalibrationResult>();
    result->rig = {found.rig, found.scaled ? "mm" : "arbitrary",
                   fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))), request_.method,
                   found.heldOut.mean};
    result->grade = motion::gradeOf(found, request_.target);
    result->coverage = motion::coverageOf(found, request_.target);
    result->notes = motion::notesOf(found, recording, options);
    result->heldOut = found.heldOut;
    result->found = found.found;
    result->account = motion::accountJson(found, recording, options);
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
  });
}

std::pair<motion::Calibration, motion::LightRecording> CalibrationTask::solved(
    const motion::CalibrationOptions& options) const {
  if (request_.boards) {
    const motion::BoardRecording boards = request_.boards->recording();
    return {motion::calibrateBoard(boards, request_.boards->board(), options),
            motion::recordingOf(boards)};
  }
  motion::LightRecording recording =
      motion::matchMoments(request_.table, request_.sizes, {}, "what was recorded");
  motion::Calibration found = motion::calibrate(recording, options);
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
      throw UsageError("'{}' is there already; choose another name", name);
  motion::writeRig(path, result.rig);
  base::writeWholeFile(record, result.account);
}

}  // namespace glint::shell
