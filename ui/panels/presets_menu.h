// Settings under names: used, saved, deleted.
#pragma once

#include "app/desk/presets.h"
#include "ui/model/settings_draft.h"

namespace glint::ui {

/// The popup below a button. Main thread.
class PresetsMenu {
 public:
  PresetsMenu(const Player& player, SettingsDraft& draft, Messages& messages)
      : player_(player), draft_(draft), messages_(messages), presets_(presetFolder()) {}

  /// The button, as ImGui's next item, and what it opens.
  void draw();
  /// Those there were when it was opened.
  const std::vector<std::string>& names() const { return names_; }

 private:
  void look();
  void use(const std::string& name);
  void drawNames();
  void drawSave();

  const Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  Presets presets_;
  std::vector<std::string> names_;
  std::array<char, Presets::kLongest + 1> name_ = {};
  std::string asked_;  // whether to delete this one
  std::string problem_;
};

}  // namespace glint::ui
