// What the files of the module share.
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

/// Names of columns; "i", "f" or "t" for the type of each; a matrix of the integer columns, one of
/// the others, and lists of texts.
pybind11::tuple toPython(const FrameTable& table);

/// Throws what a handler of Python's signals raises, as Ctrl-C does.
inline void checkSignals() {
  const pybind11::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

/// What `work` returns, which runs on a thread of its own without Python's lock. `meanwhile` is
/// called several times a second with it. What that or a handler of Python's signals raises, as
/// Ctrl-C does, sets `interrupt`, and is thrown once `work` has ended.
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

/// Of an array in C's order: one image, or several one after another; with `colour`, the last axis
/// is red, green, blue.
Images imagesOf(const pybind11::array& array, bool colour);

void bindMeasures(pybind11::module_& module);
void bindSession(pybind11::module_& module);

}  // namespace glint::python
