// The question for a frame to go to.
#pragma once

#include <array>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ui/context/context.h"

namespace glint::ui {

/// The dialog in which the user types a frame's number, or a time. Main thread.
class GoToFrame {
 public:
  explicit GoToFrame(Context& context)
      : player_(context.model.player), messages_(context.messages) {}

  /// Opens the dialog. Tells the user if no other frame can be shown.
  void ask();
  bool open() const { return open_; }
  void draw(Context& context);
  /// Writes whether the dialog is open, and what it says, into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void go();
  std::string range() const;

  Player& player_;
  Messages& messages_;
  // open_: the dialog is open; opens_: ImGui has not been asked yet to open it.
  bool open_ = false, opens_ = false;
  std::array<char, 32> typed_ = {};
  std::string problem_;  // why the typed text leads nowhere
};

}  // namespace glint::ui
