// A request for the frames of live cameras that the session has in memory.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/output/pictures/raw_frames.h"
#include "ui/model/player.h"

namespace glint::ui {

/// One request at a time. Main thread.
class FrameRecall {
 public:
  /// Asks for all frames that are in memory; there must be some. `wake` is called, on the session's
  /// thread, once they have been handed over.
  void ask(Player& player, std::function<void()> wake);
  bool asked() const { return handed_ != nullptr; }
  /// Returns the frames once they have been handed over, and ends the request. Also ends it if the
  /// session no longer has frames in memory.
  std::optional<std::vector<output::RawSet>> take(const session::SessionState& state);

 private:
  /// The frames, which the session's thread hands over.
  struct Handed {
    std::mutex mutex;
    std::optional<std::vector<output::RawSet>> sets;
  };

  std::shared_ptr<Handed> handed_;  // null if no frames are awaited
};

}  // namespace glint::ui
