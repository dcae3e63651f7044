// What the program waits for, for a user who wants it to end.
#pragma once

#include <chrono>
#include <string>

namespace glint::base {

/// Says for as long as it lives that this thread waits for something outside the program: what
/// opens, reads or writes a path that may be a pipe or a disk that hangs. Any number may live, on
/// any thread.
class Waiting {
 public:
  /// "the source", "room in"; `name`, a path or the like, must outlive this.
  Waiting(const char* what, const std::string& name);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
};

/// What is being waited for since `least` or longer, such as "a reader of 'pipe.csv'": what has
/// been waited for longest; or empty.
std::string waitedFor(std::chrono::milliseconds least);

}  // namespace glint::base
