#include "ui/model/recording.h"

#include <fmt/format.h>

#include "app/output/catalog/outputs.h"
#include "ui/model/timings.h"

namespace glint::ui {
namespace {

constexpr double kLookEvery = 0.5;  // s
constexpr double kShort = 600;      // s

}  // namespace

void RecordingState::follow(const Player& player) {
  if (!player.recording()) return meter_.reset();
  const double now = monotonicSeconds();
  const std::string name = player.recordingName();
  const bool first = player.recordsOutputs();
  if (!meter_ || name != name_) {
    meter_.emplace(now, first ? 0 : rows_->rows());
    name_ = name;
    hasRows_ = first || (!name.empty() && output::recordingSpec(name).kind == "tracks");
    diskAsked_ = 0;
  }
  if (now - diskAsked_ >= kLookEvery) {
    const std::vector<std::string> files = first ? outputs_ : std::vector{name};
    bytes_ = shell::bytesOf(files);
    free_ = files.empty() ? std::nullopt : shell::freeBytes(files.front());
    diskAsked_ = now;
  }
  meter_->update(now, rows_->rows(), bytes_, free_);
}

bool RecordingState::runsShort() const {
  return meter_ && meter_->status().lasts && *meter_->status().lasts < kShort;
}

std::string RecordingState::room() const {
  if (!meter_) return "";
  const shell::RecordingMeter::Status& status = meter_->status();
  std::string text = shell::bytesText(status.bytes);
  if (status.freeBytes) text += fmt::format(", {} free", shell::bytesText(*status.freeBytes));
  if (status.lasts) text += ": lasts " + shell::aboutText(*status.lasts);
  return text;
}

}  // namespace glint::ui
