// Proposes settings for the open sources, from a few of their frames.
#pragma once

#include "app/shell/desk/settings_probe.h"
#include "ui/context/context.h"
#include "ui/model/frame_recall.h"

namespace glint::ui {

/// The dialog, and the search that runs in the background. Main thread.
class ProposeDialog {
 public:
  explicit ProposeDialog(Context& context)
      : task_(context.model.task),
        player_(context.model.player),
        draft_(context.model.draft),
        messages_(context.messages),
        wake_(context.actions.wake) {}

  /// Opens the dialog, and begins to look at frames of this camera. If it is live, looks at those
  /// in memory.
  void ask(size_t camera);
  bool open() const { return open_; }
  void close();
  bool running() const;

  void draw(Context& context);
  /// Writes what is asked and what was found into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void follow();
  void followRecall();
  void drawChanges() const;
  bool drawButtons();

  const shell::WindowTask& task_;
  Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  const std::function<void()> wake_;
  // opens_: ImGui has not been asked yet to open the dialog.
  bool open_ = false, opens_ = false;
  size_t camera_ = 0;  // the camera for which settings are proposed
  FrameRecall recall_;
  std::unique_ptr<shell::SettingsProbe> probe_;
  std::shared_ptr<const shell::SettingsProbe::Outcome> outcome_;
  /// A setting that the proposal changes, and its values as texts.
  struct Change {
    std::string label, before, after;
  };
  std::vector<Change> changes_;
  std::string said_;  // words about the result, once there is one, or about a failure
  bool failed_ = false;
};

}  // namespace glint::ui
