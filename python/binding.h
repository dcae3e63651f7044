// Declares the functions that the files of the Python module share.
#pragma once

#include <chrono>
#include <exception>
#include <future>
#include <type_traits>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "app/capture/source/interrupt.h"
#include "python/frame_table.h"
#include "python/image_detector.h"
#include "python/unlocked.h"

namespace glint::python {

/// Returns a table as a tuple: the names of the columns; a text with "i" (integers), "f" (floats)
/// or "t" (texts) for each column; a matrix of the columns of integers, a matrix of the columns of
/// floats, and a list of the columns of texts. The caller must hold Python's lock.
pybind11::tuple toPython(const FrameTable& table);

/// Runs the handlers of Python's signals, and throws what they raise: KeyboardInterrupt for Ctrl-C.
/// Takes Python's lock meanwhile.
inline void checkSignals() {
  const pybind11::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

/// Runs `work` on a thread of its own without Python's lock, and returns its result. `meanwhile` is
/// called several times a second with the lock. If `meanwhile` or a handler of Python's signals
/// raises an exception (as for Ctrl-C), `interrupt` is set, and the exception is thrown once `work`
/// has ended. The caller must hold the lock.
template <class Work, class Meanwhile = void (*)()>
auto interruptibly(
    capture::Interrupt& interrupt, Work work, const Meanwhile& meanwhile = [] {}) {
  std::future<std::invoke_result_t<Work>> result;
  std::exception_ptr raised;
  {
    const Unlocked unlocked;
    result = std::async(std::launch::async, std::move(work));
    while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      if (isEnding()) interrupt.set();
      try {
        checkSignals();
        const pybind11::gil_scoped_acquire acquire;
        if (!raised) meanwhile();
      } catch (const pybind11::error_already_set&) {
        interrupt.set();
        raised = std::current_exception();
      }
    }
  }
  if (raised) std::rethrow_exception(raised);
  return result.get();
}

/// Returns a view of the images in an array in C's order: one image, or several one after another.
/// With `colour`, the last axis is red, green, blue. The array must outlive the view.
Images imagesOf(const pybind11::array& array, bool colour);

void bindFiles(pybind11::module_& module);
void bindMeasures(pybind11::module_& module);
void bindSession(pybind11::module_& module);

}  // namespace glint::python
