#include "app/commands/space_summary.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glint {

void SpaceCounts::add(const SpaceFrame& frame) {
  refused += frame.refused.size();
  for (const SpaceRow& row : frame.finalised) {
    ++rows;
    if (row.state != TrackState::measured) continue;
    ++measured;
    residual2 += row.residual * row.residual;
  }
}

void SpaceCounts::take(const PointTracker& tracker) {
  points = tracker.points();
  stitches = tracker.stitches();
  spread = tracker.worstSpread();
  floors.clear();
  for (size_t c = 0; c < tracker.rig().size(); ++c)
    floors.push_back(tracker.floor().learned(c) ? std::sqrt(tracker.floor().variance(c)) : -1);
}

std::string spaceText(const SpaceCounts& counts) {
  std::string text = fmt::format("{} points, {} rows, {} of them measured", counts.points,
                                 counts.rows, counts.measured);
  if (counts.stitches > 0) text += fmt::format(", {} gaps stitched", counts.stitches);
  if (counts.measured > 0)
    text += fmt::format("; residuals {:.3f} px",
                        std::sqrt(counts.residual2 / static_cast<double>(counts.measured)));
  std::vector<std::string> floors;
  for (const double floor : counts.floors)
    floors.push_back(floor < 0 ? "unknown" : fmt::format("{:.3f}", floor));
  text += fmt::format("; beyond their sigmas, by camera: {} px", fmt::join(floors, " "));
  if (counts.spread > 1e-4)
    text += fmt::format("; cameras of a set up to {:.1f} ms apart", 1e3 * counts.spread);
  return text;
}

}  // namespace glint
