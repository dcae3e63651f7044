// Words over the images, which can be read whatever lies below.
#pragma once

#include <string>

#include <imgui.h>

#include "ui/model/view.h"

namespace glint::ui {

/// In the upper left corner of `place`, with a shadow; cut where it ends. px of the window.
void drawCaption(const std::string& words, const Rect& place);

/// On a dark ground at the lower left corner, in as many lines as need be; nothing where there are
/// no words.
void drawLegend(const std::string& words, const Rect& place);

/// Draws what is to be clicked next at the lower edge of the views; `name`: of its place.
void drawPrompt(const std::string& name, const std::string& words, const Rect& views);
/// Returns where prompts end: above what is told at the lower edge of the views.
ImVec2 promptBottom(const Rect& views);

}  // namespace glint::ui
