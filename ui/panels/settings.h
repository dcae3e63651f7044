// The settings: what was changed last, files of them, the filters, and each setting.
#pragma once

#include "ui/context/context.h"
#include "ui/panels/filters.h"
#include "ui/panels/presets_menu.h"
#include "ui/panels/setting_rows.h"

namespace glint::ui {

class SettingsPanel {
 public:
  explicit SettingsPanel(Context& context) : presets_(context) {}

  /// Draws the tab.
  void draw(Context& context);
  /// Tells tests the setting that was led to or is explained, and what presets and filters tell.
  void describe(nlohmann::json& to) const;

 private:
  void drawTools(Context& context);

  PresetsMenu presets_;
  FilterChain filters_;
  RowsState rows_;
};

}  // namespace glint::ui
