// Which blobs are taken for several markers: error rates on synthetic discs, ellipses and pairs.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/gpu/blob_bench.h"

namespace glint {
namespace {

struct Ellipse {
  double x, y;          // px
  double major, minor;  // px, half axes
  double angle;         // rad
};

/// The share of light at a point in or near an ellipse whose edge is blurred by `sigma` px.
double coverage(const Ellipse& e, double x, double y, double sigma) {
  const double dx = x - e.x, dy = y - e.y;
  const double u = (dx * std::cos(e.angle) + dy * std::sin(e.angle)) / e.major;
  const double v = (dy * std::cos(e.angle) - dx * std::sin(e.angle)) / e.minor;
  const double f = std::hypot(u, v);
  const double slope = std::hypot(u / e.major, v / e.minor);
  if (slope == 0) return 1;
  const double distance = f * (f - 1) / slope;  // to first order
  return 0.5 * std::erfc(distance / (std::numbers::sqrt2 * sigma));
}

/// Scenes in the cells of one image, bright on dark.
struct Scenes {
  uint32_t cell;                             // px
  uint32_t across;                           // cells
  double sigma;                              // px, of the edges
  std::vector<std::vector<Ellipse>> scenes;  // relative to the centre of their cell
};

reference::Image render(const Scenes& s) {
  const uint32_t side = s.cell * s.across;
  reference::Image image{{side, side, 1, 8}, std::vector<uint16_t>(size_t{side} * side)};
  std::mt19937 random(7);
  for (uint32_t y = 0; y < side; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      const auto& scene = s.scenes[y / s.cell * s.across + x / s.cell];
      double light = 0;
      for (const auto& e : scene)
        light += coverage(e, x % s.cell - s.cell / 2.0, y % s.cell - s.cell / 2.0, s.sigma);
      const double noise =
          static_cast<double>(random() % 1000 + random() % 1000 + random() % 1000) / 150.0;
      image.values[size_t{y} * side + x] =
          static_cast<uint16_t>(std::clamp(300 * light + noise, 0.0, 255.0));
    }
  }
  return image;
}

/// What came out of scenes of one kind.
struct Tally {
  int scenes = 0, flagged = 0, split = 0, cut = 0;  // cut: into any number but the true one
  double squares = 0;                               // px^2, of the errors of parts' positions

  double flaggedRate() const { return double(flagged) / scenes; }
  double splitRate() const { return double(split) / scenes; }
  double cutRate() const { return double(cut) / scenes; }
  void add(const Tally& other) {
    scenes += other.scenes;
    flagged += other.flagged;
    split += other.split;
    cut += other.cut;
    squares += other.squares;
  }
};

Tally measure(test::BlobBench& bench, const Scenes& s) {
  const auto found =
      bench.find({render(s)}, 128, {.maxMarkers = 1024, .separation = 1, .fullScale = 255});
  std::vector<std::vector<shared::Detection>> perScene(s.scenes.size());
  for (const auto& d : found[0].markers)
    perScene[d.peakY / s.cell * s.across + d.peakX / s.cell].push_back(d);
  Tally tally;
  for (size_t i = 0; i < s.scenes.size(); ++i) {
    const auto& truth = s.scenes[i];
    const double originX = double(i % s.across * s.cell) + s.cell / 2.0;
    const double originY = double(i / s.across * s.cell) + s.cell / 2.0;
    tally.scenes += 1;
    tally.flagged += !perScene[i].empty() && (perScene[i][0].flags & shared::kFlagMerged) != 0;
    const bool right = perScene[i].size() == truth.size();
    tally.split += right && truth.size() > 1;
    tally.cut += !right && perScene[i].size() != 1;
    if (!right || truth.size() == 1) continue;
    for (const auto& e : truth) {
      double nearest = 1e9;
      for (const auto& d : perScene[i])
        nearest =
            std::min(nearest, std::pow(d.x - e.x - originX, 2) + std::pow(d.y - e.y - originY, 2));
      tally.squares += nearest / double(truth.size());
    }
  }
  return tally;
}

struct Size {
  double radius;  // px, of the larger marker
  uint32_t cell, across;
};
const Size kSizes[] = {{3, 32, 16}, {4, 32, 16},  {5, 40, 16}, {8, 56, 12},
                       {15, 84, 8}, {30, 150, 6}, {60, 280, 4}};

double uniform(std::mt19937& random, double from, double to) {
  return from + (to - from) * static_cast<double>(random() % 100003) / 100003.0;
}

Ellipse ellipse(std::mt19937& random, double minor, double eccentricity) {
  return {uniform(random, -1, 1), uniform(random, -1, 1),
          minor / std::sqrt(1 - eccentricity * eccentricity), minor,
          uniform(random, 0, std::numbers::pi)};
}

/// Two discs whose edges overlap by a share of the smaller one's radius.
std::vector<Ellipse> pair(std::mt19937& random, double radius, double ratio, double overlap) {
  const double other = radius * ratio;
  const double distance = radius + other - overlap * other;
  const double angle = uniform(random, 0, 2 * std::numbers::pi);
  const double x = uniform(random, -1, 1), y = uniform(random, -1, 1);
  const double dx = distance / 2 * std::cos(angle), dy = distance / 2 * std::sin(angle);
  return {{x + dx, y + dy, radius, radius, 0}, {x - dx, y - dy, other, other, 0}};
}

/// Of every size, with sharp and with blurred edges.
template <class Make>
Tally tallyAll(test::BlobBench& bench, const Size& size, Make make) {
  Tally all;
  for (const double sigma : {0.3, 0.8, 1.5}) {
    std::mt19937 random(static_cast<uint32_t>(size.radius * 10 + sigma * 100));
    Scenes s{size.cell, size.across, sigma, {}};
    for (uint32_t i = 0; i < size.across * size.across; ++i) s.scenes.push_back(make(random));
    all.add(measure(bench, s));
  }
  return all;
}

TEST(BlobSplit, SinglesAreLeftWhole) {
  for (const auto& size : kSizes) {
    test::BlobBench bench({size.cell * size.across, size.cell * size.across, 1, 8}, 1);
    for (const double eccentricity : {0.0, 0.5, 0.7, 0.8}) {
      const auto t = tallyAll(bench, size, [&](auto& random) {
        return std::vector<Ellipse>{ellipse(random, size.radius, eccentricity)};
      });
      std::printf("single r %4.0f e %.1f: flagged %5.3f cut %5.3f of %d\n", size.radius,
                  eccentricity, t.flaggedRate(), t.cutRate(), t.scenes);
    }
  }
}

TEST(BlobSplit, PairsAreFlaggedAndSplit) {
  for (const auto& size : kSizes) {
    test::BlobBench bench({size.cell * size.across, size.cell * size.across, 1, 8}, 1);
    for (const double ratio : {1.0, 0.75, 0.5}) {
      for (const double overlap : {0.0, 0.1, 0.25, 0.5}) {
        const auto t = tallyAll(
            bench, size, [&](auto& random) { return pair(random, size.radius, ratio, overlap); });
        std::printf(
            "pair r %4.0f ratio %.2f overlap %.2f: flagged %5.3f split %5.3f cut %5.3f rms %.2f of "
            "%d\n",
            size.radius, ratio, overlap, t.flaggedRate(), t.splitRate(), t.cutRate(),
            std::sqrt(t.squares / std::max(t.split, 1)), t.scenes);
      }
    }
  }
}

}  // namespace
}  // namespace glint
