// The sinks of one output, and what becomes of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/sinks/sink.h"

namespace glint {

/// Sinks that begin and end together: the files of one output, or a stream.
struct SinkGroup {
  uint64_t id = 0;
  std::string name = {};  ///< as shown
  Handover handover = Handover::waits;
  std::vector<std::unique_ptr<Sink>> sinks = {};
  SetIndex first = {};  ///< rows of earlier sets are left out
  /// A frame that was tracked before, with which it begins; or null.
  FramePtr opening = nullptr;

  bool wantsPixels() const {
    return std::any_of(sinks.begin(), sinks.end(),
                       [](const auto& sink) { return sink && sink->wantsPixels(); });
  }
};

/// What has become of the frames that an output was given.
struct SinkStatus {
  uint64_t id = 0;
  std::string name;
  Handover handover = Handover::waits;
  uint64_t frames = 0;    ///< files: handed to it; streams: sent
  uint64_t dropped = 0;   ///< files: of them, left out for want of time; streams: not sent
  bool finished = false;  ///< whole; or failed
  std::string problem;    ///< the first, or empty
  bool failed = false;    ///< `problem` is no receiver's fault
};

}  // namespace glint
