// Tries ranges of one or two settings on the recording.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desk/settings_sweep.h"
#include "ui/model/settings_draft.h"

namespace glint::ui {

/// The dialog, and the sweep that runs. Main thread.
class RangeDialog {
 public:
  RangeDialog(const WindowTask& task, const Player& player, SettingsDraft& draft,
              Messages& messages, std::function<void()> wake)
      : task_(task), player_(player), draft_(draft), messages_(messages), wake_(std::move(wake)) {}

  /// Opens it, with a range about the present value of this setting; empty: of one that most people
  /// change. Frames of this camera are shown.
  void ask(const std::string& key, size_t camera);
  bool open() const { return open_; }
  void close();
  bool running() const;

  /// What was found once it is known, or what went wrong.
  const std::string& said() const { return said_; }
  const SettingsSweep::Outcome* outcome() const { return outcome_.get(); }
  /// The combination whose frame is shown.
  size_t shown() const { return pointed_.value_or(chosen_); }

  void draw();

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

  void collectTried(const std::string& wanted);
  void setRange(Axis& axis, size_t tried) const;
  void start();
  void follow();
  void drawAxis(size_t number);
  void drawMap(float width, float height);
  void drawCell(size_t combination, ImVec2 at, ImVec2 size);
  void drawFrame(float width, float height) const;
  std::string describe(size_t combination) const;
  bool drawButtons();

  const WindowTask& task_;
  const Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  const std::function<void()> wake_;
  bool open_ = false, opens_ = false, failed_ = false;
  size_t camera_ = 0;
  std::vector<Tried> tried_;
  std::array<Axis, 2> axes_;
  std::unique_ptr<SettingsSweep> sweep_;
  std::shared_ptr<const SettingsSweep::Outcome> outcome_;
  std::vector<double> values_;  // of the outcome's combinations
  double least_ = 0, greatest_ = 0;
  std::string said_;
  size_t chosen_ = 0;
  std::optional<size_t> pointed_;
};

}  // namespace glint::ui
