// Calibrating cameras in the window: a light, a wand or a board is moved, and what is seen of it is
// solved.
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

/// The tab *Calibrate*, and the solver that runs. Main thread.
class Calibrator {
 public:
  explicit Calibrator(Context& context)
      : lights_(context.model.listeners.target),
        boards_(context.model.listeners.board),
        messages_(context.messages),
        wake_(context.actions.wake) {}

  /// Draws the tab.
  void draw(Context& context);
  /// Tells tests what is recorded and what was found.
  void describe(nlohmann::json& to) const;
  /// Before each picture: solves what there is so far, now and then.
  void follow();
  /// Where the target has been, over a camera's image.
  void drawOver(ImDrawList& list, const View& view, size_t camera,
                const gpu::ImageFormat& format) const;

 private:
  bool recording() const { return lights_->running() || boards_->running(); }
  motion::TargetSeen seen() const { return ofBoard_ ? boards_->seen() : lights_->seen(); }
  void drawTarget();
  void drawSeen(const WindowModel& model) const;
  void drawResult(Context& context);
  void begin();
  void solve();

  std::shared_ptr<shell::TargetRecorder> lights_;
  std::shared_ptr<study::BoardRecorder> boards_;
  Messages& messages_;
  std::function<void()> wake_;
  size_t kind_ = 0;       // of kKinds
  bool ofBoard_ = false;  // what is being recorded, or was
  float length_ = 500, other_ = 250;
  std::array<char, 128> board_{"charuco:5x7:40mm:30mm:DICT_4X4_50"};
  std::array<char, 128> name_{"rig.toml"};
  std::unique_ptr<shell::CalibrationTask> task_;
  bool again_ = false;    // once that is done
  bool dropped_ = false;  // what it finds is of an earlier recording
  size_t solved_ = 0;     // moments with the target, when it was solved last
  std::shared_ptr<const shell::CalibrationResult> result_;
  std::string problem_;  // of the newest solution
};

}  // namespace glint::ui
