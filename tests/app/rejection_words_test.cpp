// Tests the messages about candidates that are no markers.
#include "app/motion/frame/rejection_words.h"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/detections.h"

namespace glint {
namespace {

TEST(RejectionWords, NamesBothValuesAndTheSettingThatDecided) {
  Settings settings;
  settings.detect.minRadius = 2;
  settings.detect.maxRadius = 5;
  settings.detect.maxEccentricity = 0.85;
  settings.detect.minMass = 100;
  settings.detect.minSignificance = 5;
  std::vector<shared::Detection> found{
      detectionAt(100, 100),        detectionAt(20, 20, 1.25F),    detectionAt(40, 40, 12.34F),
      detectionAt(60, 60, 3, 0.9F), detectionAt(80, 80, 3, 0, 99), detectionAt(120, 120, 3, 0.1F),
      detectionAt(101, 100)};
  for (auto& d : found) d.sigmaX = d.sigmaY = 0.01F;
  found[5].sigmaX = 3;
  const gpu::Limited limited = gpu::applyLimits(found, settings, 100);
  ASSERT_EQ(limited.rejected.size(), 6U);
  std::vector<std::pair<std::string, std::string>> explained;
  for (const gpu::Rejected& r : limited.rejected) {
    const motion::Explanation why = motion::explain(r, settings, limited.markers);
    explained.emplace_back(why.words, why.key);
    EXPECT_NE(labelOf(why.key), why.key);  // The key is that of a setting.
  }
  const std::vector<std::pair<std::string, std::string>> expected{
      {"too small: radius 1.25 px (minimum 2 px)", "detect.min_radius"},
      {"too large: radius 12.3 px (maximum 5 px)", "detect.max_radius"},
      {"too elongated: eccentricity 0.90 (maximum 0.85)", "detect.max_eccentricity"},
      {"too small: mass 99 (minimum 100)", "detect.min_mass"},
      {"too faint: significance 0.7 (minimum 5)", "detect.min_significance"},
      {"too close: 1.0 px from a better marker (minimum 6 px)", "detect.separation"}};
  EXPECT_EQ(explained, expected);
}

TEST(RejectionWords, EveryLimitRejectsAndIsNamed) {
  shared::Detection seen = detectionAt(100, 100, 3, 0.5F);
  seen.sigmaX = seen.sigmaY = 0.1F;
  const auto check = [&](const gpu::MarkerQuantity& quantity, const gpu::MarkerLimit& limit,
                         double factor) {
    if (limit.value == nullptr) return;
    Settings settings;
    settings.detect.*limit.value = factor * quantity.valueOf(seen);
    const gpu::Limited limited = gpu::applyLimits(std::span(&seen, 1), settings, 100);
    ASSERT_EQ(limited.rejected.size(), 1U) << limit.key;
    EXPECT_EQ(limited.rejected[0].reason, limit.reason) << limit.key;
    const motion::Explanation why = motion::explain(limited.rejected[0], settings, {});
    EXPECT_EQ(why.key, limit.key);
    EXPECT_TRUE(
        why.words.starts_with(fmt::format("{}: {} ", gpu::wordsOf(limit.reason), quantity.name)))
        << why.words;
  };
  for (const gpu::MarkerQuantity& quantity : gpu::markerQuantities()) {
    check(quantity, quantity.least, 1.1);
    check(quantity, quantity.most, 0.9);
  }
}

TEST(RejectionWords, HasWordsForWhatWasNotMeasured) {
  Settings settings;
  settings.detect.region = "0,0,9,9";
  settings.detect.maxMarkers = 3;
  const std::vector<shared::Detection> markers(3, detectionAt(5, 5));
  gpu::Rejected rejected{.seen = detectionAt(9, 5, 0)};
  const auto explained = [&](gpu::Rejection reason) {
    rejected.reason = reason;
    const motion::Explanation why = motion::explain(rejected, settings, markers);
    EXPECT_TRUE(why.words.starts_with(std::string(gpu::wordsOf(reason)) + ": ")) << why.words;
    return std::string(why.key) + " " + why.words;
  };
  EXPECT_EQ(explained(gpu::Rejection::masked),
            "detect.region masked: this place is excluded from the measurement");
  EXPECT_EQ(explained(gpu::Rejection::beyondMost),
            "detect.max_markers over the maximum number: 3 better candidates (maximum 3)");
  EXPECT_EQ(explained(gpu::Rejection::tooNear),
            "detect.separation too close: to a brighter candidate (minimum 6 px)");
  rejected.nearestRank = 2;
  EXPECT_EQ(explained(gpu::Rejection::tooNear),
            "detect.separation too close: 4.0 px from a better marker (minimum 6 px)");
  rejected.seen.elongation = gpu::kEndless;
  EXPECT_EQ(explained(gpu::Rejection::ridge),
            "detect.max_eccentricity a line or an edge: no end in sight (maximum elongation 4)");
  rejected.seen.elongation = 7.5F;
  EXPECT_EQ(explained(gpu::Rejection::ridge),
            "detect.max_eccentricity a line or an edge: elongation 7.5 (maximum 4)");
  EXPECT_EQ(explained(gpu::Rejection::faint),
            "detect.min_significance too faint: nothing there stands out from the noise");
}

}  // namespace
}  // namespace glint
