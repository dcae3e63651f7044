// Estimates the background below crowded markers from samples of a picture. Markers that cover much
// of a picture raise its standard deviation so much that the automatic threshold could be above
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace glint::gpu {

/// Samples of a picture: every `step`-th pixel of every `step`-th row, row by row. A sample of ~0
/// does not count.
struct SampleGrid {
  std::span<const uint32_t> values;
  uint32_t columns = 0;
  uint32_t step = 1;  ///< px
};

/// The numbers that decide what background and markers are. tests/gpu/crowd_test.cpp guards them.
struct CrowdOptions {
  /// The smallest number of samples from which anything is estimated. Raising it ignores larger
  /// pictures.
  size_t minSamples = 64;
  /// The background covers at least one part in `groundPart` of the samples. Raising it finds the
  /// background below denser markers, and takes smaller areas of equal brightness for it.
  size_t groundPart = 4;
  /// Samples are bright if they exceed the level of the background by this many standard
  /// deviations. Raising it counts less noise, and fewer faint markers.
  double brightSigmas = 5;
  /// The smallest distance at which samples are compared as neighbours, px. Most markers are
  /// smaller. Raising it takes larger markers for markers, and larger areas as well.
  uint32_t neighbourDistance = 12;
  /// The number of distances at which neighbours are compared, each a step larger than the one
  /// before. Raising it recognises more regular patterns of markers, and takes longer.
  uint32_t neighbourDistances = 3;
  /// The share of bright samples from which on markers begin to count as crowded, and the share
  /// from which on they do. Raising them leaves the usual threshold to denser markers.
  double fewBright = 0.02, manyBright = 0.03;
  /// Heights of the usual threshold above the level, in units of the markers' height: from the
  /// first one on it begins to miss markers, and from the second one on it misses most of them.
  /// Raising them leaves the usual threshold to fainter markers.
  double missesSome = 0.8, missesMost = 1;
  /// The value of Crowd::lumps from which on the bright samples are areas and not markers. Raising
  /// it takes larger areas for crowded markers.
  double maxLumps = 0.6;
  /// The lowest threshold above the level, as a share of the markers' height. Raising it leaves out
  /// more of the light around markers, and more of the dimmer markers.
  double minHeight = 0.25;
};

/// Returns the distance between the samples of a plane, px, so that there are at most
/// shared::kMaxSamples of them.
uint32_t sampleStep(uint32_t width, uint32_t height);

/// Returns the samples of a layer of the given size. They are the first ones in `samples`.
SampleGrid sampleGrid(uint32_t width, uint32_t height, std::span<const uint32_t> samples);

/// The background below crowded markers, and the height of the markers, in counts. Not valid if
/// `all` is 0.
struct Crowd {
  uint32_t all = 0;     ///< number of samples that count
  uint32_t bright = 0;  ///< number of those that exceed the level by five times the noise
  double level = 0;     ///< mean of the background
  double noise = 0;     ///< standard deviation of the background
  double height = 0;    ///< mean height of the bright samples above the level, weighted by height^2
  /// Probability that the neighbour of a sample above half of this height is also above it. It is
  /// small for markers and large for bright areas.
  double lumps = 0;
  bool operator==(const Crowd&) const = default;
};

/// Estimates the background and the markers from samples. The background is taken as the most
/// frequent values: its level is the mean of the shortest range of values that contains a quarter
/// of the samples, rounded down to 1/256. Of equally short ranges the lowest counts, with all
/// samples that have values in it. The noise is the root mean square distance of samples at or
/// below the level from the level, since markers do not change those. It is at least that of
/// rounding, sqrt(1/12). A neighbour, for `lumps`, is a sample in the same row or column whose
/// distance is the least number of steps that makes 12 px, or one or two steps more. The least of
/// the three probabilities counts. All numbers in this description are the defaults of `options`.
Crowd crowdOf(const SampleGrid& samples, const CrowdOptions& options = {});

/// Returns the threshold for crowded markers, or `usual` if markers are not crowded. They are
/// crowded if three conditions hold: 2 % of the samples are bright; `usual` exceeds the level by
/// 0.8 times their height; and they are no large areas, that is, lumps are below 0.6. The threshold
/// is then level + max(k * noise, height / 4). From 2 to 3 %, and from 0.8 to 1 times the height,
/// it changes gradually from `usual` to that.
double crowdedLevel(const Crowd& crowd, double k, double usual, const CrowdOptions& options = {});

}  // namespace glint::gpu
