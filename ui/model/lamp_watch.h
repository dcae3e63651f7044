// Whether a lamp in the picture hides dimmer markers, so that the user can be told.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/desk/lamp_look.h"
#include "app/desk/window_interface.h"
#include "ui/model/frame_recall.h"
#include "ui/model/player.h"
#include "ui/model/shown_frame.h"

namespace glint::ui {

/// Of a single camera, since each of several has its own lamps, and a rectangle is of all. A few
/// frames of the recording, or of those in memory, are measured again once a lamp is seen: once for
/// each lamp and settings. Main thread.
class LampWatch {
 public:
  LampWatch(const WindowTask& task, Player& player, std::function<void()> wake)
      : task_(task), player_(player), wake_(std::move(wake)) {}

  /// The frame that is shown; `busy`: settings are being dragged, so that nothing is begun.
  void follow(const ShownFrame& shown, bool busy);
  /// That hides markers in the frame that is shown; null: none, or that is not known yet.
  const Lamp* lamp() const { return shows_ ? &*lamp_ : nullptr; }
  /// The user wants it as it is.
  void leave();

 private:
  bool wasTried(const shared::Detection& lamp) const;
  void begin(const shared::Detection& lamp, const Settings& settings);
  void takeFrames();
  void takeOutcome();

  const WindowTask& task_;
  Player& player_;
  const std::function<void()> wake_;
  FrameRecall recall_;
  std::unique_ptr<LampLook> look_;  // while it works
  Settings settings_;               // that are tried
  struct Tried {
    double x, y, radius;  // px
  };
  std::vector<Tried> tried_;
  std::optional<Lamp> lamp_;
  bool shows_ = false;  // lamp_ is in the frame that is shown
};

}  // namespace glint::ui
