#include "ui/panels/latest_saver.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/paths.h"

namespace glint::ui {

void LatestSaver::save() {
  const session::SessionState& state = player_.state();
  if (!state.live) return messages_.say("only live cameras have frames in memory");
  if (running()) return messages_.say("the last seconds are being saved");
  if (!state.recent) return messages_.say("no frame is in memory");
  recall_.ask(player_, wake_);
}

void LatestSaver::follow() {
  if (auto sets = recall_.take(player_.state())) {
    file_ = timedName(".raw.mkv");
    save_ = std::make_unique<shell::RawSave>(file_, task_.sources.size(), std::move(*sets), wake_);
  }
  if (!save_) return;
  using State = shell::BackgroundTask::Progress::State;
  const auto progress = save_->progress();
  if (progress.state == State::running) return;
  const double seconds = save_->seconds();
  save_.reset();
  if (progress.state == State::failed) return messages_.fail(progress.problem);
  const auto cameras = static_cast<int>(task_.sources.size());
  const auto first = std::filesystem::absolute(base::cameraPath(file_, 0, cameras));
  messages_.note(fmt::format("saved the last {:.1f} s, {} frames: {}{}", seconds, progress.frames,
                             first.string(), cameras > 1 ? ", and one of each other camera" : ""));
}

void LatestSaver::describe(nlohmann::json& to) const {
  to["saving"] = running();
}

}  // namespace glint::ui
