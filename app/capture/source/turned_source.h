// Recordings that are stored lying on their side.
#pragma once

#include <memory>

#include "app/capture/source/orientation.h"
#include "app/capture/source/source.h"

namespace glint::capture {

/// Returns a source whose pictures are those of `source`, turned; or that source itself if they are
/// upright.
std::unique_ptr<Source> turnSource(std::unique_ptr<Source> source, Orientation orientation);

}  // namespace glint::capture
