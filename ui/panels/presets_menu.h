// Settings under names: used, saved, deleted.
#pragma once

#include "app/shell/desk/presets.h"
#include "app/shell/desk/user_files.h"
#include "ui/context/context.h"

namespace glint::ui {

/// The popup below a button. Main thread.
class PresetsMenu {
 public:
  explicit PresetsMenu(Context& context)
      : player_(context.model.player),
        draft_(context.model.draft),
        messages_(context.messages),
        presets_(shell::presetFolder()) {}

  /// Draws the button, as ImGui's next item, and what it opens.
  void draw();
  /// Tells tests which presets there were when it was opened.
  void describe(nlohmann::json& to) const;

 private:
  void look();
  void use(const std::string& name);
  void drawNames();
  void drawSave();

  const Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  shell::Presets presets_;
  std::vector<std::string> names_;
  std::array<char, shell::Presets::kLongest + 1> name_ = {};
  std::string asked_;  // whether to delete this one
  std::string problem_;
};

}  // namespace glint::ui
