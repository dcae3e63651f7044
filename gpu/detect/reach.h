// How far lights reach.
#pragma once

namespace glint {

/// px: larger lights have edges rather than skirts, and those do not reach far.
inline constexpr double kMostReach = 9;

}  // namespace glint
