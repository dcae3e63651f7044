// Tests the surveys of a sample, which measure reduced pictures, against the frames themselves.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "app/capture/source/source_kinds.h"
#include "app/study/advice/marker_kind.h"
#include "app/study/advice/trial_memory.h"

namespace glint {
namespace {

const gpu::Device& surveyDevice() {
  static const gpu::Device device({});
  return device;
}

/// Takes three frames with 20 spots of radius 12 px.
study::FrameSample sampleOfSpots(int bits = 8) {
  const auto source = capture::openSource(
      Address("synth:spots?size=640x480&markers=20&sigma=6&frames=3&amplitude=120&noise=3&bits=" +
              std::to_string(bits)));
  return study::FrameSample(surveyDevice(), *source);
}

Settings settingsForSize(double radius) {
  Settings settings;
  study::apply({.radius = radius}, settings);
  return settings;
}

TEST(Survey, FindsLargeMarkersInReducedPictures) {
  for (const int bits : {8, 16}) {
    SCOPED_TRACE(bits);
    study::FrameSample sample = sampleOfSpots(bits);
    const Settings settings = settingsForSize(12);
    ASSERT_TRUE(sample.isReduced(settings));
    // The sum of a Gaussian of 120 counts, of which an image of 16 bits has 257 times as many.
    const double mass = 120 * 2 * std::numbers::pi * 6 * 6 * (bits == 8 ? 1 : 257);
    for (size_t frame = 0; frame < sample.frames(); ++frame) {
      const auto exact = sample.measure(settings, frame).markers;
      const auto found = sample.survey(settings, frame);
      EXPECT_GT(exact.size(), 12U);
      EXPECT_GE(found.size(), exact.size());
      for (const shared::Detection& want : exact) {
        const auto nearest = std::ranges::min_element(found, {}, [&](const shared::Detection& d) {
          return std::hypot(double{d.x} - double{want.x}, double{d.y} - double{want.y});
        });
        ASSERT_NE(nearest, found.end());
        EXPECT_NEAR(nearest->x, want.x, 0.25);
        EXPECT_NEAR(nearest->y, want.y, 0.25);
        EXPECT_NEAR(nearest->peak, want.peak, 0.1 * want.peak);
        EXPECT_NEAR(nearest->radius, 12, 0.6);
        EXPECT_NEAR(nearest->mass, mass, 0.1 * mass);
      }
    }
  }
}

TEST(Survey, ObeysMasks) {
  study::FrameSample sample = sampleOfSpots();
  Settings settings = settingsForSize(12);
  settings.detect.region = "0,0,320,480";
  settings.detect.ignore = "0,0,200,200";
  const auto found = sample.survey(settings, 0);
  EXPECT_GT(found.size(), 3U);
  EXPECT_LT(found.size(), 15U);
  for (const shared::Detection& d : found) {
    EXPECT_LT(d.peakX, 324U);
    EXPECT_TRUE(d.peakX >= 196 || d.peakY >= 196) << d.peakX << ", " << d.peakY;
  }
}

TEST(Survey, MeasuresTheFramesThemselvesIfMarkersAreSmall) {
  study::FrameSample sample = sampleOfSpots();
  EXPECT_FALSE(sample.isReduced(settingsForSize(1.5)));
  EXPECT_FALSE(sample.isReduced(Settings()));
  const auto exact = sample.measure(Settings(), 0).markers, found = sample.survey(Settings(), 0);
  ASSERT_EQ(exact.size(), found.size());
  for (size_t i = 0; i < exact.size(); ++i) EXPECT_EQ(exact[i].x, found[i].x);
}

TEST(Survey, NoTrialIsMadeTwice) {
  study::FrameSample sample = sampleOfSpots();
  std::vector<size_t> trials;
  study::TrialMemory memory(sample, [&](size_t count) { trials.push_back(count); });
  const auto small = settingsForSize(1.5), large = settingsForSize(12);
  EXPECT_EQ(memory.survey(small, 1).size(), 1U);
  EXPECT_EQ(memory.measure(small, 9).size(), 3U) << "the survey has measured the frame itself";
  EXPECT_EQ(memory.measure(small, 2).size(), 2U);
  memory.survey(large, 2);
  memory.measure(large, 2);
  EXPECT_EQ(trials, (std::vector<size_t>{0, 1, 2}));
  const auto again = memory.measure(large, 3);
  for (size_t frame = 0; frame < 3; ++frame)
    EXPECT_EQ(again[frame].size(), sample.measure(large, frame).markers.size());
}

}  // namespace
}  // namespace glint
