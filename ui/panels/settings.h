// The tab *Settings*: the last change, files of settings, the filters, and each setting.
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
  /// Writes the setting that the user was led to or that is explained, and the state of presets and
  /// filters, into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void drawTools(Context& context);

  PresetsMenu presets_;
  FilterChain filters_;
  RowsState rows_;
};

}  // namespace glint::ui
