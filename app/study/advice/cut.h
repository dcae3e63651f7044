// The level of strength that separates markers from chance. It comes from a comparison of the
// markers in a picture with those in the negative of the picture.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace glint::study {

/// A level of strength, and the markers above it.
struct Cut {
  /// The strength of the faintest marker above the level; 0 if there is none.
  double strength = 0;
  double below = 0;    ///< The strength of the strongest marker or decoy below the level.
  double markers = 0;  ///< The number of markers above the level, per frame.
  double decoys = 0;  ///< The number of decoys above the level, per frame: markers in the negative.
  bool sure = false;  ///< True if the markers are more, or stronger, than chance explains.
};

/// Options for choosing a level, and for judging if it is sure. The values were chosen with the
/// recordings and likenesses in docs/measurements/probe.md.
struct CutOptions {
  /// The number of markers that one decoy outweighs. Raising it puts the level higher, so that
  /// fewer and stronger markers are above it.
  double decoyWeight = 4;
  /// The number of markers minus weighted decoys, per frame, from which a level is sure. Pure
  /// chance reaches 8 once in 150 searches. Raising it misses recordings with few markers.
  double sureSum = 8;
  /// A level is also sure if the faintest marker above it is this many times as strong as the
  /// strongest decoy. Raising it misses recordings with few and faint markers.
  double sureRatio = 2;
  /// A gap in the sorted strengths: the strength drops by a factor of `ratio` or more, and at most
  /// `share` of the markers are below it.
  struct Gap {
    double share, ratio;
  };
  /// Markers below any of these gaps are left out as something else. Wider shares need larger
  /// ratios, so that uneven light does not cut a cloud of markers in two.
  std::array<Gap, 3> gaps{{{0.5, 3}, {0.34, 2}, {0.1, 1.3}}};
};

/// Returns the level of strength above which there are more markers than chance explains.
///
/// Grain, noise and corners in a scene are as often dark as bright. So among the markers in a
/// picture, there are about as many of them as the negative of the picture has at the same strength
/// (target and decoy: Elias and Gygi 2007). The search starts at the strongest marker and goes on
/// to fainter ones. Each marker adds 1 to a sum, and each decoy subtracts CutOptions::decoyWeight.
/// The level is where the sum is greatest among the levels that are sure; if none is sure, where it
/// is greatest of all. Then the level is raised to the gaps of CutOptions::gaps.
///
/// `markers` and `decoys`: strengths in any order, of all `frames` frames together. `floor`: the
/// strength of the strongest decoy is taken to be at least this.
Cut cutOf(std::vector<double> markers, std::vector<double> decoys, size_t frames, double floor = 0,
          const CutOptions& options = {});

}  // namespace glint::study
