// What a recorded camera shows in sets in which it has no frame: its latest one. Internal to
// capture/.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/capture/source/source.h"
#include "config/numbers.h"

namespace glint::capture {

/// Of one camera. Used by its thread alone.
class StandIn {
 public:
  /// After source.read(image), for the set `set`, has given `reading`; `jumped`: seek() came
  /// before. Of a frame it keeps a copy; in a gap it writes the latest frame into the image, after
  /// a jump the one before it in the recording, and gives the set that this frame is of; empty:
  /// there is none. The source reads on behind `set`. Throws Interrupted.
  std::optional<SetIndex> follow(Source& source, SetIndex set, bool jumped, const Reading& reading,
                                 const gpu::ImageView& image);

 private:
  void keep(const gpu::ImageView& image, SetIndex set, bool neutral);
  void seekBefore(Source& source, SetIndex set, const gpu::ImageView& image);

  std::optional<SetIndex> set_;  // that the kept frame is of
  bool neutral_ = false;         // of which the grey is kept
  std::vector<std::byte> bytes_;
};

}  // namespace glint::capture
