// Tests what a probe concludes from detections, by definition and with invented measurements.
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "app/study/advice/cut.h"
#include "app/study/advice/findings.h"
#include "app/study/advice/proposal.h"
#include "config/error.h"

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

TEST(Cut, WithoutDecoysAllAreMarkers) {
  const study::Cut cut = study::cutOf({3, 9, 5, 4, 8, 6, 7, 10}, {}, 2);
  EXPECT_EQ(cut.strength, 3);
  EXPECT_EQ(cut.below, 0);
  EXPECT_EQ(cut.markers, 4);
  EXPECT_EQ(cut.decoys, 0);
  EXPECT_TRUE(cut.sure);
  EXPECT_EQ(study::cutOf({}, {5, 6}, 2).strength, 0);
  EXPECT_FALSE(study::cutOf({}, {5, 6}, 2).sure);
}

TEST(Cut, ItEndsWhereTheNegativeHasAsMany) {
  // Forty markers have strengths of 60 to 99. Grain has strengths of 1 to 50, in the image and in
  // its negative.
  std::vector<double> markers, decoys;
  for (int i = 0; i < 40; ++i) markers.push_back(60 + i);
  for (int i = 1; i <= 50; ++i) markers.push_back(i + 0.5), decoys.push_back(i);
  const study::Cut cut = study::cutOf(markers, decoys, 1);
  EXPECT_EQ(cut.strength, 50.5);
  EXPECT_EQ(cut.below, 50);
  EXPECT_EQ(cut.markers, 41);
  EXPECT_EQ(cut.decoys, 0);
  EXPECT_TRUE(cut.sure);
}

TEST(Cut, AFewThatTowerAreSureAndAFewThatDoNotAreNot) {
  EXPECT_TRUE(study::cutOf({100, 20, 18, 15}, {22, 19, 17}, 1).sure);
  EXPECT_EQ(study::cutOf({100, 20, 18, 15}, {22, 19, 17}, 1).strength, 100);
  EXPECT_FALSE(study::cutOf({30, 20, 18, 15}, {22, 19, 17}, 1).sure);
}

TEST(Cut, ChanceIsRarelySure) {
  std::mt19937 random(11);
  int sure = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<double> markers(200), decoys(200);
    for (double& x : markers) x = std::exp(static_cast<double>(random()) / 4294967296.0);
    for (double& x : decoys) x = std::exp(static_cast<double>(random()) / 4294967296.0);
    sure += study::cutOf(markers, decoys, 1).sure ? 1 : 0;
  }
  EXPECT_LE(sure, 6);
}

TEST(Cut, StragglersBelowAGapAreSomethingElse) {
  std::vector<double> markers;
  for (int i = 0; i < 50; ++i) markers.push_back(100 + i);
  markers.push_back(40);
  EXPECT_EQ(study::cutOf(markers, {}, 1).strength, 100);
  EXPECT_EQ(study::cutOf(markers, {}, 1).below, 40);
}

/// Returns what settings find in a scene of dark dots of radius 7 in grain of all sizes. A response
/// finds only dots of about its own size.
study::MarkersByFrame darkDotsInGrain(const Settings& settings, size_t frames) {
  std::mt19937 random(7);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  const auto& response = settings.response;
  study::MarkersByFrame found;
  for (size_t f = 0; f < frames; ++f) {
    std::vector<shared::Detection>& seen = found.emplace_back();
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
  return found;
}

Settings settingsFor(const study::MarkerKind& kind) {
  Settings settings;
  study::apply(kind, settings);
  return settings;
}

/// Returns the proposal for pictures of 8 bits. A survey measures the same.
study::Proposal proposed(const study::Measure& measure, size_t frames) {
  return study::propose(settingsFor, {.exact = measure, .survey = measure}, frames, 255);
}

TEST(Proposal, MarkersAreToldFromGrain) {
  const study::Proposal proposal = proposed(darkDotsInGrain, 5);
  ASSERT_TRUE(proposal.found);
  EXPECT_TRUE(proposal.kind.dark);
  ASSERT_TRUE(proposal.kind.radius);
  EXPECT_NEAR(*proposal.kind.radius, 7, 1);
  EXPECT_NEAR(proposal.radius, 7, 0.5);
  EXPECT_EQ(proposal.markers, 12) << "a threshold was found between them and the grain";
  EXPECT_EQ(proposal.markersByFrame.size(), 5U);
  const Settings settings = study::settingsOf(proposal, settingsFor);
  ASSERT_TRUE(settings.detect.threshold);
  EXPECT_GT(*settings.detect.threshold, 0.2);
  EXPECT_LT(*settings.detect.threshold, 0.7);
}

TEST(Proposal, TheDefaultsAreKeptWhereTheyAreAsGood) {
  const auto measure = [](const Settings& settings, size_t frames) {
    const bool plain = settings.response.kind == ResponseKind::luminance;
    return study::MarkersByFrame(settings.response.dark ? 0 : frames,
                                 std::vector(plain ? 19 : 20, markerOf(3, 0.5)));
  };
  const study::Proposal proposal = proposed(measure, 3);
  EXPECT_TRUE(proposal.found);
  EXPECT_TRUE(study::argumentsOf(proposal).empty());
  EXPECT_EQ(proposal.markers, 19);
}

TEST(Proposal, ThereIsRoomForAll) {
  const auto measure = [](const Settings& settings, size_t frames) {
    const int seen = settings.response.dark ? 0 : std::min(settings.detect.maxMarkers, 700);
    return study::MarkersByFrame(frames, std::vector(static_cast<size_t>(seen), markerOf(2, 0.5)));
  };
  const study::Proposal proposal = proposed(measure, 2);
  EXPECT_EQ(study::argumentsOf(proposal),
            (std::vector<std::string>{"--set", "detect.max_markers=2048"}));
  EXPECT_EQ(proposal.markers, 700);
}

TEST(Proposal, WhereNothingIsNothingIsProposed) {
  const auto measure = [](const Settings&, size_t frames) { return study::MarkersByFrame(frames); };
  const study::Proposal proposal = proposed(measure, 5);
  EXPECT_FALSE(proposal.found);
  EXPECT_TRUE(study::argumentsOf(proposal).empty());
}

TEST(Proposal, WhatIsAsOftenDarkAsBrightIsUnsure) {
  std::mt19937 random(3);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  study::MarkersByFrame grain[2];
  for (study::MarkersByFrame& found : grain) {
    found.resize(1);
    for (int i = 0; i < 60; ++i) {
      const double contrast = 0.05 + 0.4 * uniform();
      found[0].push_back(markerOf(3, contrast, static_cast<uint32_t>(255 * contrast)));
    }
  }
  const auto measure = [&](const Settings& settings, size_t) {
    return grain[settings.response.dark];
  };
  const study::Proposal proposal = proposed(measure, 1);
  EXPECT_FALSE(proposal.found);
  EXPECT_TRUE(study::argumentsOf(proposal).empty());
}

TEST(Proposal, SpotsThatAreUnsureAreCounted) {
  study::Proposal proposal;
  proposal.seen = 1;
  proposal.radius = 2;
  EXPECT_EQ(
      study::findingOf(proposal).observation,
      "unsure: 1 bright spot of radius 2.0 px a frame stands out, hardly clearer than chance");
  proposal.seen = 3;
  EXPECT_EQ(
      study::findingOf(proposal).observation,
      "unsure: 3 bright spots of radius 2.0 px a frame stand out, hardly clearer than chance");
}

TEST(Proposal, PeaksOfNoiseAreNotProposedAlthoughTheNegativeHasNone) {
  // Returns 120 bright peaks of a single pixel in each frame, and nothing in the negative.
  const auto peaks = [](float uncertainty) {
    return [uncertainty](const Settings& settings, size_t frames) {
      shared::Detection peak = markerOf(1, 0.03, 60);
      peak.sigmaX = peak.sigmaY = uncertainty;
      return study::MarkersByFrame(settings.response.dark ? 0 : frames, std::vector(120, peak));
    };
  };
  // The significance is radius / (sqrt(2) sigma).
  EXPECT_FALSE(proposed(peaks(0.1F), 3).found) << "7 sigma";
  EXPECT_TRUE(proposed(peaks(0.05F), 3).found) << "14 sigma";
}

TEST(Proposal, LongOnesTakeAnOption) {
  const auto measure = [](const Settings& settings, size_t frames) {
    study::MarkersByFrame found(frames);
    if (!settings.response.dark || settings.detect.maxEccentricity < 0.95) return found;
    shared::Detection fish = markerOf(6, 0.3, 76);
    fish.eccentricity = 0.94F;
    fish.elongation = 9;
    for (auto& frame : found) frame.assign(30, fish);
    return found;
  };
  const study::Proposal proposal = proposed(measure, 5);
  EXPECT_TRUE(proposal.found);
  EXPECT_TRUE(proposal.kind.dark);
  EXPECT_TRUE(proposal.kind.elongated);
  EXPECT_EQ(proposal.markers, 30);
}

/// Returns what settings find in a scene of two large, long things among 200 specks of dust. In
/// each frame all of them are elsewhere, unless the large things rest.
study::Measure largeThingsAmongDust(bool theyRest) {
  return [theyRest](const Settings& settings, size_t frames) {
    const auto& response = settings.response;
    study::MarkersByFrame found(frames);
    for (size_t f = 0; f < frames; ++f) {
      const auto add = [&](shared::Detection d, double x, double y) {
        const bool sought = response.kind == ResponseKind::dog && !response.dark &&
                            double{d.radius} >= settings.detect.minRadius &&
                            double{d.radius} <= settings.detect.maxRadius &&
                            double{d.eccentricity} <= settings.detect.maxEccentricity;
        if (!sought) return;
        d.x = static_cast<float>(x), d.y = static_cast<float>(y);
        found[f].push_back(d);
      };
      const double step = static_cast<double>(f) * 7;
      for (int i = 0; i < 200; ++i) add(markerOf(2.5, 0.04, 40), 5 * i + step, 17 * (i % 20));
      shared::Detection large = markerOf(24, 0.4);
      large.eccentricity = 0.94F;
      large.elongation = 3;
      for (int i = 0; i < 2; ++i) add(large, 150 * (i + 1) + (theyRest ? 0 : step), 150);
    }
    return found;
  };
}

study::Proposal proposedPick(const study::Measure& measure, size_t pick) {
  return study::propose(settingsFor, {.exact = measure, .survey = measure}, 5, 255, {.pick = pick});
}

TEST(Proposal, AFewLargeThingsThatTravelArePreferredToDust) {
  const study::Measure measure = largeThingsAmongDust(false);
  const study::Proposal proposal = proposedPick(measure, 1);
  ASSERT_TRUE(proposal.found);
  EXPECT_EQ(proposal.markers, 2);
  EXPECT_TRUE(proposal.kind.elongated);
  ASSERT_EQ(proposal.alternatives.size(), 2U);
  EXPECT_EQ(proposal.alternatives[0].markers, 2);
  EXPECT_NEAR(proposal.alternatives[0].radius, 24, 0.1);
  EXPECT_EQ(proposal.alternatives[1].markers, 200);
  EXPECT_NEAR(proposal.alternatives[1].radius, 2.5, 0.1);
  EXPECT_EQ(study::describe(proposal.alternatives[0]),
            "long bright markers of radius 24.0 px, 2 a frame");

  const study::Proposal second = proposedPick(measure, 2);
  EXPECT_EQ(second.pick, 2U);
  EXPECT_EQ(second.markers, 200);
  EXPECT_FALSE(second.kind.elongated);
  EXPECT_THROW(proposedPick(measure, 3), UsageError);
  EXPECT_THROW(proposedPick(measure, 0), UsageError);
}

TEST(Proposal, LargeThingsAtRestAreSceneryAndTheDustIsProposed) {
  const study::Proposal proposal = proposedPick(largeThingsAmongDust(true), 1);
  ASSERT_TRUE(proposal.found);
  EXPECT_EQ(proposal.markers, 200);
}

TEST(Proposal, AFirstProposalIsThatOfTheFirstFrame) {
  std::vector<double> counts;
  const study::Measure measure = largeThingsAmongDust(false);
  study::propose(settingsFor, {.exact = measure, .survey = measure}, 5, 255,
                 {.first = [&](const study::Proposal& first) {
                   EXPECT_TRUE(first.found);
                   counts.push_back(first.markers);
                 }});
  EXPECT_EQ(counts.size(), 1U);
}

TEST(Proposal, ACommandLineIsOneThatAShellTakesApart) {
  EXPECT_EQ(study::commandLine({"glint", "track", "a b.mp4", "it's", "", "--set", "x=1"}),
            "glint track 'a b.mp4' 'it'\\''s' '' --set x=1");
  EXPECT_EQ(study::commandLine({"synth:spots?markers=3&frames=2", "$HOME", "x;y"}),
            "'synth:spots?markers=3&frames=2' '$HOME' 'x;y'");
}

}  // namespace
}  // namespace glint
