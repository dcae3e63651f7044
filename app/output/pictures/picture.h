// One picture of a session: a frame of every camera with its markers, their ids and their trails.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// Which frame of a session.
struct PictureChoice {
  std::optional<SetIndex> frame = {};  ///< this one; otherwise the middle one of those to come
  std::optional<uint64_t> end = {};    ///< frames of the recording, where known; none: the last one
  std::optional<uint64_t> most = {};   ///< frames that the session takes at most
};

/// Writes `path` (.png or .jpg) when the frame has passed. If the session ends before, writes the
/// last frame, and finish() reports a requested frame as missing. Throws UsageError for a suffix
/// that is no picture's.
std::unique_ptr<Sink> makePicture(const std::string& path, const PictureChoice& choice);

}  // namespace glint::output
