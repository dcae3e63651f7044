// Finds the place in a recording at which to begin.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "app/capture/source/source.h"

namespace glint::capture {

/// A frame, counted from 0 at the recording's start, or a time by the recording's own clock, s.
using From = std::variant<FrameNumber, double>;

/// Reads a text such as "120" or "12.5s". Throws UsageError.
From parseFrom(const std::string& text);

/// Returns a text such as "frame 120" or "12.5 s".
std::string nameOf(const From& from);

/// Returns true if a frame of this time comes before `seconds`, which may be rounded as in tables.
bool isEarlier(double time, double seconds);

/// Returns the first frame that is not earlier than `seconds`, or a frame beyond the end if there
/// is none. `timeOf`: returns the time of a frame, empty beyond the end; times rise. It is called
/// only a few times if frames are equally far apart.
uint64_t firstAt(double seconds, const std::function<std::optional<double>(uint64_t)>& timeOf);

/// Throws UsageError, which says that the recording ends before `from`.
[[noreturn]] void refuseFrom(const From& from);

/// Returns a source whose next read() gives the first frame from `from` on, as if all frames before
/// it had been read. Reads up to there, unless `from` is a frame to which the source can seek.
/// Throws UsageError for a live source and if there is no such frame, and whatever the source
/// throws.
std::unique_ptr<Source> beginAt(std::unique_ptr<Source> source, const std::optional<From>& from);

}  // namespace glint::capture
