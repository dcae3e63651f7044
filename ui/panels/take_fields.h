// The choices that formats of points and bodies leave to the user.
#pragma once

#include <string>

#include "app/output/catalog/outputs.h"

namespace glint::ui {

/// Draws the axis that points up, the unit, and if there are `bodies` the names of markers, beside
/// each other. A field is disabled if the format of `choice` does not leave it to the user. Tests
/// find the fields by names that begin with `prefix`. Returns true if one was changed.
bool drawTakeFields(const std::string& prefix, const output::OutputChoice& choice, bool bodies,
                    output::TakeOptions& options);

}  // namespace glint::ui
