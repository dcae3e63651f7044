#include "app/motion/space/space_counts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/motion/space/point_tracker.h"

namespace glint::motion {
namespace {

/// Returns the root mean square, or 0 without a count.
double rootMean(double sum, uint64_t count) {
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

}  // namespace

double SpaceCounts::BodyCount::sigma() const {
  return rootMean(sigma2, measured);
}

double SpaceCounts::BodyCount::turn() const {
  return rootMean(turn2, measured) * 180 / std::numbers::pi;
}

double SpaceCounts::BodyCount::residual() const {
  return rootMean(residual2, residuals);
}

double SpaceCounts::meanRays() const {
  return measured > 0 ? static_cast<double>(rays) / static_cast<double>(measured) : 0;
}

double SpaceCounts::sigma() const {
  return rootMean(sigma2, measured);
}

double SpaceCounts::residual() const {
  return rootMean(residual2, measured);
}

void SpaceCounts::add(const SpaceFrame& frame) {
  refused += frame.refused.size();
  for (const SpaceRow& row : frame.finalised) {
    ++rows;
    if (row.state != TrackState::measured) continue;
    ++measured;
    rays += static_cast<uint64_t>(row.rays());
    residual2 += row.residual * row.residual;
    sigma2 += row.covariance.trace();
  }
  if (!frame.frame) return;
  for (const PoseRow& row : frame.poses) {
    BodyCount& body = bodies[row.body];
    ++body.rows;
    if (std::isfinite(row.residual))
      ++body.residuals, body.residual2 += row.residual * row.residual;
    if (row.state != PoseState::measured) continue;
    ++body.measured;
    body.sigma2 += row.sigma() * row.sigma();
    body.turn2 += row.sigmaAngle() * row.sigmaAngle();
  }
}

void SpaceCounts::take(const PointTracker& tracker) {
  any = true;
  points += tracker.points();
  stitches += tracker.stitches();
  sets += tracker.clock().sets();
  if (tracker.hasFewSets()) confirm = tracker.confirm();
  spread = std::max(spread, tracker.clock().worstSpread());
  for (const KnownBody& known : tracker.bodies()) bodies[known.body.name];
  const auto& corrected = tracker.corrections();
  corrections.insert(corrections.end(), corrected.begin(), corrected.end());
  for (const std::string& doubt : tracker.cameraDoubts()) doubts.push_back(doubt);
  floors.resize(tracker.rig().size(), -1);
  for (size_t c = 0; c < floors.size(); ++c)
    if (tracker.floor().learned(c)) floors[c] = std::sqrt(tracker.floor().variance(c));
}

std::string spaceText(const SpaceCounts& counts) {
  std::string text = fmt::format("{} points, {} rows, {} of them measured", counts.points,
                                 counts.rows, counts.measured);
  if (counts.measured > 0)
    text += fmt::format(" by {:.1f} rays and to {:.2f} mm on average", counts.meanRays(),
                        counts.sigma());
  if (counts.stitches > 0) text += fmt::format(", {} gaps stitched", counts.stitches);
  if (counts.measured > 0) text += fmt::format("; residuals {:.3f} px", counts.residual());
  std::vector<std::string> floors;
  for (const double floor : counts.floors)
    floors.push_back(floor < 0 ? "unknown" : fmt::format("{:.3f}", floor));
  if (std::any_of(counts.floors.begin(), counts.floors.end(), [](double f) { return f >= 0; }))
    text += fmt::format("; beyond their sigmas, by camera: {} px", fmt::join(floors, " "));
  if (counts.spread > 1e-4)
    text += fmt::format("; cameras of a set up to {:.1f} ms apart", 1e3 * counts.spread);
  if (!counts.corrections.empty())
    text += fmt::format("; corrected: {}", fmt::join(counts.corrections, "; "));
  return text;
}

std::string correctedSummary(const SpaceCounts& counts, const std::string& file) {
  return counts.corrections.empty() || file.empty()
             ? ""
             : fmt::format("the corrected rig -> {}\n", file);
}

std::string doubtsSummary(const SpaceCounts& counts) {
  // Number of sets after which points are expected. Raising it gives the advice later. A point
  // needs track.confirm sets, which is 3 by default.
  constexpr uint64_t kEnough = 10;
  std::string text;
  const std::string sets = counts.sets == 1 ? "1 set" : fmt::format("{} sets", counts.sets);
  if (counts.confirm > 0 && counts.points > 0)
    text += fmt::format(
        "hint: of {} only, all points are kept, although {} should confirm each (track.confirm); "
        "some may be chance\n",
        sets, counts.confirm);
  for (const std::string& doubt : counts.doubts) text += doubt + "\n";
  const bool enough = counts.sets >= kEnough || counts.confirm > 0;
  if (counts.points == 0 && enough && counts.doubts.empty())
    text += fmt::format(
        "hint: in {} no rays made a point; check that source N is camera N of the rig "
        "(--rig-cameras), that no camera was moved, and that the sources run together\n",
        sets);
  return text;
}

std::string bodiesSummary(const SpaceCounts& counts) {
  std::string text;
  for (const auto& [name, body] : counts.bodies) {
    if (body.rows == 0) {
      text += fmt::format("body '{}' was never found\n", name);
      continue;
    }
    text += fmt::format("body '{}' in {} of {} sets", name, body.rows, counts.sets);
    if (body.measured > 0)
      text += fmt::format(", measured in {} to {:.2f} mm and {:.2f} degrees", body.measured,
                          body.sigma(), body.turn());
    text += fmt::format("; residuals {:.2f} mm\n", body.residual());
  }
  return text;
}

}  // namespace glint::motion
