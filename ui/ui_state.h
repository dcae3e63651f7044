// What a test may know of the window: one JSON object a drawn frame, where GLINT_UI_STATE names a
// file. All of it is gathered here.
#pragma once

#include <imgui.h>

#include "ui/gui.h"

namespace glint::ui {

class UiState {
 public:
  /// Off where the environment names no file.
  UiState();

  /// After each frame that was built: which drags have come to their end. A state file shows what
  /// is in force between two moves, too.
  void seeMouse();
  /// Writes it, whole or not at all.
  void write(const Gui& gui);

 private:
  std::string file_;
  uint64_t drawn_ = 0, releases_ = 0;
  ImVec2 released_;
};

}  // namespace glint::ui
