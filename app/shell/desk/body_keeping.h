// Bodies learned from the points of a recording, kept in a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/motion/space/body_learn.h"
#include "app/shell/desk/space_history.h"

namespace glint::shell {

/// Learns the body of these points as `glint bodies --learn` does, and appends it under this name
/// to a file of bodies, which is made where there is none. Needs SpaceHistory::whole(). Throws
/// Error where the points are no body, the file has one of this name, or cannot be written.
motion::LearnedBody keepBody(const SpaceHistory& history, std::span<const uint64_t> points,
                             const std::string& name, const std::string& file);

}  // namespace glint::shell
