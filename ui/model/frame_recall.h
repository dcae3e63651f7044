// The frames of live cameras that a session has in memory, asked for and handed over.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/output/pictures/raw_frames.h"
#include "ui/model/player.h"

namespace glint::ui {

/// Main thread.
class FrameRecall {
 public:
  /// For all that are in memory; there must be some. `wake` is called once they are there.
  void ask(Player& player, std::function<void()> wake);
  bool asked() const { return handed_ != nullptr; }
  /// Once they are there. Nothing more is asked for afterwards, nor once the session has none.
  std::optional<std::vector<output::RawSet>> take(const session::SessionState& state);

 private:
  /// What the session's thread hands over.
  struct Handed {
    std::mutex mutex;
    std::optional<std::vector<output::RawSet>> sets;
  };

  std::shared_ptr<Handed> handed_;  // null: nothing is awaited
};

}  // namespace glint::ui
