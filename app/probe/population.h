// Markers of a recording are like each other, and what else is found is not: how many detections
// are alike, and what they are.
#pragma once

#include <vector>

#include "shared/results.h"

namespace glint {

/// What was found in each of some frames.
using Findings = std::vector<std::vector<shared::Detection>>;

/// Detections around the most usual radius and contrast. Each counts by how near it is to both (a
/// Gaussian of the logarithms, of 0.5 and 0.8) and nothing if it hardly stands out of the noise.
struct Population {
  double evidence = 0;   ///< a frame: sum of the members' contrast^1.5; a scene's grain has little
  double count = 0;      ///< a frame: members, each as it counts
  double purity = 0;     ///< of all that was found, weighted as evidence is: 0 to 1
  double radius = 0;     ///< px, median
  double contrast = 0;   ///< of full scale, median
  double faintPeak = 0;  ///< response that nine tenths of the evidence reach
};

/// `fullScale`: the largest value of the pixels. Nothing found gives zeros.
Population populationOf(const Findings& findings, double fullScale);

/// How much a detection belongs to a population: 0 to 1.
double membership(const shared::Detection& seen, const Population& population, double fullScale);

}  // namespace glint
