// Runs work in a process of its own, so that a crash there does not end the program.
#pragma once

#include <functional>
#include <string>

namespace glint::base {

/// Runs `work` in a child process and returns its result. Use it for parsers of other projects,
/// because damaged files may crash them or keep them busy for ever. The child may use 5 minutes of
/// processor time. It has a copy of the memory and only the calling thread, so `work` must not wait
/// for other threads. If `work` throws an Error or a UsageError, throws an Error with the same
/// text. Throws an Error with the text `broken` if the child crashed, took too long, or could not
/// be started.
std::string runIsolated(const std::function<std::string()>& work, const std::string& broken);

}  // namespace glint::base
