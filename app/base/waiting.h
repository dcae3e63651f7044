// Notes what the program waits for, so that it can be reported to a user who wants it to end.
#pragma once

#include <chrono>
#include <string>

namespace glint::base {

/// Notes, while the object lives, that this thread waits for something outside the program: it
/// opens, reads or writes a path that may be a pipe, or on a disk that hangs. There may be any
/// number of such objects, on any threads.
class Waiting {
 public:
  /// `what`: such as "the source" or "room in"; `name`: a path or the like, which must outlive the
  /// object.
  Waiting(const char* what, const std::string& name);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
};

/// Returns a text for what has been waited for longest, such as "a reader of 'pipe.csv'"; empty if
/// nothing has been waited for as long as `least`. Thread-safe.
std::string waitedFor(std::chrono::milliseconds least);

}  // namespace glint::base
