// How much memory there is.
#pragma once

#include <optional>

namespace glint::base {

/// Memory that programs may still take, bytes; none if the system does not say.
std::optional<double> memoryLeft();

}  // namespace glint::base
