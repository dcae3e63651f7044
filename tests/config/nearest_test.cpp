// Tests the suggestions for misspelt names.
#include "config/nearest.h"

#include <gtest/gtest.h>

namespace glint {
namespace {

const std::vector<std::string> kSettings{"detect.region", "detect.separation", "detect.mask",
                                         "live.wait",     "live.lag",          "camera.exposure"};
const std::vector<std::string> kCommands{"track", "replay", "report", "rig", "mask"};

TEST(NearestName, FindsNamesThatAreMisspelt) {
  EXPECT_EQ(nearestName("trak", kCommands), "track");
  EXPECT_EQ(nearestName("trakc", kCommands), "track");
  EXPECT_EQ(nearestName("Track", kCommands), "track");
  EXPECT_EQ(nearestName("rgi", kCommands), "rig");
  EXPECT_EQ(nearestName("detect.seperation", kSettings), "detect.separation");
  EXPECT_EQ(nearestName("dtect.separatoin", kSettings), "detect.separation");
  EXPECT_EQ(nearestName("marker_radus", {"--marker-radius", "marker-radius"}), "marker-radius");
}

TEST(NearestName, FindsTheLastPartOfAKeyAlone) {
  EXPECT_EQ(nearestName("seperation", kSettings), "detect.separation");
  EXPECT_EQ(nearestName("exposure", kSettings), "camera.exposure");
}

TEST(NearestName, FindsNothingThatIsFarInSpelling) {
  EXPECT_EQ(nearestName("output", kSettings), "");
  EXPECT_EQ(nearestName("foo", kSettings), "");
  EXPECT_EQ(nearestName("", kSettings), "");
  EXPECT_EQ(nearestName("camera.zebra", kSettings), "");
  EXPECT_EQ(nearestName("convert", kCommands), "");
  EXPECT_EQ(nearestName("track", {}), "");
  EXPECT_EQ(nearestName(std::string(1'000'000, 'a'), kSettings), "");
}

TEST(NearestName, PrefersTheNameWithTheFewestEdits) {
  EXPECT_EQ(nearestName("mark", {"mask", "marks", "mark"}), "mark");
  EXPECT_EQ(nearestName("reprt", {"replay", "report"}), "report");
}

TEST(NearestName, TheSuggestionIsAbsentIfNoNameIsNear) {
  EXPECT_EQ(didYouMean("trak", kCommands), "; did you mean 'track'?");
  EXPECT_EQ(didYouMean("separation", kSettings, "--set ", "=5"),
            "; did you mean '--set detect.separation=5'?");
  EXPECT_EQ(didYouMean("foo", kCommands), "");
}

}  // namespace
}  // namespace glint
