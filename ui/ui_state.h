// Writes what a test may know of the window: one JSON object a drawn frame, into the file that
// GLINT_UI_STATE names. Each part of the window describes itself: see Gui::describe().
// GLINT_UI_STATE_EVERY allows one in so many seconds, since telling costs about as much as drawing.
#pragma once

#include <chrono>
#include <string>

#include <imgui.h>

#include "ui/gui.h"
#include "ui/input.h"

namespace glint::ui {

class UiState {
 public:
  /// It is off where the environment names no file.
  UiState();

  /// Before each frame that is built: decides whether it is one to be told of.
  void begin();
  /// Adds the keys that were pressed, the buttons that were let go and the steps of the wheel, so
  /// that a test knows whether the window has dealt with what it did. Call it between
  /// ImGui::NewFrame() and what is drawn, with the events that this frame was given.
  void seeInput(const Input::Given& given);
  /// Writes the file, whole or not at all. `inputShown` is true if the picture shows what the user
  /// did before; `redrawn` is the share of the picture that differed from the one before.
  void write(const Gui& gui, bool inputShown, double redrawn);

 private:
  using Clock = std::chrono::steady_clock;

  std::string file_;
  std::chrono::duration<double> every_{0};
  Clock::time_point written_{};
  uint64_t drawn_ = 0, whole_ = 0, releases_ = 0, keys_ = 0, wheel_ = 0;
  ImVec2 released_;
};

}  // namespace glint::ui
