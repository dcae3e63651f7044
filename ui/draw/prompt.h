// What is to be clicked next.
#pragma once

#include <string>

#include "ui/model/view.h"

namespace glint::ui {

/// At the lower edge of the views; `name`: of its place.
void drawPrompt(const std::string& name, const std::string& words, const Rect& views);

}  // namespace glint::ui
