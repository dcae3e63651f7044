#include "ui/panels/quit_dialog.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

void QuitDialog::draw(Context& context) {
  if (!open_ || !beginDialog(title(), opens_)) return;
  const std::string& path = draft_.history().path();
  const bool painted = masks_.pending();
  ImGui::TextUnformatted(painted ? "A mask was painted, but it is neither used nor saved."
                                 : "The settings were changed and are not saved.");
  faint(keepsSettings_
            ? "The new sources will not use it."
            : fmt::format("{} {}.", painted ? "Settings that use it go into" : "They go into",
                          path.empty() ? "glint.toml" : path));
  ImGui::Spacing();
  bool leaves = false;
  if (button("leaving_save", opensOthers_ ? "Save it and open" : "Save and quit")) {
    leaves = (!painted || masks_.use()) && (keepsSettings_ || draft_.save());
    if (!leaves) problem_ = messages_.lastFailure();
  }
  ImGui::SameLine();
  if (button("leaving_discard", opensOthers_ ? "Open without saving" : "Quit without saving"))
    leaves = true;
  ImGui::SameLine();
  const bool stays = button("leaving_stay", "Stay") || dialogEscaped();
  dialogProblem("leaving_problem", problem_);
  answered_ = answered_ || leaves;
  if (leaves || stays) open_ = false;
  endDialog(!open_);
  if (leaves) context.actions.leave();
}

void QuitDialog::describe(nlohmann::json& to) const {
  to["leaving"] = open_ && !opens_ ? title() : "";
}

}  // namespace glint::ui
