// What a test may know of the window: one JSON object a drawn frame, where GLINT_UI_STATE names a
// file. All of it is gathered here. GLINT_UI_STATE_EVERY: at most one in so many seconds, since
// telling costs about as much as drawing.
#pragma once

#include <chrono>

#include <imgui.h>

#include "ui/gui.h"

namespace glint::ui {

class UiState {
 public:
  /// Off where the environment names no file.
  UiState();

  /// Before each frame that is built: whether it is one to be told of.
  void begin();
  /// After it: which drags have come to their end. A state file shows what
  /// is in force between two moves, too.
  void seeMouse();
  /// Writes it, whole or not at all. `inputShown`: what the user did before is in the picture.
  void write(const Gui& gui, bool inputShown);

 private:
  using Clock = std::chrono::steady_clock;

  std::string file_;
  std::chrono::duration<double> every_{0};
  Clock::time_point written_{};
  uint64_t drawn_ = 0, whole_ = 0, releases_ = 0;
  ImVec2 released_;
};

}  // namespace glint::ui
