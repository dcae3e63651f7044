// Dialogs of one look: with a title, in the middle of the darkened window.
#pragma once

#include <string>

#include <imgui.h>

namespace glint::ui {

/// Opens the dialog if `opens` is true, and resets `opens`. Returns true if the dialog is open;
/// then its items follow, and endDialog(). A `size` of 0 follows the content. `title` is also the
/// dialog's name. A button in the title sets `*stays` to false; null means that there is no such
/// button.
bool beginDialog(const char* title, bool& opens, ImVec2 size = {0, 0}, bool* stays = nullptr);

/// Ends the dialog. If `closes`, it is gone in the next picture.
void endDialog(bool closes);

/// Moves the next item to the dialog's last line, at its lower edge.
void placeDialogButtons();

/// Draws a problem (red if `serious`, otherwise yellow) within the dialog; nothing if the text is
/// empty.
void dialogProblem(const std::string& name, const std::string& problem, bool serious = true);

/// Puts open dialogs on top of all else, and darkens the rest at once. Call it before
/// ImGui::Render(). ImGui's own fade would stop half way, as pictures are drawn only when something
/// has changed.
void settleDialogs();

/// Returns true if Esc was pressed, and did not close a list on top of the dialog.
bool dialogEscaped();

/// Lets Esc close a list or menu that is open, and nothing below it. Returns true if it did. Call
/// it before anything else in a picture.
bool escapeClosesList();

}  // namespace glint::ui
