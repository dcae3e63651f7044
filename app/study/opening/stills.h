// Tells pictures that have nothing to do with each other from a recording.
#pragma once

#include "app/capture/source/source.h"

namespace glint::study {

/// When two pictures share nothing. The values tell folders of photographs from recordings of
/// markers on dark and on bright scenes.
struct StillsOptions {
  /// Correlation of thumbnails of 32 x 32 pixels, below which two pictures do not look alike.
  double correlation = 0.4;
  /// Share of the pixels that would have to change among 32 levels, above which two histograms
  /// differ.
  double changedLevels = 0.35;
};

/// Returns true if a folder of pictures holds unrelated ones: in up to three pairs of neighbours,
/// neither thumbnails nor histograms are alike. Both are compared because something that moves in
/// front of a dark background changes every thumbnail, and lamps that blink change every histogram.
/// A single picture is a still, too. The source must be able to seek, and is at its beginning
/// afterwards.
bool holdsStills(capture::Source& source, const StillsOptions& options = {});

}  // namespace glint::study
