// Markers whose light overlaps: the precision of their places compared with the Cramer-Rao bound of
// two spots, and cases that must not be changed.
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "gpu/detect/neighbours.h"
#include "tests/gpu/refine_cases.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

using test::Marker;
using test::Sample;
using test::Sensor;

constexpr uint32_t kCount = 128;  // pairs of each kind
constexpr Sensor kSensor{.readNoise = 2, .shotGain = 0};

/// Returns the markers that `refine_near` makes of those that `refine` found, as the detector does
/// it.
std::vector<shared::Detection> together(const reference::Image& image,
                                        std::vector<shared::Detection> found) {
  const gpu::NearGroups near = gpu::nearMarkers(0, found, 1e9F);
  if (near.groups.empty()) return found;
  const auto count = static_cast<uint32_t>(near.groups.size());
  const test::DevicePlane plane({image});
  const test::DeviceArray<shared::NearMarkers> groups(count);
  const test::DeviceArray<shared::Detection> results(count);
  std::copy(near.groups.begin(), near.groups.end(), groups.values().begin());
  test::runNow([&](gpu::Recorder& recorder) {
    test::passes(image.format.bits)
        .refineNear(recorder, plane.plane(), {.fullScale = image.format.fullScale()}, count,
                    groups.buffer, results.buffer);
  });
  for (uint32_t i = 0; i < count; ++i) {
    if (results.values()[i].sigmaX <= 0) continue;
    auto& d = found[near.indices[i]];
    const auto [x, y] = std::pair{d.peakX, d.peakY};
    d = results.values()[i];
    d.peakX = x;
    d.peakY = y;
  }
  return found;
}

/// Pairs of Gaussian spots at all angles and places within a pixel: first all the first spots, then
/// the others.
struct Pairs {
  std::array<std::vector<Sample>, 2> spots;
};

Pairs measurePairs(const Marker& one, const Marker& other, double distance, uint32_t count) {
  constexpr uint32_t kColumns = 16, kCell = 56;
  std::mt19937_64 random(41);
  std::uniform_real_distribution<double> phase(-0.5, 0.5), angle(0, 2 * std::numbers::pi);
  std::array<std::vector<Marker>, 2> truth;
  std::vector<Marker> scene;
  for (uint32_t i = 0; i < count; ++i) {
    const double a = angle(random);
    Marker first = one, second = other;
    first.x = i % kColumns * kCell + kCell / 2 + phase(random);
    first.y = i / kColumns * kCell + kCell / 2 + phase(random);
    second.x = first.x + distance * std::cos(a);
    second.y = first.y + distance * std::sin(a);
    truth[0].push_back(first);
    truth[1].push_back(second);
    scene.insert(scene.end(), {first, second});
  }
  const uint32_t width = kColumns * kCell, rows = (count + kColumns - 1) / kColumns;
  const auto image = test::expose(test::render(width, rows * kCell, scene, kSensor.background),
                                  width, kSensor, random);
  std::vector<reference::Peak> starts;
  for (const auto& spots : truth)
    for (const Marker& m : spots) starts.push_back(test::brightest(image, m.x, m.y, 1));
  const auto found = together(image, test::refineOnDevice(image, starts));
  Pairs pairs;
  for (size_t s = 0; s < 2; ++s)
    for (uint32_t i = 0; i < count; ++i)
      pairs.spots[s].push_back({truth[s][i], found[s * count + i]});
  return pairs;
}

/// Returns the Cramer-Rao bound of the places of two spots, px for each axis, as the mean over
/// angles. Places, heights, widths and the background are unknown. See Ott 1977; the derivatives
/// are differences.
std::array<double, 2> pairBound(const Marker& one, const Marker& other, double distance) {
  constexpr uint32_t kSide = 56;
  constexpr double kStep = 1e-3;
  std::array<double, 2> sum{};
  constexpr int kAngles = 8;
  for (int k = 0; k < kAngles; ++k) {
    const double a = 2 * std::numbers::pi * (k + 0.3) / kAngles;
    Eigen::Matrix<double, 9, 1> p;  // x, y, amplitude and sigma of both; background
    p << 28.1, 27.8, one.amplitude, one.sigma, 28.1 + distance * std::cos(a),
        27.8 + distance * std::sin(a), other.amplitude, other.sigma, kSensor.background;
    const auto image = [&](const Eigen::Matrix<double, 9, 1>& q) {
      const auto values = test::render(kSide, kSide,
                                       {{.x = q[0], .y = q[1], .amplitude = q[2], .sigma = q[3]},
                                        {.x = q[4], .y = q[5], .amplitude = q[6], .sigma = q[7]}},
                                       q[8]);
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(values.data(), kSide * kSide));
    };
    Eigen::MatrixXd slopes(kSide * kSide, 9);
    for (int i = 0; i < 9; ++i) {
      auto more = p, less = p;
      more[i] += kStep;
      less[i] -= kStep;
      slopes.col(i) = (image(more) - image(less)) / (2 * kStep);
    }
    // Rounding adds 1/12 to the variance.
    const double variance = kSensor.readNoise * kSensor.readNoise + 1.0 / 12;
    const Eigen::MatrixXd covariance = (slopes.transpose() * slopes / variance).inverse();
    sum[0] += (covariance(0, 0) + covariance(1, 1)) / (2 * kAngles);
    sum[1] += (covariance(4, 4) + covariance(5, 5)) / (2 * kAngles);
  }
  return {std::sqrt(sum[0]), std::sqrt(sum[1])};
}

struct PairCase {
  double sigma;     // px
  double distance;  // distance in multiples of sigma
  double ratio;     // ratio of the amplitudes
};

// At smaller distances, the dimmer spot has no peak of its own.
constexpr PairCase kPairs[] = {{1.5, 3.5, 1}, {1.5, 3.5, 2}, {1.5, 4, 1}, {1.5, 4, 3}, {1.5, 5, 1},
                               {1.5, 5, 3},   {2, 3, 1},     {2, 3.5, 1}, {2, 3.5, 2}, {2, 3.5, 3},
                               {2, 4, 1},     {2, 4, 3},     {2, 5, 2}};

class NearPairs : public testing::TestWithParam<PairCase> {};

/// Returns the samples without those that were taken for the other spot.
std::vector<Sample> toldApart(const std::vector<Sample>& samples) {
  std::vector<Sample> apart;
  for (const Sample& s : samples)
    if (std::hypot(s.errorX(), s.errorY()) < 1) apart.push_back(s);
  return apart;
}

TEST_P(NearPairs, ReachTheBoundOfTwoSpots) {
  const auto [sigma, distance, ratio] = GetParam();
  const Marker dim{.amplitude = 180 / ratio, .sigma = sigma};
  const Marker bright{.amplitude = 180, .sigma = sigma};
  const auto bounds = pairBound(dim, bright, distance * sigma);
  const auto pairs = measurePairs(dim, bright, distance * sigma, kCount);
  for (size_t s = 0; s < 2; ++s) {
    SCOPED_TRACE(s == 0 ? "the dim one" : "the bright one");
    const auto apart = toldApart(pairs.spots[s]);
    EXPECT_GE(apart.size(), distance < 4 ? 0.97 * kCount : kCount - 1.0);
    const auto summary = test::summarise(apart);
    EXPECT_LT(summary.rmse, 1.3 * bounds[s]);
    EXPECT_GT(summary.relative, 0.8);
    EXPECT_LT(summary.relative, 1.25);
    RecordProperty(s == 0 ? "dim" : "bright", std::to_string(summary.rmse / bounds[s]));
  }
}

std::string nameOfPair(const testing::TestParamInfo<PairCase>& info) {
  const auto [sigma, distance, ratio] = info.param;
  return "sigma" + std::to_string(std::lround(10 * sigma)) + "_apart" +
         std::to_string(std::lround(10 * distance)) + "_1to" + std::to_string(std::lround(ratio));
}

INSTANTIATE_TEST_SUITE_P(All, NearPairs, testing::ValuesIn(kPairs), nameOfPair);

/// Returns a peak as `refine` reports it for a Gaussian spot of sigma 2 px.
shared::Detection spot(uint32_t x, uint32_t y, float elongation = 1) {
  shared::Detection d{};
  d.peakX = x;
  d.peakY = y;
  d.x = d.extentX = static_cast<float>(x);
  d.y = d.extentY = static_cast<float>(y);
  d.peak = 100;
  d.extent = 2.35F;
  d.radius = 4;
  d.sigmaX = d.sigmaY = 0.02F;
  d.elongation = elongation;
  return d;
}

TEST(Neighbours, AreThoseWhoseLightOverlaps) {
  const std::vector found{spot(50, 50), spot(58, 50), spot(70, 50), spot(100, 50)};
  const gpu::NearGroups near = gpu::nearMarkers(3, found, 1e9F);
  ASSERT_EQ(near.indices, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(near.groups[0].layer, 3U);
  EXPECT_EQ(near.groups[0].count, 2U);
  EXPECT_EQ(near.groups[0].places[0], 50U << 16 | 50);
  EXPECT_EQ(near.groups[0].places[1], 50U << 16 | 58);
  EXPECT_EQ(near.groups[1].places[0], 50U << 16 | 58);
}

TEST(Neighbours, TheNearestComeFirstAndOnlySoMany) {
  std::vector<shared::Detection> found{spot(50, 50)};
  for (const auto& [x, y] : {std::pair{58, 50}, {43, 50}, {50, 59}, {50, 41}})
    found.push_back(spot(static_cast<uint32_t>(x), static_cast<uint32_t>(y)));
  const gpu::NearGroups near = gpu::nearMarkers(0, found, 1e9F);
  ASSERT_EQ(near.indices.at(0), 0U);
  EXPECT_EQ(near.groups[0].count, shared::kMostNear);
  EXPECT_EQ(near.groups[0].places[1], 50U << 16 | 43) << "7 px away";
}

TEST(Neighbours, AmongManyAreThoseThatPairsAloneAre) {
  std::mt19937 random(3);
  std::vector<shared::Detection> found;
  for (uint32_t i = 0; i < 150; ++i) {
    auto d = spot(static_cast<uint32_t>(random() % 120), static_cast<uint32_t>(random() % 90));
    d.extent = 1 + 0.01F * static_cast<float>(random() % 500);
    d.radius = 1.7F * d.extent;
    found.push_back(d);
  }
  const gpu::NearGroups near = gpu::nearMarkers(0, found, 1e9F);
  size_t groups = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    uint32_t neighbours = 0;
    for (size_t k = 0; k < found.size(); ++k) {
      if (k != i && !gpu::nearMarkers(0, std::vector{found[i], found[k]}, 1e9F).groups.empty())
        ++neighbours;
    }
    if (neighbours == 0) continue;
    ASSERT_LT(groups, near.groups.size());
    EXPECT_EQ(near.indices[groups], i);
    EXPECT_EQ(near.groups[groups].count, std::min(neighbours + 1, shared::kMostNear));
    ++groups;
  }
  EXPECT_EQ(near.groups.size(), groups);
  EXPECT_GT(groups, 50U);
  EXPECT_LT(groups, found.size()) << "large ones have no neighbours";
}

TEST(Neighbours, WhatIsTooLargeIsOneOnlyForOthers) {
  auto large = spot(50, 50);
  large.extent = 6;
  large.radius = 0;  // 0: the marker was not fitted
  const gpu::NearGroups near = gpu::nearMarkers(0, std::vector{large, spot(57, 50)}, 5);
  ASSERT_EQ(near.indices, (std::vector<size_t>{1}));
  EXPECT_EQ(near.groups[0].count, 2U);
}

TEST(Neighbours, LinesAndPeaksOfOneObjectAreNone) {
  EXPECT_TRUE(
      gpu::nearMarkers(0, std::vector{spot(50, 50, 7), spot(57, 50, 7)}, 1e9F).groups.empty())
      << "a dotted line";
  EXPECT_TRUE(
      gpu::nearMarkers(0, std::vector{spot(50, 50, 1000), spot(57, 50)}, 1e9F).groups.empty())
      << "a line beside a spot";
  auto disc = spot(50, 50);
  disc.extent = disc.radius = 9;
  EXPECT_TRUE(gpu::nearMarkers(0, std::vector{disc, spot(54, 50)}, 1e9F).groups.empty())
      << "on a disc";
  EXPECT_EQ(gpu::nearMarkers(0, std::vector{spot(50, 50), spot(57, 50, 5)}, 1e9F).groups.size(), 2U)
      << "a dim one, which looks long beside a bright one";
}

}  // namespace
}  // namespace glint
