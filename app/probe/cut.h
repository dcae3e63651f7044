// Where markers end and chance begins: what a search finds, beside what it finds in the negative.
#pragma once

#include <cstddef>
#include <vector>

namespace glint {

/// A level of strength, and what is above it.
struct Cut {
  double strength = 0;  ///< of the faintest marker; 0: there is none
  double below = 0;     ///< of the strongest thing that is fainter, marker or decoy
  double markers = 0;   ///< a frame
  double decoys = 0;    ///< a frame, of the negative
  bool sure = false;    ///< whether so many or so strong ones are more than chance
};

/// The level down to which what was found is marker rather than chance. A scene's grain, its noise
/// and its corners are as often dark as bright, so of what is found as strong in the picture's
/// negative there are as many among the markers (target and decoy: Elias and Gygi 2007). Walking
/// down, each marker counts 1 and each decoy -4: the level is where the sum is greatest. It is sure
/// where the sum reaches 8 a frame, which pure chance does once in 150 searches, or where the
/// faintest marker is twice as strong as the strongest decoy. If no level is sure, the greatest sum
/// stands. Markers below a gap are left out: up to a tenth of them below a factor of 1.3, a third
/// below 2, half below 3. Strengths, in any order, of all `frames` frames together; `floor`: what
/// the strongest decoy is taken for at least.
Cut cutOf(std::vector<double> markers, std::vector<double> decoys, size_t frames, double floor = 0);

}  // namespace glint
