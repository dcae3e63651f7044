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

/// The dialog, and the sweep that runs in the background. Main thread.
class RangeDialog {
 public:
  explicit RangeDialog(Context& context)
      : task_(context.model.task),
        player_(context.model.player),
        draft_(context.model.draft),
        messages_(context.messages),
        wake_(context.actions.wake) {}

  /// Opens the dialog with a range around the present value of this setting. If `key` is empty,
  /// chooses a setting that most people change. Shows frames of this camera.
  void ask(const std::string& key, size_t camera);
  bool open() const { return open_; }
  void close();
  bool running() const;

  void draw(Context& context);
  /// Writes what is asked and what was found into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  /// A numeric setting that can be tried.
  struct Tried {
    std::string key, label;
    // The present value, and the allowed and usual range.
    double value = 0, least = 0, most = 0, usual = 0;
    bool whole = false;
  };
  /// A setting of the map, and the values that are tried.
  struct Axis {
    size_t tried = 0;  // number of the setting in tried_, from 1; 0: none
    double from = 0, to = 0;
    int steps = 5;
  };

  /// Returns the combination whose frame is shown: the one under the mouse, or the chosen one.
  size_t shown() const { return pointed_.value_or(chosen_); }
  void collectTried(const std::string& wanted);
  void setRange(Axis& axis, size_t tried) const;
  void start();
  void follow();
  void drawAxis(size_t number);
  void drawMap(float width, float height);
  void drawCell(size_t combination, ImVec2 at, ImVec2 size);
  std::string wordsOf(size_t combination) const;
  double shareOf(double score) const;
  bool drawButtons();

  const shell::WindowTask& task_;
  const Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  const std::function<void()> wake_;
  // opens_: ImGui has not been asked yet to open the dialog.
  bool open_ = false, opens_ = false, failed_ = false;
  size_t camera_ = 0;  // the camera on whose frames the settings are tried
  std::vector<Tried> tried_;
  std::array<Axis, 2> axes_;
  std::unique_ptr<shell::SettingsSweep> sweep_;
  std::shared_ptr<const shell::SettingsSweep::Outcome> outcome_;
  std::vector<double> values_;  // score of each combination in outcome_
  // The smallest and largest of values_.
  double least_ = 0, greatest_ = 0;
  std::string said_;   // words about the result, once there is one, or about a failure
  size_t chosen_ = 0;  // number of the combination that was clicked last, at first the best
  std::optional<size_t> pointed_;  // the combination under the mouse
};

}  // namespace glint::ui
