// Notices lamps and glare in the shown frames, and finds out whether they hide dimmer markers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/shell/desk/threshold_trial.h"
#include "app/shell/desk/window_interface.h"
#include "ui/model/frame_recall.h"
#include "ui/model/player.h"
#include "ui/model/shown_frame.h"

namespace glint::ui {

/// The watch for lamps and glare that raise the threshold. Once it sees either, it measures a few
/// frames again without its effect: frames of the recording, or those in memory. It tries each lamp
/// only once with the same settings, and glare likewise. It works with a single camera only,
/// because settings apply to all cameras, and each has its own lamps. Main thread.
class ThresholdWatch {
 public:
  ThresholdWatch(const shell::WindowTask& task, Player& player, std::function<void()> wake)
      : task_(task), player_(player), wake_(std::move(wake)) {}

  /// Takes the frame on the screen. Begins no trial if `busy`, which is true while settings are
  /// being dragged.
  void follow(const ShownFrame& shown, bool busy);
  /// Returns the lamp that hides markers in the frame on the screen; null if there is none, or if
  /// it is not known yet.
  const study::Lamp* lamp() const { return shows_ ? &*lamp_ : nullptr; }
  /// Returns the glare that hides markers in the frame on the screen; null as above.
  const study::Glare* glare() const { return showsGlare_ ? &*glare_ : nullptr; }
  /// Drops the lamp or the glare, because the user wants to keep it as it is.
  void leave();

 private:
  bool wasTried(const shared::Detection& lamp) const;
  bool begin(const Settings& settings);
  void takeFrames();
  void takeOutcome();

  const shell::WindowTask& task_;
  Player& player_;
  const std::function<void()> wake_;
  FrameRecall recall_;
  std::unique_ptr<shell::ThresholdTrial> trial_;  // null unless a trial is running
  Settings settings_;                             // settings of the trials
  struct Tried {
    double x, y, radius;  // px
  };
  std::vector<Tried> tried_;           // lamps that were tried with these settings
  std::optional<study::Lamp> lamp_;    // the lamp that the last trial has found
  bool shows_ = false;                 // true if lamp_ is in the frame that is shown
  bool triedGlare_ = false;            // true if glare was tried with these settings
  std::optional<study::Glare> glare_;  // the glare that a trial has found
  bool showsGlare_ = false;            // true if the frame that is shown has this glare
};

}  // namespace glint::ui
