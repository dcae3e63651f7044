// Interlaced recordings: each frame holds two pictures, taken one after the other.
#pragma once

#include <memory>

#include "app/capture/source/source.h"

namespace glint::capture {

/// When a frame shows combs: edges that jump from row to row, because its two fields are of
/// different moments.
struct CombOptions {
  /// A pixel is combed if the rows above and below both differ from it by more than this, of full
  /// scale, in the same direction. Raised, faint markers that move are overlooked.
  double step = 0.08;
  /// Share of the pixels, and the least number of them, that are combed in a frame with combs.
  /// Raised, small markers that move are overlooked.
  double share = 2e-5;
  size_t least = 16;
  /// Number of frames, from the beginning, that are examined.
  int frames = 10;
};

/// Returns true if one of the first frames shows combs. The source must be able to seek, and is at
/// its beginning afterwards.
bool showsCombs(Source& source, const CombOptions& options = {});

/// Returns a source whose frames are the fields of `source`, at twice the rate, each made whole by
/// the means of the rows above and below. Positions are those in the whole picture. `topFirst`: the
/// field of rows 0, 2, 4 ... was taken first.
std::unique_ptr<Source> splitFields(std::unique_ptr<Source> source, bool topFirst);

}  // namespace glint::capture
