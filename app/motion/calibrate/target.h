// What is moved through the volume: one light, or a wand of two or three.
#pragma once

#include <string>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

/// Lights on a straight line. Each lies at a fraction of the way from one end to the other; a
/// single light is an end alone.
struct Target {
  std::vector<double> lights{0};  ///< fractions: {0}, {0, 1} or {0, f, 1}
  double length = 0;              ///< mm between the ends; 0 for a single light
  /// mm, of the row that holds each moment to the length, which counts as exact.
  double lengthSigma = 0.05;

  bool isBoard = false;  ///< a printed board: see board.h

  /// "the wand", "the light" or "the board".
  const char* name() const;
  bool isWand() const { return lights.size() > 1; }
};

/// Reads "500" (two lights, mm) or "100,200" (three: 100 mm and 200 mm apart). Throws UsageError
/// for what is neither, for lengths outside of 1 to 100000 mm, and for two equal ones, since the
/// ends could not be told apart.
Target parseWand(const std::string& text);

/// Dots that may be the ends of a wand, or a single light, in order.
struct Ends {
  std::vector<size_t> dots;  ///< 1 or 2 indices into the view's dots
};

/// All that may be the target, whole, in a view: each dot; each pair in one order, since both ends
/// of a wand of two are alike; or each three on a line, the shorter part first. Nothing where there
/// are more than kMostDots.
std::vector<Ends> wholeSightings(const View& view, const Target& target);
constexpr size_t kMostDots = 10;

/// Whether two cameras or more see the whole target.
bool isShared(const Moment& moment, const Target& target);

}  // namespace glint::motion
