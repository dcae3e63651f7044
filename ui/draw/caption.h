// Words on images, which can be read whatever lies below.
#pragma once

#include <string>

#include "ui/model/view.h"

namespace glint::ui {

/// In the upper left corner of `place`, with a shadow; cut where it ends. px of the window.
void drawCaption(const std::string& words, const Rect& place);

/// On a dark ground at the lower left corner, in as many lines as need be; nothing where there are
/// no words.
void drawLegend(const std::string& words, const Rect& place);

}  // namespace glint::ui
