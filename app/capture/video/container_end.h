// Where a file ends by its container, and whether that is later than the file does. Internal to
// capture/.
#pragma once

#include <string>
#include <string_view>

#include "app/capture/video/container_walk.h"

namespace glint::capture {

/// `kind` is libav's name of the container. docs/reliability.md says what is known of which.
///
/// cut: the file ends within a unit of its container, or before one that its writer always puts
/// last, or its parts do not follow each other as they say. whole: it ends where its container
/// does, or that is followed by padding. unknown: all else, also where the file cannot be read.
FileEnd containerEnd(const std::string& path, std::string_view kind);

}  // namespace glint::capture
