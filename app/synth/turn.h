#pragma once

#include <numbers>

namespace glint {

constexpr double kTurn = 2 * std::numbers::pi;  // radians

}  // namespace glint
