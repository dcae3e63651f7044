// The reason for a failure, in words for users.
#pragma once

#include <exception>
#include <new>
#include <string>

namespace glint {

/// Returns what() of an error, but words instead of "std::bad_alloc". Takes no memory if there is
/// none: the words fit into a string without it.
inline std::string reasonOf(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "out of memory";
  return error.what();
}

}  // namespace glint
