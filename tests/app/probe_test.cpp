// What a probe makes of what was found: by definition, and of measurements that are made up.
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "app/probe/proposal.h"

namespace glint {
namespace {

shared::Detection markerOf(double radius, double contrast, uint32_t peak = 200) {
  shared::Detection d{};
  d.radius = static_cast<float>(radius);
  d.mass = static_cast<float>(contrast * 255 * std::numbers::pi * radius * radius);
  d.sigmaX = d.sigmaY = 0.01F;
  d.peak = peak;
  return d;
}

TEST(Population, WhatIsAlikeCountsInFull) {
  const Findings findings(2, std::vector(10, markerOf(4, 0.25)));
  const Population p = populationOf(findings, 255);
  EXPECT_NEAR(p.count, 10, 1e-3);
  EXPECT_NEAR(p.evidence, 10 * std::pow(0.25, 1.5), 1e-3);
  EXPECT_NEAR(p.purity, 1, 1e-3);
  EXPECT_NEAR(p.radius, 4, 1e-3);
  EXPECT_NEAR(p.contrast, 0.25, 1e-3);
  EXPECT_EQ(p.faintPeak, 200);
  EXPECT_EQ(populationOf({}, 255).count, 0);
  EXPECT_EQ(populationOf(Findings(3), 255).evidence, 0);
}

TEST(Population, WhatIsNotCountsAsFarAsItIsNear) {
  // A radius of e^0.5 times is one standard deviation off, a contrast of e^-0.8 times as well.
  Findings findings(1, std::vector(10, markerOf(4, 0.25)));
  findings[0].push_back(markerOf(4 * std::exp(0.5), 0.25));
  EXPECT_NEAR(populationOf(findings, 255).count, 10 + std::exp(-0.5), 1e-3);
  findings[0].push_back(markerOf(4, 0.25 * std::exp(-0.8)));
  EXPECT_NEAR(populationOf(findings, 255).count, 10 + 2 * std::exp(-0.5), 1e-3);
  EXPECT_NEAR(membership(findings[0].back(), populationOf(findings, 255), 255), std::exp(-0.5),
              1e-3);
}

TEST(Population, WhatIsLostInTheNoiseIsNone) {
  shared::Detection faint = markerOf(4, 0.25);
  faint.sigmaX = static_cast<float>(4 / std::numbers::sqrt2 / 5);  // five standard deviations
  EXPECT_EQ(populationOf({{faint, faint}}, 255).count, 0);
}

/// A scene of dark dots of radius 7 in grain of all sizes, of which a kind of marker finds what is
/// of its size.
Findings darkDotsInGrain(const Settings& settings, size_t frames) {
  std::mt19937 random(7);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  const auto& response = settings.response;
  Findings findings;
  for (size_t f = 0; f < frames; ++f) {
    std::vector<shared::Detection>& seen = findings.emplace_back();
    const auto add = [&](bool dark, double radius, double contrast) {
      if (dark != response.dark || response.kind != ResponseKind::dog) return;
      const double ratio = radius / response.radius;
      if (ratio < 0.5 || ratio > 2) return;
      const auto peak = static_cast<uint32_t>(std::min(255.0, 255 * contrast));
      if (peak < 255 * settings.detect.threshold.value_or(0)) return;
      seen.push_back(markerOf(radius, contrast, peak));
    };
    for (int i = 0; i < 12; ++i) add(true, 7 + 0.1 * uniform(), 0.7 + 0.05 * uniform());
    for (int i = 0; i < 80; ++i) add(i % 2 == 0, std::exp(3 * uniform()), 0.05 + 0.15 * uniform());
    if (seen.size() > static_cast<size_t>(settings.detect.maxMarkers))
      seen.resize(static_cast<size_t>(settings.detect.maxMarkers));
  }
  return findings;
}

Settings settingsFor(const MarkerKind& kind) {
  Settings settings;
  apply(kind, settings);
  return settings;
}

TEST(Proposal, MarkersAreToldFromGrain) {
  const Proposal proposal = propose(settingsFor, darkDotsInGrain, 5, 255);
  ASSERT_TRUE(proposal.found);
  EXPECT_TRUE(proposal.kind.dark);
  ASSERT_TRUE(proposal.kind.radius);
  EXPECT_NEAR(*proposal.kind.radius, 7, 1);
  EXPECT_NEAR(proposal.radius, 7, 0.5);
  EXPECT_EQ(proposal.markers, 12) << "a threshold was found between them and the grain";
  EXPECT_EQ(proposal.findings.size(), 5U);
  const Settings settings = settingsOf(proposal, settingsFor);
  ASSERT_TRUE(settings.detect.threshold);
  EXPECT_GT(*settings.detect.threshold, 0.2);
  EXPECT_LT(*settings.detect.threshold, 0.7);
}

TEST(Proposal, TheDefaultsAreKeptWhereTheyAreAsGood) {
  const auto measure = [](const Settings& settings, size_t frames) {
    const bool plain = settings.response.kind == ResponseKind::luminance;
    return Findings(settings.response.dark ? 0 : frames,
                    std::vector(plain ? 19 : 20, markerOf(3, 0.5)));
  };
  const Proposal proposal = propose(settingsFor, measure, 3, 255);
  EXPECT_TRUE(proposal.found);
  EXPECT_TRUE(argumentsOf(proposal).empty());
  EXPECT_EQ(proposal.markers, 19);
}

TEST(Proposal, ThereIsRoomForAll) {
  const auto measure = [](const Settings& settings, size_t frames) {
    const int seen = settings.response.dark ? 0 : std::min(settings.detect.maxMarkers, 700);
    return Findings(frames, std::vector(static_cast<size_t>(seen), markerOf(2, 0.5)));
  };
  const Proposal proposal = propose(settingsFor, measure, 2, 255);
  EXPECT_EQ(argumentsOf(proposal), (std::vector<std::string>{"--set", "detect.max_markers=2048"}));
  EXPECT_EQ(proposal.markers, 700);
}

TEST(Proposal, WhereNothingIsNothingIsProposed) {
  const auto measure = [](const Settings&, size_t frames) { return Findings(frames); };
  const Proposal proposal = propose(settingsFor, measure, 5, 255);
  EXPECT_FALSE(proposal.found);
  EXPECT_TRUE(argumentsOf(proposal).empty());
}

TEST(Proposal, ACommandLineIsOneThatAShellTakesApart) {
  EXPECT_EQ(commandLine({"glint", "track", "a b.mp4", "it's", "", "--set", "x=1"}),
            "glint track 'a b.mp4' 'it'\\''s' '' --set x=1");
  EXPECT_EQ(commandLine({"synth:spots?markers=3&frames=2", "$HOME", "x;y"}),
            "'synth:spots?markers=3&frames=2' '$HOME' 'x;y'");
}

}  // namespace
}  // namespace glint
