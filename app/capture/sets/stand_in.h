// Finds the image that a recorded camera shows in sets in which it has no frame: that of its latest
// frame. Internal to capture/.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/capture/source/source.h"
#include "config/numbers.h"

namespace glint::capture {

/// The latest frame of one camera. Only the camera's thread uses it.
class StandIn {
 public:
  /// Follows source.read(image), which has returned `reading` for the set `set`; `jumped`: true
  /// if seek() was called before. Keeps a copy of a frame. In a gap it writes the latest frame into
  /// the image (after a jump: the last one before the gap in the recording), and returns the set of
  /// that frame; empty if there is none. Afterwards the source goes on behind `set`. Throws
  /// Interrupted.
  std::optional<SetIndex> follow(Source& source, SetIndex set, bool jumped, const Reading& reading,
                                 const gpu::ImageView& image);

 private:
  void keep(const gpu::ImageView& image, SetIndex set, bool neutral);
  void seekBefore(Source& source, SetIndex set, const gpu::ImageView& image);

  std::optional<SetIndex> set_;  // set of the kept frame
  bool neutral_ = false;         // true if the frame has no colour, so that only its grey is kept
  std::vector<std::byte> bytes_;
};

}  // namespace glint::capture
