// The tabs at the right.
#pragma once

#include <string>
#include <vector>

#include <imgui.h>

#include "ui/panels/any_panel.h"

namespace glint::ui {

struct Tab {
  enum class When { always, several };  ///< with several cameras alone

  std::string name;
  AnyPanel panel;
  When when = When::always;
};

class Side {
 public:
  explicit Side(std::vector<Tab> tabs) : all_(std::move(tabs)) {}

  void draw(Context& context);
  /// Has each tab tell tests of itself.
  void describe(nlohmann::json& to) const;

 private:
  std::vector<const Tab*> tabsThere(const WindowModel& model) const;
  void drawList(Context& context);
  void drawTabs(Context& context, ImVec2 padding, ImVec2 spacing);
  void drawTab(const Tab& tab, Context& context, ImVec2 padding, ImVec2 spacing) const;

  const std::vector<Tab> all_;
  bool listed_ = false;  // for lack of room the tabs are a list
};

}  // namespace glint::ui
