// The two kinds of errors with which a run of Glint fails. Its exit status distinguishes them.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace glint {

/// An error during the work: a file, a device or a stream failed (exit status 1). what() is one
/// sentence that says what failed, why, and what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// Formats the message as fmt::format() does.
  template <class First, class... Rest>
  explicit Error(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest)
      : runtime_error(fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...)) {}
};

/// An error in the command line or in the settings (exit status 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace glint
