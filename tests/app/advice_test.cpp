// Tests advice: how findings follow from counts and trials.
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
  return study::findingsOf(study::Evidence{counts, settings, trials});
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

TEST(Findings, FewFramesAreNotAskedForMore) {
  // By default a recording of two frames cannot confirm a track.
  const std::vector<study::Finding> cut = findingsOf(countsOf(2, 20, 0));
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(
      cut[0].line(),
      "hint: markers were found, but 2 frames cannot have tracks: a track needs "
      "track.confirm = 3 measurements; --set track.confirm=1 keeps all markers; for unrelated "
      "pictures add --stills");
  EXPECT_EQ(findingsOf(countsOf(3, 30, 0))[0].observation.substr(0, 60),
            "markers were found, but none in 3 consecutive frames: a trac");

  Settings atOnce;
  atOnce.track.confirm = 1;
  const study::Trials trials;
  const auto findingsAfter = [&](uint64_t frames, bool stills) {
    const motion::TrackingCounts counts = countsOf(frames, 10 * frames, 10);
    return study::findingsOf(
        study::Evidence{.counts = counts, .settings = atOnce, .trials = trials, .stills = stills});
  };
  ASSERT_EQ(findingsAfter(2, false).size(), 1U);
  EXPECT_EQ(findingsAfter(2, false)[0].line(),
            "of 2 frames only, every track is kept, although 3 measurements usually confirm one "
            "(track.confirm); some may be chance");
  EXPECT_TRUE(findingsAfter(3, false).empty());
  ASSERT_EQ(findingsAfter(1, true).size(), 1U);
  EXPECT_EQ(findingsAfter(1, true)[0].kind, study::Finding::Kind::stills);
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

TEST(Findings, GlareIsAReasonToProbe) {
  study::Trials trials;
  trials.glare = {.hides = 112.6};
  const std::vector<study::Finding> findings = findingsOf(countsOf(10, 80, 8), trials);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line(),
            "hint: bright areas that are no markers raise the threshold above 113 dimmer markers a "
            "frame; `glint probe` proposes settings that find them");
  EXPECT_TRUE(study::argumentsOf(findings[0].remedy).empty());
}

/// A frame of one camera that was measured with default settings.
gpu::LayerMeasurement measuredFrame(size_t markers) {
  gpu::LayerMeasurement measured;
  measured.stamp.emplace();
  measured.markers.resize(markers);
  return measured;
}

/// Applies the rules for a set that is shown to one camera's frame.
std::vector<study::Finding> shownFindingsOf(const gpu::LayerMeasurement& measured,
                                            bool nothingSoFar = false,
                                            const study::Lamp* lamp = nullptr) {
  const Settings settings;
  return study::findingsOf(study::ShownEvidence{
      .cameras = {&measured}, .settings = settings, .nothingSoFar = nothingSoFar, .lamp = lamp});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// A shown set gives the findings of a run that contains nothing else, in the same words.
TEST(Findings, AShownSetGivesTheFindingsOfARunOfIt) {
  const study::Lamp lamp{.x = 50, .y = 60, .radius = 8, .rectangle = "34,44,33,33", .hides = 12};
  gpu::LayerMeasurement many = measuredFrame(128), partial = measuredFrame(3),
                        dim = measuredFrame(0);
  partial.partial = true;
  dim.threshold = 7;
  struct Case {
    const char* name;
    const gpu::LayerMeasurement& measured;
    const study::Lamp* lamp;
    std::vector<study::Finding::Kind> kinds;
  };
  using Kind = study::Finding::Kind;
  for (const Case& one : {Case{"full, with a lamp", many, &lamp, {Kind::fullFrames, Kind::lamp}},
                          Case{"partial", partial, nullptr, {Kind::partialFrames}},
                          Case{"dim", dim, nullptr, {Kind::nothingFound}}}) {
    SCOPED_TRACE(one.name);
    const size_t markers = one.measured.markers.size();
    motion::TrackingCounts counts = countsOf(1, markers, markers);
    counts.fullFrames = markers == 128 ? 1 : 0;
    counts.partialFrames = one.measured.partial ? 1 : 0;
    counts.dimFrames = one.measured.threshold > 0 ? 1 : 0;
    study::Trials trials;
    if (one.lamp != nullptr) trials.lamp = *one.lamp;
    const std::vector<study::Finding> run = findingsOf(counts, trials),
                                      shown = shownFindingsOf(one.measured, true, one.lamp);
    ASSERT_EQ(run.size(), one.kinds.size());
    ASSERT_EQ(shown.size(), run.size());
    for (size_t i = 0; i < run.size(); ++i) {
      EXPECT_EQ(shown[i].kind, one.kinds[i]);
      EXPECT_EQ(run[i].kind, one.kinds[i]);
      EXPECT_EQ(shown[i].severity, run[i].severity);
      EXPECT_EQ(shown[i].observation, replaced(run[i].observation, "1 frame", "this frame"));
      EXPECT_EQ(shown[i].advice, run[i].advice);
      EXPECT_EQ(study::argumentsOf(shown[i].remedy), study::argumentsOf(run[i].remedy));
    }
  }
}

TEST(Findings, TheSentencesOfAShownSet) {
  const std::vector<study::Finding> full = shownFindingsOf(measuredFrame(128));
  ASSERT_EQ(full.size(), 1U);
  EXPECT_EQ(full[0].observed(),
            "This frame reached detect.max_markers = 128, so markers may be missing.");
  const gpu::LayerMeasurement one = measuredFrame(128), other = measuredFrame(128);
  const Settings settings;
  const std::vector<study::Finding> both =
      study::findingsOf(study::ShownEvidence{.cameras = {&one, &other}, .settings = settings});
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both[0].observed(),
            "2 frames of this set reached detect.max_markers = 128, so markers may be missing.");
}

// A single set without markers is no finding if there were markers before. A set with few markers
// and as many rejected candidates gives no finding about tracks.
TEST(Findings, AShownSetIsNotJudgedLikeAWholeRun) {
  EXPECT_TRUE(shownFindingsOf(measuredFrame(0)).empty());
  EXPECT_EQ(shownFindingsOf(measuredFrame(0), true).size(), 1U);
  gpu::LayerMeasurement few = measuredFrame(1);
  few.elongated = 1;
  EXPECT_TRUE(shownFindingsOf(few).empty());
  few.stamp.reset();
  EXPECT_TRUE(shownFindingsOf(few, true).empty()) << "no camera has a frame here";
}

}  // namespace
}  // namespace glint
