// The numbers of the frame on the screen, as the panels show them.
#pragma once

namespace glint::ui {

struct WindowModel;

/// The counts that panels show. They change at most five times a second while a recording plays,
/// because nobody can read faster numbers, and each change makes a panel draw again.
struct FrameCounts {
  size_t markers = 0, tracks = 0;
  double threshold = 0;  ///< share of full scale, in the first camera that has an image
  double at = -1e9;      ///< time, s, at which the numbers were taken

  /// Takes the numbers of the frame on the screen, unless the last ones are recent.
  void follow(const WindowModel& model);
};

}  // namespace glint::ui
