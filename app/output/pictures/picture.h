// One picture of a session: a frame of every camera with its markers, their ids and their trails.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// The frame of a session that becomes a picture.
struct PictureChoice {
  /// The requested frame; empty: the middle one of those to come.
  std::optional<SetIndex> frame = {};
  /// Number of frames in the recording; if it is not known, the picture shows the last one.
  std::optional<uint64_t> end = {};
  /// The most frames that the session takes.
  std::optional<uint64_t> most = {};
};

/// Writes `path` (.png or .jpg) when the frame has passed. If the session ends before, writes the
/// last frame, and finish() reports that the requested frame is missing. Throws UsageError if the
/// suffix is not that of a picture.
std::unique_ptr<Sink> makePicture(const std::string& path, const PictureChoice& choice);

}  // namespace glint::output
