// Python's lock, let go while Glint works, also where Python ends meanwhile.
#pragma once

#include <optional>

#include <pybind11/pybind11.h>

namespace glint::python {

/// Lets go of Python's lock as long as it lives. Python ends threads that ask for its lock after
/// its end, by unwinding them, which C++ does not survive: so Python's end waits for those that are
/// here (waitForOthers), and those that come later stay here until the process is gone.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  std::optional<pybind11::gil_scoped_release> release_;
};

/// Whether Python ends, and waits for what is under way.
bool isEnding();

/// Before Python ends, without its lock: returns when no thread is within Unlocked.
void waitForOthers();

}  // namespace glint::python
