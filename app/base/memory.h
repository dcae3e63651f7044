// Measures the memory that is left.
#pragma once

#include <optional>

namespace glint::base {

/// Returns the memory that programs may still take, bytes; empty if the system does not say.
std::optional<double> memoryLeft();

}  // namespace glint::base
