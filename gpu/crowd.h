// The ground below crowded markers, from samples of a picture: markers that cover much of it raise
// its spread, and with it the automatic threshold, above themselves.
#pragma once

#include <cstdint>
#include <span>

namespace glint::gpu {

/// Samples of a picture: pixels at every `step`-th place, row by row; ~0: does not count.
struct SampleGrid {
  std::span<const uint32_t> values;
  uint32_t columns = 0;
  uint32_t step = 1;  ///< px
};

/// px between the samples of a plane, so that there are shared::kMaxSamples at most.
uint32_t sampleStep(uint32_t width, uint32_t height);

/// The samples of a layer of such a size, which `samples` begins with.
SampleGrid sampleGrid(uint32_t width, uint32_t height, std::span<const uint32_t> samples);

/// What crowded markers stand on, and how bright they are. Not valid where `all` is 0.
struct Crowd {
  uint32_t all = 0;     ///< samples that count
  uint32_t bright = 0;  ///< of them, those that are five deviations above the ground
  double level = 0;     ///< of the ground
  double noise = 0;     ///< its standard deviation
  double height = 0;    ///< what the bright ones are above the level: mean, weighed by its square
  double lumps = 0;     ///< chance that beside a sample above half that height another one is, too
  bool operator==(const Crowd&) const = default;
};

/// The ground is where samples are densest: its level is the mean of the shortest range of values
/// that holds a quarter of them, in 1/256 rounded down (of equally short ranges the lowest one,
/// with all samples that have these values). Its noise is the root mean square of what samples at
/// or below the level are below it, since nothing of the markers is there, and at least that of
/// rounding, sqrt(1/12). Beside means in the same row or column, the least number of steps apart
/// that is 12 px or more, or one or two steps more: the least of these three chances.
Crowd crowdOf(const SampleGrid& samples);

/// The threshold where markers are crowded, and `usual` elsewhere. They are where 2 % of the
/// samples are bright, `usual` is 0.8 times their height or more above the ground, and they are no
/// large areas: lumps below 0.6. It is level + max(k noise, height / 4); from 2 to 3 % and from 0.8
/// to 1 it goes over to that in proportion.
double crowdedLevel(const Crowd& crowd, double k, double usual);

}  // namespace glint::gpu
