// The numbers of the frame on the screen, as panels say them.
#pragma once

namespace glint::ui {

struct WindowModel;

/// Changes a few times a second at most while a recording plays: faster numbers cannot be read, and
/// each change has a panel drawn again.
struct FrameCounts {
  size_t markers = 0, tracks = 0;
  double threshold = 0;  ///< of full scale, of the first camera that has an image
  double at = -1e9;      ///< s, when they were taken

  /// Takes those of the frame that is shown, unless the last ones are recent.
  void follow(const WindowModel& model);
};

}  // namespace glint::ui
