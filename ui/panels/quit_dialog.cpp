#include "ui/panels/quit_dialog.h"

#include <fmt/format.h>

#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

bool QuitDialog::draw() {
  if (!open_) return false;
  if (!beginDialog("Quit", opens_)) return false;
  const std::string& path = draft_.history().path();
  const bool painted = masks_.pending();
  ImGui::TextUnformatted(painted ? "A mask was painted and is neither used nor saved."
                                 : "The settings were changed and are not saved.");
  faint(fmt::format("{} {}.", painted ? "Settings that use it go into" : "They go into",
                    path.empty() ? "glint.toml" : path));
  ImGui::Spacing();
  bool leaves = false;
  if (button("leaving_save", "Save and quit")) {
    leaves = (!painted || masks_.use()) && draft_.save();
    if (!leaves) problem_ = messages_.lastFailure();
  }
  ImGui::SameLine();
  if (button("leaving_discard", "Quit without saving")) leaves = true;
  ImGui::SameLine();
  const bool stays = button("leaving_stay", "Stay") || dialogEscaped();
  dialogProblem("leaving_problem", problem_);
  answered_ = answered_ || leaves;
  if (leaves || stays) open_ = false;
  endDialog(!open_);
  return leaves;
}

}  // namespace glint::ui
