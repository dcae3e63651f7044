// Words over the images that can be read whatever lies below them.
#pragma once

#include <string>

#include <imgui.h>

#include "ui/model/view.h"

namespace glint::ui {

/// Draws words with a shadow into the upper left corner of `place`, px of the window. Cuts them
/// where `place` ends.
void drawCaption(const std::string& words, const Rect& place);

/// Draws words on a dark ground into the lower left corner of `place`, in as many lines as they
/// need. Draws nothing if there are no words.
void drawLegend(const std::string& words, const Rect& place);

/// Draws a prompt that tells what to click next, at the lower edge of the views. `name` names its
/// place for tests.
void drawPrompt(const std::string& name, const std::string& words, const Rect& views);
/// Returns the middle of the lower edge of prompts, above the messages at the lower edge of the
/// views.
ImVec2 promptBottom(const Rect& views);

}  // namespace glint::ui
