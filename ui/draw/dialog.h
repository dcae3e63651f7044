// Dialogs, which all look alike: in the middle, with a title, over the darkened window.
#pragma once

#include <string>

#include <imgui.h>

namespace glint::ui {

/// Opens the dialog where `opens`, which it takes back. Within: its items, then endDialog(). A size
/// of 0 follows what is in it. `title` is its name, too.
/// `stays`: set to false by a button in the title; null: there is none.
bool beginDialog(const char* title, bool& opens, ImVec2 size = {0, 0}, bool* stays = nullptr);

/// `closes`: it is not there in the next picture.
void endDialog(bool closes);

/// The next item begins the dialog's last line, at its lower edge whatever stands above.
void placeDialogButtons();

/// What went wrong, or must be known, within the dialog; nothing where it is empty.
void dialogProblem(const std::string& name, const std::string& problem, bool serious = true);

/// Before ImGui::Render(): dialogs lie on top of all else, and darken it at once. ImGui's fade
/// would stop half way, as pictures are drawn only when something has changed.
void settleDialogs();

/// Whether Esc was pressed in it, and no list on top was closed by that.
bool dialogEscaped();

/// Before all else in a picture: Esc closes a list or menu that is open, and nothing below it.
/// Whether it did.
bool escapeClosesList();

}  // namespace glint::ui
