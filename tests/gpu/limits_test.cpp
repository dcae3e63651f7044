// The selection of markers among the measured peaks.
#include "gpu/detect/limits.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/detections.h"

namespace glint {
namespace {

std::vector<std::string_view> reasons(const gpu::Limited& limited) {
  std::vector<std::string_view> list;
  for (const auto& r : limited.rejected) list.push_back(gpu::nameOf(r.reason));
  return list;
}

TEST(Limits, EachRejectsWithItsReason) {
  Settings settings;
  settings.detect.minRadius = 2;
  settings.detect.maxRadius = 5;
  settings.detect.maxEccentricity = 0.5;
  settings.detect.minMass = 100;
  const std::vector<shared::Detection> found{
      detectionAt(10, 10, 1.9F),      detectionAt(30, 10, 2),        detectionAt(50, 10, 5.1F),
      detectionAt(70, 10, 5, 0.5F),   detectionAt(90, 10, 3, 0.51F), detectionAt(110, 10, 3, 0, 99),
      detectionAt(130, 10, 3, 0, 100)};
  const auto limited = gpu::applyLimits(found, settings, 512);
  EXPECT_EQ(reasons(limited),
            (std::vector<std::string_view>{"too_small", "too_large", "not_round", "too_small"}));
  ASSERT_EQ(limited.markers.size(), 3U);
  EXPECT_EQ(limited.markers[0].x, 30);
  EXPECT_EQ(limited.markers[1].x, 70);
  EXPECT_EQ(limited.markers[2].x, 130);
  EXPECT_EQ(gpu::applyLimits(found, Settings(), 512).markers.size(), 7U) << "others by default";
}

TEST(Limits, WhatWasNotFittedIsRejectedForWhatItsExtentSays) {
  Settings settings;
  settings.detect.minRadius = 1;
  settings.detect.maxRadius = 5;
  EXPECT_EQ(gpu::largestExtent(settings.detect), 7.5);
  std::vector<shared::Detection> found(3, detectionAt(10, 10, 0, 0, 0));
  found[0].extent = 7.6F;
  found[1].elongation = 1000;
  found[2].extent = 7.4F;
  const gpu::Limited limited = gpu::applyLimits(found, settings, 512);
  EXPECT_EQ(reasons(limited), (std::vector<std::string_view>{"too_large", "ridge", "faint"}));
  EXPECT_FALSE(limited.rejected[0].measured);
  settings.detect.maxRadius = 2;
  EXPECT_EQ(gpu::largestExtent(settings.detect), 5) << "its light may reach into another's";
}

TEST(Limits, SecondPeaksOfACrowdAreToldOfTheMarkerOnTheirObject) {
  std::vector<shared::Detection> found{detectionAt(10, 10), detectionAt(60, 10),
                                       detectionAt(64, 10, 0, 0, 0), detectionAt(90, 10, 0, 0, 0)};
  for (auto& d : found) d.peakX = static_cast<uint32_t>(d.x), d.peakY = 10;
  for (size_t i = 2; i < 4; ++i) {
    found[i].flags = shared::kFlagSecond;
    found[i].extent = 8;
    found[i].extentX = found[i].x, found[i].extentY = 10;
  }
  const gpu::Limited limited = gpu::applyLimits(found, Settings(), 512);
  EXPECT_EQ(reasons(limited), (std::vector<std::string_view>{"too_near", "too_near"}));
  EXPECT_EQ(limited.rejected[0].nearestRank, 2U);
  EXPECT_EQ(limited.rejected[1].nearestRank, 0U) << "the better one there was no marker";
  EXPECT_EQ(limited.rejected[0].seen.flags | limited.rejected[1].seen.flags, 0U);
  EXPECT_EQ(limited.markers[0].flags, 0U);
  EXPECT_EQ(limited.markers[1].flags, shared::kFlagSplit);
}

TEST(Limits, LinesAreNoMarkersUnlessAnyShapeIsAllowed) {
  shared::Detection line = detectionAt(50, 10);
  line.elongation = 1000;
  const std::vector<shared::Detection> found{detectionAt(10, 10), line};
  EXPECT_EQ(reasons(gpu::applyLimits(found, Settings(), 512)),
            (std::vector<std::string_view>{"ridge"}));
  Settings any;
  any.detect.maxEccentricity = 1;
  EXPECT_EQ(gpu::applyLimits(found, any, 512).markers.size(), 2U);
}

TEST(Limits, ShapeIsLimitedSmoothly) {
  EXPECT_EQ(gpu::ridgeLimit(0), gpu::kRidge);
  EXPECT_EQ(gpu::ridgeLimit(Settings().detect.maxEccentricity), gpu::kRidge);
  // An ellipse of eccentricity e is 1 / sqrt(1 - e^2) times as long as wide: 7.09 instead of 1.90.
  EXPECT_NEAR(gpu::ridgeLimit(0.99), 4 * 7.0888 / 1.8983, 1e-3);
  double before = gpu::kRidge;
  for (const double e : {0.85, 0.9, 0.95, 0.98, 0.99, 0.999, 0.99999}) {
    EXPECT_GE(gpu::ridgeLimit(e), before) << e;
    before = gpu::ridgeLimit(e);
  }
  EXPECT_LT(before, gpu::kEndless);
  EXPECT_GT(gpu::ridgeLimit(1), gpu::kEndless);
}

TEST(Limits, LongOnesAreMarkersWhereTheyMayBe) {
  std::vector<shared::Detection> found;
  for (const float ratio : {1.0F, 3.0F, 5.0F, 12.0F}) {
    shared::Detection d = detectionAt(20 + 30 * ratio, 10, 3, std::sqrt(1 - 1 / (ratio * ratio)));
    d.elongation = ratio;
    found.push_back(d);
  }
  const auto usual = gpu::applyLimits(found, Settings(), 512);
  EXPECT_EQ(reasons(usual), (std::vector<std::string_view>{"not_round", "ridge", "ridge"}));
  EXPECT_EQ(usual.elongated, 2U) << "12 times as long as wide is a line";
  Settings settings;
  settings.detect.maxEccentricity = gpu::kElongated;
  const auto elongated = gpu::applyLimits(found, settings, 512);
  EXPECT_EQ(elongated.markers.size(), 3U);
  EXPECT_EQ(reasons(elongated), (std::vector<std::string_view>{"not_round"}));
  EXPECT_EQ(elongated.elongated, 0U);
}

TEST(Limits, LongOnesCountWhereTheyAreAsBrightAsMarkersAndApart) {
  std::vector<shared::Detection> found;
  const auto add = [&](uint32_t peak, float x, bool isLong) {
    found.push_back(detectionAt(x, 10, 3, isLong ? 0.95F : 0.1F));
    found.back().peak = peak;
  };
  for (const uint32_t peak : {250, 240, 230, 220}) add(peak, static_cast<float>(peak), false);
  add(235, 20, true);
  add(234, 22.9F, true);
  add(230, 23.1F, true);
  add(229, 60, true);
  std::ranges::stable_sort(found, std::greater(), &shared::Detection::peak);
  EXPECT_EQ(gpu::applyLimits(found, Settings(), 512).elongated, 2U)
      << "one beside another one, and one as dim as the dimmest quarter do not count";
  std::erase_if(found, [](const auto& d) { return d.eccentricity < 0.5F; });
  EXPECT_EQ(gpu::applyLimits(found, Settings(), 512).elongated, 3U)
      << "without markers brightness tells nothing";
}

/// Two peaks belong to a light with a radius of 14 px, 9 px from its middle each. A marker is
/// beside it.
TEST(Limits, OneObjectIsOneMarker) {
  const auto part = [](float x, float elongation, float extent) {
    shared::Detection d = detectionAt(x, 50, 5);
    d.peak = 200;
    d.extentX = 60;
    d.extentY = 50;
    d.extent = extent;
    d.elongation = elongation;
    return d;
  };
  const std::vector<shared::Detection> found{part(51, 3, 4), part(69, 1.2F, 14), part(85, 1.1F, 4)};
  const auto limited = gpu::applyLimits(found, Settings(), 512);
  EXPECT_EQ(reasons(limited), (std::vector<std::string_view>{"too_near"}));
  ASSERT_EQ(limited.markers.size(), 2U);
  EXPECT_EQ(limited.markers[0].flags & shared::kFlagSplit, shared::kFlagSplit);
  // Two long peaks may be two objects side by side.
  const std::vector<shared::Detection> pair{part(51, 3, 4), part(69, 3, 14)};
  EXPECT_EQ(gpu::applyLimits(pair, Settings(), 512).markers.size(), 2U);
}

/// The sigma_x of a Gaussian spot is sqrt(2) s / S, where S is its height above the ground in
/// standard deviations of the noise.
TEST(Limits, FaintOnesAreNoMarkers) {
  Settings settings;
  const auto standingOut = [](float x, double significance, bool along) {
    shared::Detection d = detectionAt(x, 10, 2.4F);
    const auto sigma = static_cast<float>(std::sqrt(2.0) * 1.2 / significance);
    d.sigmaX = along ? sigma : sigma / 9;
    d.sigmaY = along ? sigma / 9 : sigma;
    return d;
  };
  // This candidate never stood out from the noise.
  shared::Detection unmeasured = detectionAt(130, 10, 0);
  unmeasured.sigmaX = unmeasured.sigmaY = 9;
  const std::vector<shared::Detection> found{
      standingOut(10, 4.9, true),  standingOut(30, 4.9, false), standingOut(50, 5.1, true),
      standingOut(70, 5.1, false), standingOut(90, 1000, true), unmeasured};
  const auto limited = gpu::applyLimits(found, settings, 512);
  EXPECT_EQ(reasons(limited), (std::vector<std::string_view>{"faint", "faint", "faint"}));
  ASSERT_EQ(limited.markers.size(), 3U);
  EXPECT_EQ(limited.markers[0].x, 50);
  settings.detect.minSignificance = 0;
  EXPECT_EQ(gpu::applyLimits(found, settings, 512).markers.size(), 6U);
  settings.detect.minRadius = 1;
  EXPECT_EQ(reasons(gpu::applyLimits(found, settings, 512)),
            (std::vector<std::string_view>{"faint"}))
      << "no size was measured";

  shared::Detection filled = detectionAt(300, 300, 119.9F);  // the window of no fit holds it
  filled.sigmaX = filled.sigmaY = 120;
  EXPECT_EQ(reasons(gpu::applyLimits(std::vector{filled}, Settings(), 512)),
            (std::vector<std::string_view>{"faint"}))
      << "a limit that is off is no reason";
  Settings limited500;
  limited500.detect.maxRadius = 500;
  EXPECT_EQ(reasons(gpu::applyLimits(std::vector{filled}, limited500, 512)),
            (std::vector<std::string_view>{"too_large"}));
}

TEST(Limits, RejectedOnesTakeNobodysPlace) {
  Settings settings;
  settings.detect.maxMarkers = 2;
  settings.detect.minRadius = 2;
  const std::vector<shared::Detection> found{detectionAt(10, 10, 1), detectionAt(30, 10),
                                             detectionAt(50, 10, 1), detectionAt(70, 10),
                                             detectionAt(90, 10)};
  const auto limited = gpu::applyLimits(found, settings, gpu::peaksToMeasure(settings));
  ASSERT_EQ(limited.markers.size(), 2U);
  EXPECT_EQ(limited.markers[1].x, 70);
  EXPECT_EQ(reasons(limited),
            (std::vector<std::string_view>{"too_small", "too_small", "beyond_most"}));
  EXPECT_EQ(limited.markers[0].flags, 0U);
}

TEST(Limits, SeveralPeaksOnOneMarkerAreOne) {
  Settings settings;
  settings.detect.separation = 8;
  shared::Detection large = detectionAt(70, 60, 12);  // half of its radius decides
  large.extent = 12;
  const std::vector<shared::Detection> found{
      detectionAt(10, 10),
      detectionAt(40, 10, 12),
      detectionAt(41, 11, 12),  // half of the separation decides
      detectionAt(43.9F, 10, 12),
      detectionAt(44, 10, 12),
      large,  //
      detectionAt(75.9F, 60),
      detectionAt(76, 60),
      detectionAt(10, 13.9F)};
  const auto limited = gpu::applyLimits(found, settings, 512);
  ASSERT_EQ(limited.rejected.size(), 4U);
  const std::vector<uint32_t> nearest{2, 2, 4, 1};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(limited.rejected[i].reason, gpu::Rejection::tooNear);
    EXPECT_EQ(limited.rejected[i].nearestRank, nearest[i]);
  }
  ASSERT_EQ(limited.markers.size(), 5U);
  const std::vector<uint32_t> flags{shared::kFlagSplit, shared::kFlagSplit, 0, shared::kFlagSplit,
                                    0};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(limited.markers[i].flags, flags[i]) << i;
}

// An LED and its ghost: their peaks were a separation apart, but their fitted places are not.
TEST(Limits, TheHeavierOfTwoInOnePlaceStays) {
  for (const bool ghostIsBrighter : {false, true}) {
    shared::Detection led = detectionAt(100, 80, 2.4F, 0.1F, 2660),
                      ghost = detectionAt(101.2F, 81.2F, 1.1F, 0.1F, 125);
    ghost.peakX = 104;
    ghost.peakY = 85;
    std::vector<shared::Detection> found{detectionAt(30, 30), led, ghost, detectionAt(60, 30)};
    if (ghostIsBrighter) std::swap(found[1], found[2]);
    const auto limited = gpu::applyLimits(found, Settings(), 512);
    ASSERT_EQ(limited.markers.size(), 3U);
    EXPECT_EQ(limited.markers[1].mass, 2660);
    EXPECT_EQ(limited.markers[1].flags, shared::kFlagSplit);
    EXPECT_EQ(limited.markers[2].x, 60);
    ASSERT_EQ(reasons(limited), std::vector<std::string_view>{"too_near"});
    EXPECT_EQ(limited.rejected[0].seen.mass, 125);
    EXPECT_EQ(limited.rejected[0].nearestRank, 2U);
  }
}

TEST(Limits, AFullCapacityIsFlagged) {
  Settings settings;
  settings.detect.maxMarkers = 3;
  settings.detect.minRadius = 2;
  const uint32_t capacity = gpu::peaksToMeasure(settings);
  EXPECT_EQ(capacity, 12U);
  std::vector<shared::Detection> found;
  for (uint32_t i = 0; i < capacity; ++i)
    found.push_back(detectionAt(20.0F * static_cast<float>(i), 5, i < 2 ? 3 : 1));
  for (const auto& marker : gpu::applyLimits(found, settings, capacity).markers)
    EXPECT_EQ(marker.flags, shared::kFlagPartial);
  EXPECT_TRUE(gpu::applyLimits(found, settings, capacity).partial);
  found.pop_back();
  EXPECT_FALSE(gpu::applyLimits(found, settings, capacity).partial);
  for (const auto& marker : gpu::applyLimits(found, settings, capacity).markers)
    EXPECT_EQ(marker.flags, 0U);
}

// A line uses the whole capacity. The dimmer peaks that were not measured are on it, too.
TEST(Limits, AFullCapacityThatEndsInALineIsNot) {
  Settings settings;
  settings.detect.maxMarkers = 3;
  const uint32_t capacity = gpu::peaksToMeasure(settings);
  for (const uint32_t markers : {0U, 2U}) {
    std::vector<shared::Detection> found;
    for (uint32_t i = 0; i < capacity; ++i) {
      found.push_back(detectionAt(20.0F * static_cast<float>(i), 5, 3));
      if (i >= markers) found.back().elongation = 1000;
    }
    const gpu::Limited limited = gpu::applyLimits(found, settings, capacity);
    EXPECT_EQ(limited.markers.size(), markers);
    EXPECT_EQ(limited.partial, markers == 0) << "nobody knows what is below the line";
  }
}

// Saturated lights have many peaks of equal brightness. Those lower in the picture were not looked
// at.
TEST(Limits, AFullCapacityOfSaturatedPeaksIsPartial) {
  Settings settings;
  settings.detect.maxMarkers = 3;
  const uint32_t capacity = gpu::peaksToMeasure(settings);
  std::vector<shared::Detection> found;
  for (uint32_t i = 0; i < capacity; ++i) {
    found.push_back(detectionAt(20.0F * static_cast<float>(i), 5, 3));
    found.back().peak = 255;
    found.back().flags = shared::kFlagSaturated;
    if (i >= 2) found.back().elongation = 1000;
  }
  EXPECT_TRUE(gpu::applyLimits(found, settings, capacity).partial);
  found.back().peak -= 1;
  EXPECT_FALSE(gpu::applyLimits(found, settings, capacity).partial);
}

TEST(Limits, WhatTheSelectionRejectedIsAppended) {
  Settings settings;
  settings.detect.minRadius = 2;
  const std::vector<shared::Detection> found{detectionAt(10, 10, 1), detectionAt(30, 10)};
  const std::vector<gpu::Rejected> before{{gpu::Rejection::tooNear, detectionAt(12, 10), false, 1},
                                          {gpu::Rejection::tooNear, detectionAt(32, 10), false, 2},
                                          {gpu::Rejection::masked, detectionAt(50, 10), false, 0}};
  const auto limited = gpu::applyLimits(found, settings, 512, before);
  EXPECT_EQ(reasons(limited),
            (std::vector<std::string_view>{"too_small", "too_near", "too_near", "masked"}));
  EXPECT_EQ(limited.rejected[1].nearestRank, 0U) << "that one is no marker itself";
  EXPECT_EQ(limited.rejected[2].nearestRank, 1U);
}

TEST(Limits, BlobsAreNotHeldToThemTwice) {
  Settings settings;
  settings.detect.method = DetectMethod::blobs;
  settings.detect.maxMarkers = 3;
  settings.detect.minRadius = 5;
  EXPECT_EQ(gpu::peaksToMeasure(settings), 3U) << "those outside of them are not among them";
  settings.refine.method = RefineMethod::none;
  EXPECT_NO_THROW(gpu::checkLimits(settings)) << "blobs measure themselves";
  const std::vector<shared::Detection> found{detectionAt(10, 10, 1), detectionAt(30, 10, 6),
                                             detectionAt(30.4F, 10, 6)};
  const auto limited = gpu::applyLimits(found, settings, 3);
  EXPECT_EQ(limited.markers.size(), 2U);
  ASSERT_EQ(reasons(limited), std::vector<std::string_view>{"too_near"});
  EXPECT_EQ(limited.rejected[0].nearestRank, 2U);
  EXPECT_TRUE(limited.rejected[0].measured);
}

/// Compared with a plain search among all markers that were kept.
TEST(Limits, NeighboursAreFoundAmongThousands) {
  Settings settings;
  settings.detect.separation = 6;
  settings.detect.maxMarkers = 4096;
  std::minstd_rand random(5);
  std::vector<shared::Detection> found;
  const auto next = [&] { return static_cast<float>(random() % 3000) / 10; };
  for (int i = 0; i < 3000; ++i) found.push_back(detectionAt(next(), next(), 1 + next() / 30));
  std::vector<shared::Detection> kept;
  for (const auto& d : found) {
    const bool far = std::none_of(kept.begin(), kept.end(), [&](const auto& k) {
      return std::hypot(double{k.x} - d.x, double{k.y} - d.y) < 3;
    });
    if (far) kept.push_back(d);
  }
  const auto limited = gpu::applyLimits(found, settings, 4096);
  ASSERT_EQ(limited.markers.size(), kept.size());
  EXPECT_LT(kept.size(), 2800U);
  for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(limited.markers[i].x, kept[i].x);
}

TEST(Limits, AreRefusedWhereTheyCannotBeMet) {
  Settings settings;
  EXPECT_EQ(gpu::peaksToMeasure(settings), 192U);
  settings.detect.maxMarkers = 10;
  EXPECT_EQ(gpu::peaksToMeasure(settings), 74U);
  settings.detect.maxMarkers = 128;
  settings.detect.maxEccentricity = 1;
  settings.detect.minSignificance = 0;
  EXPECT_EQ(gpu::peaksToMeasure(settings), 128U);
  settings.detect.maxMarkers = 2000;
  settings.detect.minRadius = 4;
  EXPECT_EQ(gpu::peaksToMeasure(settings), 4096U);
  EXPECT_NO_THROW(gpu::checkLimits(settings));
  settings.refine.method = RefineMethod::none;
  EXPECT_THROW(gpu::checkLimits(settings), UsageError);
  settings.detect = Settings().detect;
  EXPECT_NO_THROW(gpu::checkLimits(settings)) << "the default limits are no demand";
  EXPECT_EQ(gpu::peaksToMeasure(settings), 128U) << "and do not apply";
  settings.detect.minSignificance = 6;
  EXPECT_THROW(gpu::checkLimits(settings), UsageError);
  settings.detect.minRadius = 4;
  settings.refine.method = RefineMethod::fit;
  settings.detect.maxRadius = 3;
  EXPECT_THROW(gpu::checkLimits(settings), UsageError);
}

}  // namespace
}  // namespace glint
