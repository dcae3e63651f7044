// Proposes settings for what is open, from a few of its frames.
#pragma once

#include "app/shell/desk/settings_probe.h"
#include "ui/context/context.h"
#include "ui/model/frame_recall.h"

namespace glint::ui {

/// The dialog, and the search that runs. Main thread.
class ProposeDialog {
 public:
  explicit ProposeDialog(Context& context)
      : task_(context.model.task),
        player_(context.model.player),
        draft_(context.model.draft),
        messages_(context.messages),
        wake_(context.actions.wake) {}

  /// Begins to look at frames of this camera: of a live one at those in memory.
  void ask(size_t camera);
  bool open() const { return open_; }
  void close();
  bool running() const;

  void draw(Context& context);
  /// Tells tests what is asked and what was found.
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
  bool open_ = false, opens_ = false;
  size_t camera_ = 0;
  FrameRecall recall_;
  std::unique_ptr<shell::SettingsProbe> probe_;
  std::shared_ptr<const shell::SettingsProbe::Outcome> outcome_;
  struct Change {
    std::string label, before, after;
  };
  std::vector<Change> changes_;
  std::string said_;  // what was found, once it is known, or what went wrong
  bool failed_ = false;
};

}  // namespace glint::ui
