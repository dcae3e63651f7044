// Exposure, gain and all else that a live camera offers.
#pragma once

#include "app/capture/source/source.h"
#include "ui/model/settings_draft.h"

namespace glint::ui {

/// Draws what can be set of a live camera, with its own ranges, units and menus. Changes go into
/// the settings of this camera alone.
void drawCameraControls(SettingsDraft& draft, size_t camera, const capture::CameraOffer& offer);

}  // namespace glint::ui
