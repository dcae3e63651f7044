#include "ui/model/frame_recall.h"

#include <utility>

#include "ui/model/layout.h"

namespace glint::ui {

void FrameRecall::ask(Player& player, std::function<void()> wake) {
  handed_ = std::make_shared<Handed>();
  player.post(session::command::Recall{
      kMostRecentSeconds,
      [handed = handed_, wake = std::move(wake)](std::vector<output::RawSet> sets) {
        {
          const std::lock_guard lock(handed->mutex);
          handed->sets = std::move(sets);
        }
        wake();
      }});
}

std::optional<std::vector<output::RawSet>> FrameRecall::take(const session::SessionState& state) {
  if (!handed_) return std::nullopt;
  std::optional<std::vector<output::RawSet>> sets;
  {
    const std::lock_guard lock(handed_->mutex);
    sets = std::exchange(handed_->sets, std::nullopt);
  }
  if (sets || !state.recent) handed_.reset();  // handed over, or refused
  return sets;
}

}  // namespace glint::ui
