// A panel of any class, for lists of panels.
#pragma once

#include <concepts>
#include <functional>

#include "ui/context/context.h"

namespace glint::ui {

/// A reference to a panel, which must outlive it. A panel is an object with draw(Context&). It may
/// also have describe(json&), which describes it for tests.
class AnyPanel {
 public:
  template <class Panel>
  requires(!std::same_as<Panel, AnyPanel>) AnyPanel(Panel& panel)
      : draw_([&panel](Context& context) { panel.draw(context); }) {
    if constexpr (requires(nlohmann::json & to) { panel.describe(to); })
      describe_ = [&panel](nlohmann::json& to) { panel.describe(to); };
  }

  void draw(Context& context) const { draw_(context); }
  void describe(nlohmann::json& to) const {
    if (describe_) describe_(to);
  }

 private:
  std::function<void(Context&)> draw_;
  std::function<void(nlohmann::json&)> describe_;
};

}  // namespace glint::ui
