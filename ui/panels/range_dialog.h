// Tries ranges of one or two settings on the recording.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/desk/settings_sweep.h"
#include "ui/context/context.h"

namespace glint::ui {

/// The dialog, and the sweep that runs. Main thread.
class RangeDialog {
 public:
  explicit RangeDialog(Context& context)
      : task_(context.model.task),
        player_(context.model.player),
        draft_(context.model.draft),
        messages_(context.messages),
        wake_(context.actions.wake) {}

  /// Opens it, with a range about the present value of this setting; empty: of one that most people
  /// change. Frames of this camera are shown.
  void ask(const std::string& key, size_t camera);
  bool open() const { return open_; }
  void close();
  bool running() const;

  void draw(Context& context);
  /// Tells tests what is asked and what was found.
  void describe(nlohmann::json& to) const;

 private:
  /// A setting that is a number.
  struct Tried {
    std::string key, label;
    double value = 0, least = 0, most = 0, usual = 0;  // now, and what may be
    bool whole = false;
  };
  struct Axis {
    size_t tried = 0;  // of tried_, from 1; 0: none
    double from = 0, to = 0;
    int steps = 5;
  };

  /// Returns the combination whose frame is shown.
  size_t shown() const { return pointed_.value_or(chosen_); }
  void collectTried(const std::string& wanted);
  void setRange(Axis& axis, size_t tried) const;
  void start();
  void follow();
  void drawAxis(size_t number);
  void drawMap(float width, float height);
  void drawCell(size_t combination, ImVec2 at, ImVec2 size);
  std::string wordsOf(size_t combination) const;
  bool drawButtons();

  const shell::WindowTask& task_;
  const Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  const std::function<void()> wake_;
  bool open_ = false, opens_ = false, failed_ = false;
  size_t camera_ = 0;
  std::vector<Tried> tried_;
  std::array<Axis, 2> axes_;
  std::unique_ptr<shell::SettingsSweep> sweep_;
  std::shared_ptr<const shell::SettingsSweep::Outcome> outcome_;
  std::vector<double> values_;  // of the outcome's combinations
  double least_ = 0, greatest_ = 0;
  std::string said_;  // what was found once it is known, or what went wrong
  size_t chosen_ = 0;
  std::optional<size_t> pointed_;
};

}  // namespace glint::ui
