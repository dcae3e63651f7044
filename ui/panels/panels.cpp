#include "ui/panels/panels.h"

namespace glint::ui {

void Panels::follow() {
  masks.follow();
  saver.follow();
  calibrator.follow();
}

void Panels::draw() {
  const Shown other = context.model.task.empty ? Shown::withSession : Shown::withoutSession;
  for (const PanelRow& row : rows)
    if (row.when != other) row.panel.draw(context);
  cameras.endPicture();
}

void Panels::describe(nlohmann::json& to) const {
  for (const PanelRow& row : rows) row.panel.describe(to);
  saver.describe(to);
  projects.describe(to);
  cameras.describe(to);
}

bool Panels::asks() const {
  return exporting.open() || proposing.open() || ranging.open() || quitting.open() ||
         trackMenu.asksName() || measures.asks() || goTo.open() || palette.open();
}

}  // namespace glint::ui
