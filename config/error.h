// The two ways in which a run of Glint fails, distinguished by its exit status.
#pragma once

#include <stdexcept>
#include <string>

namespace glint {

/// The work failed: a file, a device or a stream did not do what was asked (exit status 1).
/// what() is one sentence: what failed, why, and what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command line or the settings are wrong (exit status 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace glint
