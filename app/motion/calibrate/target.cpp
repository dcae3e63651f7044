#include "app/motion/calibrate/target.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "config/error.h"

namespace glint::motion {
namespace {

/// Returns the position of `middle` along the line from a to b, 0 to 1, or a negative number if the
/// three are not on a line or `middle` is not between the others.
double fractionBetween(const Eigen::Vector2d& a, const Eigen::Vector2d& b,
                       const Eigen::Vector2d& middle) {
  // Maximum distance of a middle light from the line: kCrooked is a share of the length, kLoose is
  // added to it, px. Distortion bends the line. Raising them accepts more wrong dots.
  constexpr double kCrooked = 0.03, kLoose = 1.5;
  const Eigen::Vector2d along = b - a, to = middle - a;
  const double length = along.norm();
  if (!(length > 0)) return -1;
  const double across = std::abs(along.x() * to.y() - along.y() * to.x()) / length;
  const double fraction = along.dot(to) / (length * length);
  if (across > kLoose + kCrooked * length || fraction <= 0 || fraction >= 1) return -1;
  return fraction;
}

/// Returns the ends of all triples of dots whose middle light is at about `fraction`.
std::vector<Ends> triples(const View& view, double fraction) {
  // Shift of the middle light by perspective, as a share of the length, if the distances of the two
  // ends differ by a third. Raising it accepts more wrong dots.
  constexpr double kShift = 0.15;
  std::vector<Ends> all;
  const size_t n = view.dots.size();
  for (size_t a = 0; a < n; ++a)
    for (size_t b = 0; b < n; ++b)
      for (size_t m = 0; m < n && a != b; ++m) {
        if (m == a || m == b) continue;
        const double f = fractionBetween(view.dots[a].at, view.dots[b].at, view.dots[m].at);
        if (f >= 0 && std::abs(f - fraction) < kShift &&
            std::abs(f - fraction) < std::abs(1 - f - fraction))
          all.push_back({{a, b}});
      }
  return all;
}

}  // namespace

const char* Target::name() const {
  return isWand() ? "the wand" : isBoard ? "the board" : "the light";
}

Target parseWand(const std::string& text) {
  // Minimum and maximum length, mm.
  constexpr double kLeast = 1, kMost = 1e5;
  const auto refuse = [&] {
    throw UsageError(
        fmt::format("--wand {}: write the distance between two lights in mm, such as 500, or both "
                    "distances between three lights on a line, such as 100,200",
                    text));
  };
  std::vector<double> parts;
  std::string_view rest = text;
  while (true) {
    const size_t comma = std::min(rest.find(','), rest.size());
    double value = 0;
    const auto [end, status] = std::from_chars(rest.data(), rest.data() + comma, value);
    if (status != std::errc{} || end != rest.data() + comma || !(value >= kLeast && value <= kMost))
      refuse();
    parts.push_back(value);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  if (parts.size() > 2) refuse();
  if (parts.size() == 1) return {{0, 1}, parts[0]};
  const double length = parts[0] + parts[1], fraction = std::min(parts[0], parts[1]) / length;
  // Maximum ratio of the shorter distance to the whole length. Above it, the ends look alike.
  // Raising it accepts wands whose ends are harder to distinguish.
  constexpr double kTooAlike = 0.45;
  if (fraction > kTooAlike)
    throw UsageError(
        fmt::format("--wand {}: the third light is too near the middle, so the two ends look "
                    "alike; move it to a third of the length, or use two lights",
                    text));
  return {{0, fraction, 1}, length};
}

std::vector<Ends> wholeSightings(const View& view, const Target& target) {
  const size_t n = view.dots.size();
  std::vector<Ends> all;
  if (n < target.lights.size() || n > kMostDots) return all;
  if (target.lights.size() == 3) return triples(view, target.lights[1]);
  for (size_t a = 0; a < n; ++a) {
    if (!target.isWand()) all.push_back({{a}});
    for (size_t b = a + 1; b < n && target.isWand(); ++b) all.push_back({{a, b}});
  }
  return all;
}

bool isShared(const Moment& moment, const Target& target) {
  size_t cameras = 0;
  for (const View& view : moment.views)
    cameras += view.likely() >= target.lights.size() && !wholeSightings(view, target).empty();
  return cameras >= 2;
}

}  // namespace glint::motion
