// Splitting of blobs into several markers: error rates on synthetic discs, ellipses and pairs.
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "tests/gpu/blob_rig.h"

namespace glint {
namespace {

struct Ellipse {
  double x, y;          // px
  double major, minor;  // px, half axes
  double angle;         // rad
};

/// Returns the share of light at a point in or near an ellipse whose edge is blurred by `sigma` px.
double coverage(const Ellipse& e, double x, double y, double sigma) {
  const double dx = x - e.x, dy = y - e.y;
  if (std::hypot(dx, dy) > e.major + 6 * sigma) return 0;
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
  double sigma;                              // px, blur of the edges
  double gain;                               // response of full light; above 255 saturates
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
          static_cast<uint16_t>(std::clamp(s.gain * light + noise, 0.0, 255.0));
    }
  }
  return image;
}

/// The results for scenes of one kind.
struct Tally {
  // Cut: into any number of parts except the true one.
  int scenes = 0, flagged = 0, split = 0, cut = 0;
  double squares = 0;  // px^2, of the errors of parts' positions

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

Tally measure(test::BlobRig& rig, const Scenes& s) {
  const auto found =
      rig.find({render(s)}, 128, {.maxMarkers = 1024, .separation = 1, .fullScale = 255});
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
  double radius;  // px, radius of the larger marker
  uint32_t cell, across;
};
double uniform(std::mt19937& random, double from, double to) {
  return from + (to - from) * static_cast<double>(random() % 100003) / 100003.0;
}

Ellipse ellipse(std::mt19937& random, double minor, double eccentricity) {
  return {uniform(random, -1, 1), uniform(random, -1, 1),
          minor / std::sqrt(1 - eccentricity * eccentricity), minor,
          uniform(random, 0, std::numbers::pi)};
}

/// Makes two discs whose edges overlap by a share of the smaller one's radius.
std::vector<Ellipse> pair(std::mt19937& random, double radius, double ratio, double overlap) {
  const double other = radius * ratio;
  const double distance = radius + other - overlap * other;
  const double angle = uniform(random, 0, 2 * std::numbers::pi);
  const double x = uniform(random, -1, 1), y = uniform(random, -1, 1);
  const double dx = distance / 2 * std::cos(angle), dy = distance / 2 * std::sin(angle);
  return {{x + dx, y + dy, radius, radius, 0}, {x - dx, y - dy, other, other, 0}};
}

/// Measures scenes with edges of three blurs, one after another.
template <class Make>
Tally tallyAll(test::BlobRig& rig, const Size& size, double gain, Make make) {
  Tally all;
  for (const double sigma : {0.3, 0.8, 1.5}) {
    std::mt19937 random(static_cast<uint32_t>(size.radius * 10 + sigma * 100));
    Scenes s{size.cell, size.across, sigma, gain, {}};
    for (uint32_t i = 0; i < size.across * size.across; ++i) s.scenes.push_back(make(random));
    all.add(measure(rig, s));
  }
  return all;
}

test::BlobRig rigFor(const Size& size) {
  return {gpu::ImageFormat{size.cell * size.across, size.cell * size.across, 1, 8}, 1};
}

/// Discs are saturated or not, and as eccentric as a disc seen at up to 53 degrees.
TEST(BlobSplit, SinglesAreLeftWhole) {
  for (const Size& size :
       {Size{3, 32, 16}, Size{5, 40, 16}, Size{8, 56, 12}, Size{20, 108, 6}, Size{60, 280, 3}}) {
    auto rig = rigFor(size);
    for (const double eccentricity : {0.0, 0.6, 0.8}) {
      for (const double gain : {180.0, 300.0}) {
        const auto t = tallyAll(rig, size, gain, [&](auto& random) {
          return std::vector<Ellipse>{ellipse(random, size.radius, eccentricity)};
        });
        SCOPED_TRACE("radius " + std::to_string(size.radius) + ", e " +
                     std::to_string(eccentricity) + ", gain " + std::to_string(gain));
        EXPECT_LE(t.flaggedRate(), 0.01);
        EXPECT_LE(t.cutRate(), 0.002);
      }
    }
  }
}

struct PairRow {
  Size size;
  double ratio, overlap;  // ratio of the radii; overlap as a share of the smaller radius
  double least;           // least rate of pairs that are cut into two
  double error;           // px, root mean square error of the parts' centroids
};

/// The measured rates, rounded down. The pairs that are not cut look like an ellipse, because they
/// are small and blurred.
const PairRow kPairs[] = {
    {{3, 32, 16}, 1, 0, 0.87, 0.29},       {{3, 32, 16}, 1, 0.25, 0.65, 0.22},
    {{3, 32, 16}, 1, 0.5, 0.28, 0.30},     {{3, 32, 16}, 0.75, 0, 0.58, 0.25},
    {{3, 32, 16}, 0.75, 0.25, 0.16, 0.28}, {{5, 40, 16}, 1, 0, 0.99, 0.25},
    {{5, 40, 16}, 1, 0.25, 0.99, 0.22},    {{5, 40, 16}, 1, 0.5, 0.65, 0.35},
    {{5, 40, 16}, 0.75, 0, 0.99, 0.28},    {{5, 40, 16}, 0.75, 0.25, 0.65, 0.26},
    {{5, 40, 16}, 0.75, 0.5, 0.27, 0.42},  {{5, 40, 16}, 0.5, 0, 0.63, 0.22},
    {{5, 40, 16}, 0.5, 0.25, 0.07, 0.30},  {{8, 56, 12}, 1, 0, 0.99, 0.21},
    {{8, 56, 12}, 1, 0.25, 0.99, 0.22},    {{8, 56, 12}, 1, 0.5, 0.99, 0.49},
    {{8, 56, 12}, 0.75, 0, 0.99, 0.22},    {{8, 56, 12}, 0.75, 0.25, 0.99, 0.28},
    {{8, 56, 12}, 0.75, 0.5, 0.65, 0.51},  {{8, 56, 12}, 0.5, 0, 0.99, 0.26},
    {{8, 56, 12}, 0.5, 0.25, 0.65, 0.35},  {{8, 56, 12}, 0.5, 0.5, 0.09, 0.60},
    {{15, 84, 8}, 1, 0, 0.99, 0.16},       {{15, 84, 8}, 1, 0.25, 0.99, 0.35},
    {{15, 84, 8}, 1, 0.5, 0.99, 0.95},     {{15, 84, 8}, 0.75, 0, 0.99, 0.17},
    {{15, 84, 8}, 0.75, 0.25, 0.99, 0.34}, {{15, 84, 8}, 0.75, 0.5, 0.99, 0.83},
    {{15, 84, 8}, 0.5, 0, 0.99, 0.18},     {{15, 84, 8}, 0.5, 0.25, 0.99, 0.41},
    {{15, 84, 8}, 0.5, 0.5, 0.65, 0.82},   {{60, 280, 3}, 1, 0, 0.99, 0.11},
    {{60, 280, 3}, 1, 0.25, 0.99, 1.47},   {{60, 280, 3}, 1, 0.5, 0.99, 3.94},
    {{60, 280, 3}, 0.75, 0, 0.99, 0.11},   {{60, 280, 3}, 0.75, 0.25, 0.99, 1.13},
    {{60, 280, 3}, 0.75, 0.5, 0.99, 3.06}, {{60, 280, 3}, 0.5, 0, 0.99, 0.12},
    {{60, 280, 3}, 0.5, 0.25, 0.99, 0.96}, {{60, 280, 3}, 0.5, 0.5, 0.99, 2.53},
};

TEST(BlobSplit, PairsAreCutInTwo) {
  std::optional<test::BlobRig> rig;
  double radius = 0;
  for (const auto& row : kPairs) {
    if (row.size.radius != radius) rig.emplace(rigFor(row.size));
    radius = row.size.radius;
    const auto t = tallyAll(*rig, row.size, 300, [&](auto& random) {
      return pair(random, row.size.radius, row.ratio, row.overlap);
    });
    SCOPED_TRACE("radius " + std::to_string(row.size.radius) + ", ratio " +
                 std::to_string(row.ratio) + ", overlap " + std::to_string(row.overlap));
    EXPECT_GE(t.splitRate(), row.least);
    EXPECT_GE(t.flaggedRate(), t.splitRate());
    EXPECT_LE(t.cutRate(), 0.01);
    EXPECT_LE(std::sqrt(t.squares / std::max(t.split, 1)), row.error);
  }
}

/// Finds the blobs of one scene in the middle of an image.
std::vector<shared::Detection> findIn(const std::vector<Ellipse>& scene, uint32_t side,
                                      double separation) {
  const auto image = render({side, 1, 0.5, 300, {scene}});
  test::BlobRig rig({side, side, 1, 8}, 1);
  return rig.find({image}, 128, {.maxMarkers = 64, .separation = separation, .fullScale = 255})[0]
      .markers;
}

TEST(BlobSplit, LargeAndSmallDiscsAreOneMarkerEach) {
  std::vector<Ellipse> discs;
  double x = -480;
  for (const double r : {3.0, 4.0, 6.0, 9.0, 14.0, 20.0, 30.0, 45.0, 60.0}) {
    x += r + 20;
    discs.push_back({x, std::fmod(7.3 * r, 100.0), r, r, 0});
    x += r;
  }
  const auto markers = findIn(discs, 1000, 8);
  ASSERT_EQ(markers.size(), discs.size());
  for (size_t i = 0; i < markers.size(); ++i) {
    const auto& disc = discs[discs.size() - 1 - i];  // the largest have the most mass
    EXPECT_NEAR(markers[i].x, disc.x + 500, 0.1);
    EXPECT_NEAR(markers[i].y, disc.y + 500, 0.1);
    EXPECT_NEAR(markers[i].radius, disc.major, 0.3);
    EXPECT_EQ(markers[i].flags, shared::kFlagSaturated);
  }
}

TEST(BlobSplit, ThreeInARowAreThree) {
  const auto markers =
      findIn({{-31, -10, 17, 17, 0}, {0, 0, 15, 15, 0}, {28, 9, 15, 15, 0}}, 150, 8);
  ASSERT_EQ(markers.size(), 3U);
  for (const auto& d : markers) EXPECT_EQ(d.flags & shared::kFlagMerged, shared::kFlagMerged);
}

TEST(BlobSplit, AHeapThatCannotBeCutIsFlagged) {
  const auto markers =
      findIn({{0, -15, 13, 13, 0}, {-13, 7.5, 13, 13, 0}, {13, 7.5, 13, 13, 0}}, 100, 200);
  ASSERT_EQ(markers.size(), 1U);
  EXPECT_EQ(markers[0].flags & shared::kFlagMerged, shared::kFlagMerged);
}

TEST(BlobSplit, OfPartsNearerThanTheSeparationTheHeavierStays) {
  const auto markers = findIn({{-10, 0, 12, 12, 0}, {11, 0, 10, 10, 0}}, 100, 30);
  ASSERT_EQ(markers.size(), 1U);
  EXPECT_NEAR(markers[0].x, 40, 0.5);
  EXPECT_EQ(markers[0].flags, shared::kFlagMerged | shared::kFlagSaturated);
}

TEST(BlobLimits, HoldForAreaMassAndEccentricity) {
  const std::vector<Ellipse> scene{
      {-60, 0, 5, 5, 0}, {-20, 0, 10, 10, 0}, {20, 0, 15, 10, 1}, {65, 0, 20, 20, 0}};
  const auto image = render({200, 1, 0.5, 300, {scene}});
  test::BlobRig rig({200, 200, 1, 8}, 1);
  const auto count = [&](gpu::BlobSelection selection) {
    selection.maxMarkers = 16;
    return rig.find({image}, 128, selection)[0].markers.size();
  };
  EXPECT_EQ(count({}), 4U);
  EXPECT_EQ(count({.minRadius = 7}), 3U);
  EXPECT_EQ(count({.maxRadius = 15}), 3U);
  EXPECT_EQ(count({.maxEccentricity = 0.5}), 3U);
  EXPECT_EQ(count({.minMass = 100 * 128.0}), 3U);
  EXPECT_EQ(count({.minRadius = 7, .maxRadius = 15, .maxEccentricity = 0.5}), 1U);
}

}  // namespace
}  // namespace glint
