#include "app/output/takes/take_sink.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/output/takes/take_rows.h"
#include "config/error.h"

namespace glint::output {
namespace {

const std::string& needFile(const std::string& path, const TakeFormat& format) {
  if (base::isDevice(path) || base::standardStream(path))
    throw UsageError("'{}' is not a file, which the format {} needs; name another output", path,
                     format.name);
  return path;
}

/// Returns the time of a set that no camera saw a dot in: that of its first camera with a frame.
std::optional<double> timeOf(const motion::Frame& frame) {
  for (const motion::CameraFrame& camera : frame.cameras)
    if (camera.measured.stamp) return camera.measured.stamp->time;
  return std::nullopt;
}

}  // namespace

std::string spoolOf(const std::string& path) {
  return path + ".rows";
}

TakeSink::TakeSink(const std::string& path, const std::string& name, const TakeFormat& format,
                   const TakeOptions& options, bool points)
    : format_(format),
      options_(options),
      points_(points),
      path_(needFile(path, format)),
      name_(name),
      rows_(spoolOf(path)) {
  rows_.add(
      fmt::format("# The run has not ended yet, or was killed: glint convert '{}' '{}' makes "
                  "the file of these rows.\n{}",
                  spoolOf(path), path, kSpoolHeader));
}

void TakeSink::accept(const motion::FramePtr& frame) {
  const auto* space = frame->results.get<motion::SpaceFrame>();
  text_.clear();
  if (const auto time = space && space->frame ? std::optional(space->time) : timeOf(*frame))
    appendSpooled(text_, space && space->frame ? *space->frame : frame->set.value(), *time);
  if (space && points_)
    for (motion::SpaceRow row : space->finalised) {
      if (options_.numbered) row.body.clear(), row.label.clear();
      appendSpooled(text_, row);
    }
  if (space && format_.keeps.poses)
    for (const motion::PoseRow& row : space->finalPoses) appendSpooled(text_, row);
  any_ = any_ || !text_.empty();
  rows_.add(text_);
}

void TakeSink::poll() {
  if (any_) rows_.poll();
}

void TakeSink::finish() {
  std::error_code ignored;
  if (!any_ && std::filesystem::exists(path_, ignored)) return;  // an earlier result stays
  rows_.finish();
  try {
    writeTake();
  } catch (const Error& error) {
    throw Error("{}; every row that was measured is in '{}', and `glint convert` finishes it",
                error.what(), spoolOf(path_));
  }
  std::filesystem::remove(spoolOf(path_), ignored);
}

void TakeSink::writeTake() {
  const TakeFormat& spool = *takeFormatOf(spoolOf(path_), false);
  const TakeAccount account = convertTake(spoolOf(path_), spool, path_, format_, options_);
  for (std::string sentence : account.sentences) {
    if (const size_t at = sentence.find(path_); at != std::string::npos)
      sentence.replace(at, path_.size(), name_);
    base::warn("{}", sentence);
  }
  if (!account.survey.remarks.empty())
    throw Error("{}", account.survey.remarks.front());  // rows that the file does not hold
}

}  // namespace glint::output
