// What is to be clicked next.
#pragma once

#include <string>

#include <imgui.h>

#include "ui/model/view.h"

namespace glint::ui {

/// Where prompts end: above what is told at the lower edge of the views.
ImVec2 promptBottom(const Rect& views);
/// At the lower edge of the views; `name`: of its place.
void drawPrompt(const std::string& name, const std::string& words, const Rect& views);

}  // namespace glint::ui
