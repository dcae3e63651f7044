// A board in recordings and images.
#pragma once

#include <memory>
#include <vector>

#include "app/calibrate/board_views.h"
#include "app/capture/interrupt.h"
#include "app/capture/source.h"

namespace glint {

/// Looks for the board in every frame of a source of up to 300, in five frames a second of a longer
/// one, to its end. Throws as Source::read(), and Interrupted.
void readBoard(Source& source, size_t camera, BoardViews& views, const Interrupt& interrupt);

/// Of each source.
std::vector<FrameExtent> extentsOf(const std::vector<std::unique_ptr<Source>>& sources);

}  // namespace glint
