#include "app/motion/track/free_steps.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "app/motion/track/track.h"

namespace glint::motion {

void countFreeSteps(std::span<const Flash> flashes, std::span<Track> strangers,
                    const FastMarkerOptions& options, Untracked& untracked) {
  if (flashes.empty() || strangers.empty() || flashes.size() > options.maxFree ||
      strangers.size() > options.maxFree)
    return;
  // Returns the distance (px) between a stranger and the place where a flash would be if it
  // repeated its last step.
  const auto apart = [&](size_t f, size_t s) {
    const Flash& flash = flashes[f];
    const FreeStep before = flash.arrival.value_or(FreeStep());
    const TrackRow& row = strangers[s].last.row;
    return std::hypot(row.x - flash.x - before.x, row.y - flash.y - before.y);
  };
  const bool alone = flashes.size() == 1 && strangers.size() == 1;
  const double maxDifference = alone ? options.maxDifferenceAlone : options.maxDifference;
  for (size_t s = 0; s < strangers.size(); ++s) {
    // A flash and a stranger belong together if each is the nearest to the other.
    const auto allFlashes = std::views::iota(size_t{0}, flashes.size());
    const size_t f =
        *std::ranges::min_element(allFlashes, {}, [&](size_t i) { return apart(i, s); });
    const auto allStrangers = std::views::iota(size_t{0}, strangers.size());
    if (*std::ranges::min_element(allStrangers, {}, [&](size_t i) { return apart(f, i); }) != s)
      continue;
    const Flash& flash = flashes[f];
    FreeStep own{strangers[s].last.row.x - flash.x, strangers[s].last.row.y - flash.y};
    if (flash.arrival) {
      const double longer =
          std::max(std::hypot(own.x, own.y), std::hypot(flash.arrival->x, flash.arrival->y));
      own.counted = apart(f, s) <= maxDifference * longer;
      if (own.counted)
        untracked.add({.steps = flash.arrival->counted ? 1U : 2U, .farthest = longer});
    }
    strangers[s].arrival = own;
  }
}

}  // namespace glint::motion
