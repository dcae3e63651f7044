// Where in a recording to begin.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "app/capture/source/source.h"

namespace glint::capture {

/// A frame, counted from 0 at the recording's start, or a time, s, of the recording's own.
using From = std::variant<FrameNumber, double>;

/// "120", or "12.5s". Throws UsageError.
From parseFrom(const std::string& text);

/// "frame 120" or "12.5 s"
std::string nameOf(const From& from);

/// Whether a frame of this time comes before `seconds`, which may be rounded as tables round it.
bool isEarlier(double time, double seconds);

/// The first frame that is not earlier than `seconds`, or any beyond the end. `timeOf`: the time of
/// a frame, or empty beyond the end; times rise. Asks for few where their distance is constant.
uint64_t firstAt(double seconds, const std::function<std::optional<double>(uint64_t)>& timeOf);

/// Reports that the recording ends before. Throws UsageError.
[[noreturn]] void refuseFrom(const From& from);

/// The same source, of which the next read() gives the first frame from there on, as it would come
/// were all before it read. Reads up to there. Throws UsageError for a live source and where there
/// is no such frame, and what the source throws.
std::unique_ptr<Source> beginAt(std::unique_ptr<Source> source, const std::optional<From>& from);

}  // namespace glint::capture
