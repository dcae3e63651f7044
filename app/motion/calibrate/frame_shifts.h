// Finds cameras whose frames are counted wrongly: they began some frames late, or lost frames.
#pragma once

#include <vector>

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// How the frames of one camera belong to the moments of a recording. The view of a moment is that
/// which the camera has `before` frames later, and from moment `from` on `after` frames later.
struct FrameShift {
  int before = 0, after = 0;
  size_t from = 0;

  int at(size_t moment) const { return moment < from ? before : after; }
  bool any() const { return before != 0 || after != 0; }
  bool jumps() const { return before != after; }
};

struct FrameShiftOptions {
  /// Maximum shift, frames. Raising it finds cameras that began later, and takes longer.
  int most = 4;
  /// Share by which the disagreement of two cameras must fall for a shift to be considered. A part
  /// of the disagreement comes from lens distortion, which the fundamental matrix cannot describe.
  /// Raising it considers fewer shifts, and misses those during which little moves.
  double gain = 0.15;
  /// Minimum number of moments before and after a jump. Raising it misses jumps near the ends.
  size_t leastMoments = 12;
  /// Number of random samples for the epipolar geometry of each shift. Raising it takes longer.
  int samples = 500;
};

/// Returns the shift of each camera under which the cameras agree best, by their epipolar geometry.
/// Nothing but the dots is known. The shift that most cameras have in common counts as none.
std::vector<FrameShift> findFrameShifts(const LightRecording& recording, const Target& target,
                                        const FrameShiftOptions& options = {});

/// Returns the recording in which each camera's views belong to other moments, as its shift says.
/// Views without a moment are lost, and moments without a view of a camera have an empty one.
LightRecording shifted(const LightRecording& recording, const std::vector<FrameShift>& shifts);

/// Returns the median time between moments: s, or frames if there are no times.
double frameInterval(const LightRecording& recording);

}  // namespace glint::motion
