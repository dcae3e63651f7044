// Advice: from counts and trials to findings.
#include <gtest/gtest.h>

#include "app/study/advice/findings.h"

namespace glint {
namespace {

TEST(Doubts, AThirdAndEightAFrameAreWorthAWord) {
  EXPECT_TRUE(study::manyBarely(8, 24, 1));
  EXPECT_FALSE(study::manyBarely(8, 25, 1));
  EXPECT_FALSE(study::manyBarely(7, 7, 1));
  EXPECT_TRUE(study::manyBarely(80, 100, 10));
  EXPECT_FALSE(study::manyBarely(79, 100, 10));
  EXPECT_FALSE(study::manyBarely(0, 0, 0));
}

/// Applies the rules to counts of a run with default settings.
std::vector<study::Finding> findingsOf(const motion::TrackingCounts& counts,
                                       const study::Trials& trials = {}) {
  const Settings settings;
  return study::findingsOf(study::RunEvidence{counts, settings, trials});
}

motion::TrackingCounts countsOf(uint64_t frames, uint64_t markers, uint64_t tracks) {
  motion::TrackingCounts counts;
  counts.frames = frames;
  counts.markers = markers;
  counts.tracks = tracks;
  counts.cameras.push_back({.frames = frames, .sets = frames});
  return counts;
}

TEST(Findings, AGoodRunHasNone) {
  EXPECT_TRUE(findingsOf(countsOf(10, 50, 5)).empty());
}

TEST(Findings, ARemedyIsInTheLineAndInTheSettings) {
  motion::TrackingCounts counts = countsOf(10, 1280, 128);
  counts.fullFrames = 3;
  const std::vector<study::Finding> findings = findingsOf(counts);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, study::Finding::Kind::fullFrames);
  EXPECT_EQ(findings[0].line(),
            "warning: 3 frames reached detect.max_markers = 128, so markers may be missing; --set "
            "detect.max_markers=512 keeps more");
  Settings settings;
  study::apply(findings[0].remedy, settings);
  EXPECT_EQ(settings.detect.maxMarkers, 512);
}

TEST(Findings, ALampIsIgnoredBesideWhatIsIgnoredAlready) {
  study::Trials trials;
  trials.lamp = {.x = 50, .y = 60, .radius = 8, .rectangle = "34,44,33,33", .hides = 12};
  const std::vector<study::Finding> findings = findingsOf(countsOf(10, 50, 5), trials);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line(),
            "hint: the large marker at (50, 60) raises the threshold above 12 dimmer markers a "
            "frame; --ignore 34,44,33,33 finds them");
  Settings settings;
  settings.detect.ignore = "0,0,5,5";
  study::apply(findings[0].remedy, settings);
  EXPECT_EQ(settings.detect.ignore, "0,0,5,5; 34,44,33,33");
}

TEST(Findings, AShownFrameTellsTheMostImportantFirst) {
  gpu::LayerMeasurement measured;
  measured.markers.resize(128);
  const Settings settings;
  const study::Lamp lamp{.x = 50, .y = 60, .radius = 8, .rectangle = "34,44,33,33", .hides = 12};
  const std::vector<study::Finding> findings = study::findingsOf(
      study::FrameEvidence{.cameras = {&measured}, .settings = settings, .lamp = &lamp});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].sentences(),
            "128 markers found, as many as \"Most markers\" allows. There may be more.");
  EXPECT_EQ(findings[1].sentences(),
            "The large marker at (50, 60) raises the threshold above 12 dimmer markers.");
}

}  // namespace
}  // namespace glint
