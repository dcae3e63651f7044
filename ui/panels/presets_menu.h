// Settings that are saved under a name.
#pragma once

#include "app/shell/desk/presets.h"
#include "app/shell/desk/user_files.h"
#include "ui/context/context.h"

namespace glint::ui {

/// The button, and the popup below it, in which presets are used, saved and deleted. Main thread.
class PresetsMenu {
 public:
  explicit PresetsMenu(Context& context)
      : player_(context.model.player),
        draft_(context.model.draft),
        messages_(context.messages),
        presets_(shell::presetFolder()) {}

  /// Draws the button as ImGui's next item, and the popup if it is open.
  void draw();
  /// Writes the presets that existed when the popup was opened into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void readNames();
  void use(const std::string& name);
  void drawNames();
  void drawSave();

  const Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  shell::Presets presets_;
  std::vector<std::string> names_;  // names of the saved presets
  std::array<char, shell::Presets::kLongest + 1> name_ = {};
  // The preset that the user is asked to delete; empty: none.
  std::string asked_;
  std::string problem_;  // why the last action failed
};

}  // namespace glint::ui
