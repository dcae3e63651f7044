// Exposure, gain and the other controls of a live camera.
#pragma once

#include "app/capture/source/source.h"
#include "ui/model/settings_draft.h"

namespace glint::ui {

/// Draws the controls of a live camera, with its own ranges, units and menus. Changes go into the
/// settings of this camera alone.
void drawCameraControls(SettingsDraft& draft, size_t camera, const capture::CameraOffer& offer);

}  // namespace glint::ui
