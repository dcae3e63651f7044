// The target that is moved through the volume: one light, a wand of two or three, or a board.
#pragma once

#include <string>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

/// Lights on a straight line. Each has a position between the two ends, as a fraction of their
/// distance. A single light counts as one end.
struct Target {
  /// Fractions: {0}, {0, 1} or {0, f, 1} with f below 0.5.
  std::vector<double> lights{0};
  /// Distance between the ends, mm. 0 for a single light.
  double length = 0;
  /// Standard deviation of the length in the fit, mm. It is small, so that the length counts as
  /// exact.
  double lengthSigma = 0.05;

  /// True for a printed board: see board.h.
  bool isBoard = false;

  /// Returns "the wand", "the light" or "the board".
  const char* name() const;
  bool isWand() const { return lights.size() > 1; }
};

/// Parses "500" (distance of two lights, mm) or "100,200" (three lights that are 100 mm and 200 mm
/// apart). Throws UsageError for any other text, for lengths outside 1 to 100000 mm, and if the two
/// distances are so similar that the ends could not be told apart.
Target parseWand(const std::string& text);

/// Dots that may be the ends of a wand, in order, or a single light.
struct Ends {
  /// One or two indices into the view's dots.
  std::vector<size_t> dots;
};

/// Returns all combinations of dots that may be the whole target in a view. For a single light it
/// is each dot. For a wand of two lights it is each pair in one order, since the ends look alike.
/// For a wand of three it is each triple on a line, with the shorter part first. Returns nothing if
/// the view has more than kMostDots.
std::vector<Ends> wholeSightings(const View& view, const Target& target);
/// Maximum number of dots in a view for wholeSightings(). Raising it takes longer, with the third
/// power for a wand of three.
constexpr size_t kMostDots = 10;

/// Returns true if at least two cameras see the whole target.
bool isShared(const Moment& moment, const Target& target);

}  // namespace glint::motion
