// Few markers that move as no motion model foretells: likenesses of recordings that other people
// made. And what twenty lines of nearest neighbours make of them.
#pragma once

#include <string>
#include <vector>

#include "tests/app/identity_cases.h"

namespace glint::test {

struct SparseScene {
  std::string name;
  Recording recording;
  size_t mostTracks = 0;  ///< ids given, at most
  double recall = 1;      ///< rows on a marker, at least
  double idf1 = 1;        ///< at least
};

/// Dots that jump, frames shown twice, cards that are shaken, lights that are modulated; seeds are
/// fixed, so that they are the same on every machine.
std::vector<SparseScene> sparseScenes();

/// Each observation belongs to the nearest track that is free and was seen within the last five
/// frames and `reach` px, the nearest pairs first; otherwise it begins a new one.
Followed followNearest(const Recording& recording, double reach);

}  // namespace glint::test
