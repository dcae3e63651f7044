// The level between markers and chance: what a search finds, compared with what it finds in the
// negative of the picture.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace glint::study {

/// A level of strength, and what is above it.
struct Cut {
  double strength = 0;  ///< of the faintest marker; 0: there is none
  double below = 0;     ///< of the strongest thing that is fainter, marker or decoy
  double markers = 0;   ///< a frame
  double decoys = 0;    ///< a frame, of the negative
  bool sure = false;    ///< true if there are more of them, or stronger ones, than chance explains
};

/// How sure the cut has to be. The values were chosen with the recordings and likenesses in
/// docs/measurements/probe.md.
struct CutOptions {
  /// Each decoy outweighs so many markers. Raising it cuts earlier, at stronger markers.
  double decoyWeight = 4;
  /// Markers minus weighted decoys, a frame, from which a cut is sure. Pure chance reaches 8 once
  /// in 150 searches. Raising it misses recordings with few markers.
  double sureSum = 8;
  /// A cut is also sure if the faintest marker is so many times as strong as the strongest decoy.
  double sureRatio = 2;
  /// A gap in the sorted strengths: the strength drops by `ratio` or more, and at most `share` of
  /// the markers are below it.
  struct Gap {
    double share, ratio;
  };
  /// Markers below any of these gaps are left out as something else. Wider shares need larger
  /// ratios, so that uneven light does not cut a cloud of markers in two.
  std::array<Gap, 3> gaps{{{0.5, 3}, {0.34, 2}, {0.1, 1.3}}};
};

/// Returns the level down to which what was found is marker rather than chance.
///
/// A scene's grain, its noise and its corners are as often dark as bright. So among the markers
/// there are about as many of them as the picture's negative has of the same strength (target and
/// decoy: Elias and Gygi 2007). Walking down from the strongest, each marker counts 1 and each
/// decoy -CutOptions::decoyWeight; the level is where the sum is greatest. If no level is sure, the
/// greatest sum stands.
///
/// `markers` and `decoys`: strengths in any order, of all `frames` frames together. `floor`: the
/// least strength that the strongest decoy is assumed to have.
Cut cutOf(std::vector<double> markers, std::vector<double> decoys, size_t frames, double floor = 0,
          const CutOptions& options = {});

}  // namespace glint::study
