#pragma once

#include <numbers>

namespace glint::capture {

constexpr double kTurn = 2 * std::numbers::pi;  // radians

}  // namespace glint::capture
