// Where frames come from: one Source is one camera of a session.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/frame.h"

namespace glint {

/// A camera, a recording or a generator. Used by one thread at a time.
class Source {
 public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Size, channels and depth of every frame; constant for the life of the source.
  virtual const ImageFormat& format() const = 0;

  /// The text the source was opened with, for messages and records.
  virtual const std::string& name() const = 0;

  /// How many frames there will be, where the source knows (exactly or as its container says).
  virtual std::optional<uint64_t> frameCount() const = 0;

  /// Writes the next frame into `image`, whose format equals format(). Empty at the end.
  /// Throws Error when the source breaks (cut file, changed size); frames already delivered stand.
  virtual std::optional<FrameStamp> read(const ImageView& image) = 0;
};

/// Opens a source from what the user wrote: a video file, a folder of images, a printf pattern
/// ("shot_%04d.png"), or "synth:SCENE?key=value&...". Throws Error (missing file, no video, empty
/// folder) or UsageError (a text that cannot be a source) with one sentence that names it.
std::unique_ptr<Source> openSource(const std::string& spec);

}  // namespace glint
