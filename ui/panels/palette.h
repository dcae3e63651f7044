// The command palette: every action and setting, found by words.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ui/context/context.h"

namespace glint::ui {

/// The dialog that lists all actions with their keys, and all settings, and narrows the list to
/// those that have the typed words. It needs only the keyboard. Main thread.
class Palette {
 public:
  explicit Palette(Context& context) : context_(context) {}

  void ask();
  bool open() const { return open_; }
  void draw(Context& context);
  /// Writes whether the palette is open, what it lists and which entry is chosen into `to`, for
  /// tests.
  void describe(nlohmann::json& to) const;

 private:
  /// An action, or a setting if `key` is not empty.
  struct Entry {
    std::string name, about, keys;
    Action action = {};
    std::string key = {};
  };
  void collect();
  void find();
  void move(int rows);
  bool drawField();
  std::optional<size_t> drawList();
  void perform(const Entry& entry);

  Context& context_;
  // open_: the dialog is open; opens_: ImGui has not been asked yet to open it; moved_: the choice
  // has changed, and must come into sight.
  bool open_ = false, opens_ = false, moved_ = false;
  std::array<char, 64> typed_ = {};
  std::vector<Entry> all_;
  std::vector<size_t> found_;  // indices into all_
  size_t chosen_ = 0;          // index into found_
};

}  // namespace glint::ui
