// Calibrating cameras in the window: a light or a wand is moved, and what is seen of it is solved.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/desk/calibration_task.h"
#include "app/desk/target_recorder.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Of one session. Main thread.
class Calibrator {
 public:
  Calibrator(std::shared_ptr<TargetRecorder> recorder, Messages& messages, std::function<void()> wake)
      : recorder_(std::move(recorder)), messages_(messages), wake_(std::move(wake)) {}

  /// The tab.
  void draw(const WindowModel& model, const Actions& actions);
  /// Before each picture: solves what there is so far, now and then.
  void follow();
  /// Where the target has been, over a camera's image.
  void drawOver(ImDrawList& list, const View& view, size_t camera, const ImageFormat& format) const;

  bool recording() const { return recorder_->running(); }
  bool solving() const { return task_ != nullptr; }
  TargetRecorder::Seen seen() const { return recorder_->seen(); }
  const CalibrationResult* result() const { return result_.get(); }
  const std::string& problem() const { return problem_; }

 private:
  void drawTarget();
  void drawSeen(const WindowModel& model) const;
  void drawResult(const WindowModel& model, const Actions& actions);
  std::optional<Target> targetOf() const;
  void solve();

  std::shared_ptr<TargetRecorder> recorder_;
  Messages& messages_;
  std::function<void()> wake_;
  size_t kind_ = 0;  // of kKinds
  float length_ = 500, other_ = 250;
  std::array<char, 128> name_{"rig.toml"};
  std::unique_ptr<CalibrationTask> task_;
  bool again_ = false;    // once that is done
  bool dropped_ = false;  // what it finds is of an earlier recording
  size_t solved_ = 0;   // moments with the target, when it was solved last
  std::shared_ptr<const CalibrationResult> result_;
  std::string problem_;  // of the newest solution
};

}  // namespace glint::ui
