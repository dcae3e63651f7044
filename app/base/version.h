#pragma once

namespace glint::base {

/// The version of the program, such as "1.2.0".
extern const char* const kVersion;

}  // namespace glint::base
