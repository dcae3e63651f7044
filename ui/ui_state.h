// Describes the window for tests, as one JSON object for each drawn frame, in the file that
// GLINT_UI_STATE names. Each part of the window describes itself: see Gui::describe().
// GLINT_UI_STATE_EVERY sets the shortest time between two descriptions in seconds, because a
// description costs about as much as drawing.
#pragma once

#include <chrono>
#include <string>

#include <imgui.h>

#include "ui/gui.h"
#include "ui/input.h"

namespace glint::ui {

/// The writer of the descriptions. Main thread.
class UiState {
 public:
  /// Reads the environment. Nothing is written if it names no file.
  UiState();

  /// Decides whether the frame that is about to be built will be described. Call it before each
  /// one.
  void begin();
  /// Counts the keys that were pressed, the buttons that were released and the steps of the wheel,
  /// so that a test knows whether the window has processed its input. Call it with the events of
  /// this frame, after ImGui::NewFrame() and before anything is drawn.
  void seeInput(const Input::Given& given);
  /// Replaces the file as a whole. `inputShown` is true if the picture shows the effect of all
  /// earlier input. `redrawn` is the share of the picture that differs from the one before, 0 to 1.
  void write(const Gui& gui, bool inputShown, double redrawn);

 private:
  using Clock = std::chrono::steady_clock;

  std::string file_;                        // the file that is written; empty: none
  std::chrono::duration<double> every_{0};  // s, the shortest time between two descriptions
  Clock::time_point written_{};             // time of the latest description
  // Numbers of pictures, of those that were drawn again as a whole, and of inputs.
  uint64_t drawn_ = 0, whole_ = 0, releases_ = 0, keys_ = 0, wheel_ = 0;
  ImVec2 released_;  // place of the mouse when a button was last released
};

}  // namespace glint::ui
