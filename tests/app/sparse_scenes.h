// Simulates few markers whose motion no model predicts, like those of recordings that other people
// made. A tracker of nearest neighbours in twenty lines serves for comparison.
#pragma once

#include <string>
#include <vector>

#include "tests/app/identity_cases.h"

namespace glint::test {

/// A scene and the figures that a tracker must reach in it.
struct SparseScene {
  std::string name;
  Recording recording;
  size_t mostTracks = 0;  ///< The largest allowed number of ids.
  double recall = 1;      ///< The smallest allowed share of markers with a row.
  double idf1 = 1;        ///< The smallest allowed IDF1.
};

/// Returns scenes with dots that jump, frames that are shown twice, cards that are shaken, and
/// lights that are modulated. Seeds are fixed, so that the scenes are the same on every machine.
std::vector<SparseScene> sparseScenes();

/// Tracks by nearest neighbours, the nearest pairs first. Each observation goes to a free track
/// that was seen within the last five frames and `reach` px. Without one it begins a new track.
Followed followNearest(const Recording& recording, double reach);

}  // namespace glint::test
