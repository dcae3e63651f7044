// The tabs at the right.
#pragma once

#include <string>
#include <vector>

#include <imgui.h>

#include "ui/panels/any_panel.h"

namespace glint::ui {

struct Tab {
  enum class When { always, several };  ///< several: only with several cameras

  std::string name;
  AnyPanel panel;
  When when = When::always;
};

/// The panel at the side of the window, with its tabs. Main thread.
class Side {
 public:
  explicit Side(std::vector<Tab> tabs) : all_(std::move(tabs)) {}

  void draw(Context& context);
  /// Writes the description of each tab into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  std::vector<const Tab*> tabsThere(const WindowModel& model) const;
  void drawRows(Context& context);
  void drawTabs(Context& context, ImVec2 padding, ImVec2 spacing);
  void drawTab(const Tab& tab, Context& context, ImVec2 padding, ImVec2 spacing) const;

  const std::vector<Tab> all_;
  bool inRows_ = false;  // true if the tabs have no room in one row
};

}  // namespace glint::ui
