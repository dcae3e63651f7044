// Estimates the background below crowded markers from samples of a picture. Markers that cover much
// of a picture raise its standard deviation so much that the automatic threshold could be above
// them.
#pragma once

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
/// the three probabilities counts.
Crowd crowdOf(const SampleGrid& samples);

/// Returns the threshold for crowded markers, or `usual` if markers are not crowded. They are
/// crowded if three conditions hold: 2 % of the samples are bright; `usual` exceeds the level by
/// 0.8 times their height; and they are no large areas, that is, lumps are below 0.6. The threshold
/// is then level + max(k * noise, height / 4). From 2 to 3 %, and from 0.8 to 1 times the height,
/// it changes gradually from `usual` to that.
double crowdedLevel(const Crowd& crowd, double k, double usual);

}  // namespace glint::gpu
