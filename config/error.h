// The two ways in which a run of Glint fails, distinguished by its exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace glint {

/// The work failed: a file, a device or a stream did not do what was asked (exit status 1).
/// what() is one sentence: what failed, why, and what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The text and its values are those of fmt::format().
  template <class First, class... Rest>
  explicit Error(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest)
      : runtime_error(fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...)) {}
};

/// The command line or the settings are wrong (exit status 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace glint
