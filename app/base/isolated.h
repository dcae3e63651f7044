// Runs work in a process of its own, which damage can end without harm.
#pragma once

#include <functional>
#include <string>

namespace glint::base {

/// Runs `work` in a child process and returns its result. For parsers of other projects, which
/// damaged files may crash or keep busy for ever. The child may use 5 minutes of processor time. It
/// has a copy of the memory and only the calling thread, so `work` must not wait for other threads.
/// Throws the Error of `work`, also if that was a UsageError; and an Error that says `broken` if
/// the child crashed, took too long, or could not be started.
std::string runIsolated(const std::function<std::string()>& work, const std::string& broken);

}  // namespace glint::base
