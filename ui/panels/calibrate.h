// Calibration of cameras in the window. The user moves a light, a wand or a board, and the rig is
// computed from what the cameras see of it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/shell/desk/calibration_task.h"
#include "app/shell/desk/target_recorder.h"
#include "app/study/boards/board_recorder.h"
#include "ui/context/context.h"

namespace glint::ui {

/// The tab *Calibrate*, and the solver that runs in the background. Main thread.
class Calibrator {
 public:
  explicit Calibrator(Context& context)
      : lights_(context.model.listeners.target),
        boards_(context.model.listeners.board),
        messages_(context.messages),
        wake_(context.actions.wake) {}

  /// Draws the tab.
  void draw(Context& context);
  /// Writes what is recorded and what was found into `to`, for tests.
  void describe(nlohmann::json& to) const;
  /// Takes the solver's result, and starts it again once much more has been recorded. Call it
  /// before each picture.
  void follow();
  /// Draws the recorded places of the target over a camera's image.
  void drawOver(ImDrawList& list, const View& view, size_t camera,
                const gpu::ImageFormat& format) const;

 private:
  bool recording() const { return lights_->running() || boards_->running(); }
  motion::TargetSeen seen() const { return ofBoard_ ? boards_->seen() : lights_->seen(); }
  void drawTarget();
  void drawSeen(const WindowModel& model) const;
  void drawResult(Context& context);
  void begin(Player& player);
  void solve();

  std::shared_ptr<shell::TargetRecorder> lights_;
  std::shared_ptr<study::BoardRecorder> boards_;
  Messages& messages_;
  std::function<void()> wake_;
  size_t kind_ = 0;       // index in kKinds
  bool ofBoard_ = false;  // true if a board is being recorded, or was recorded last
  // Lengths, mm: between the first two lights of the wand, and from the second to the third.
  float length_ = 500, other_ = 250;
  // The board, as `glint calibrate --board` takes it.
  std::array<char, 128> board_{"charuco:5x7:40mm:30mm:DICT_4X4_50"};
  std::array<char, 128> name_{"rig.toml"};  // the file into which the rig will be saved
  std::unique_ptr<shell::CalibrationTask> task_;
  bool again_ = false;    // true if the solver must run again once it has finished
  bool dropped_ = false;  // true if the running solver works on an earlier recording
  size_t solved_ = 0;     // moments with the target when the solver was last started
  std::shared_ptr<const shell::CalibrationResult> result_;
  std::string problem_;  // why the newest solution failed
};

}  // namespace glint::ui
