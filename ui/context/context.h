// The objects that every panel is given.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/context/actions.h"
#include "ui/draw/picture_scene.h"
#include "ui/model/layout.h"
#include "ui/model/messages.h"
#include "ui/model/view_state.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// The objects that panels draw from and act on. There is one Context for all pictures of a
/// session. Main thread.
struct Context {
  WindowModel& model;    ///< the session: its state, playback, settings and edits
  ViewState& viewState;  ///< the user's choice of what is shown
  Layout& layout;        ///< the places of the panels
  Actions& actions;      ///< actions that concern more than one panel
  Messages& messages;    ///< messages to the user
  /// The images of the picture, which ImGui does not draw.
  Scene& scene;
};

}  // namespace glint::ui
