// Which levels the first picture of a session is shown with.
#pragma once

#include "ui/model/messages.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Once, at a recording's first frame: images of 16 bits that would be black on a screen, as their
/// values fill a small part of these, are shown brighter, and that is told. Live images may become
/// brighter by themselves.
void fitFirstLevels(const WindowModel& model, ViewState& looks, Messages& messages);

}  // namespace glint::ui
