// Releases Python's lock while Glint works, also if Python ends meanwhile.
#pragma once

#include <optional>

#include <pybind11/pybind11.h>

namespace glint::python {

/// Releases Python's lock while the object lives. After Python's end, Python unwinds every thread
/// that asks for its lock, which C++ does not survive. Python's end therefore waits for the threads
/// that have such an object (see waitForOthers()), and a thread that makes one later stays in the
/// constructor until the process is gone.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  std::optional<pybind11::gil_scoped_release> release_;
};

/// Returns true if Python is ending and waits for work under way.
bool isEnding();

/// Waits until no thread has an Unlocked object. To be called before Python ends, without its lock.
void waitForOthers();

}  // namespace glint::python
