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

/// The objects that panels draw from and act on. There is one for all pictures of a session. Main
/// thread.
struct Context {
  WindowModel& model;  ///< the session: what is known of it, its playing, settings and edits
  ViewState& looks;    ///< what the user has chosen to see
  Layout& layout;      ///< where the panels lie
  Actions& actions;    ///< what reaches beyond one panel
  Messages& messages;  ///< to the user
  Scene& scene;        ///< takes images, which ImGui does not draw
};

}  // namespace glint::ui
