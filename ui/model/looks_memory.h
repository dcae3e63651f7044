// The choices of layout and drawing that outlive a session, by name.
#pragma once

#include "app/shell/desk/user_files.h"
#include "ui/model/layout.h"
#include "ui/model/view_state.h"

namespace glint::ui {

/// Takes the numbers and switches that `looks` names. Numbers are limited to their ranges.
void recallLooks(const shell::Remembered& looks, Layout& layout, ViewState& view);

/// Puts the numbers and switches, and the tab in front, into `looks`.
void rememberLooks(const Layout& layout, const ViewState& view, shell::Remembered& looks);

}  // namespace glint::ui
