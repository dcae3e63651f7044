// Tests what the 3D points tell the cameras' trackers about markers that a camera has lost.
#include <gtest/gtest.h>

#include "app/motion/space/track_links.h"
#include "tests/geometry/rigs.h"
#include "tests/space/hidden_markers.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

TEST(TrackLinks, KeepIdsOverGaps) {
  const KeptIds alone = keptIds({.predictedPlaces = false});
  const KeptIds guided = keptIds({.predictedPlaces = true});
  EXPECT_GT(guided.gaps, 80u);
  EXPECT_EQ(guided.gaps, alone.gaps);
  EXPECT_LT(2 * alone.kept, alone.gaps);
  EXPECT_GT(guided.kept, 0.97 * static_cast<double>(guided.gaps));
  EXPECT_EQ(guided.swapped, 0u);
}

/// A marker that moves through the middle. Camera 0 sees it in sets 0 to 19 only.
class Links : public testing::Test {
 protected:
  void follow(uint64_t until) {
    std::mt19937 random(3);
    for (uint64_t f = 0; f < until; ++f) {
      motion::SpaceSet set = viewOf(rig_, {placeAt(f)}, {.time = timeOf(f), .frame = f}, random);
      std::vector<motion::TrackRow> rows(1);
      rows[0].track = TrackId(7);
      rows[0].x = set.views[0].dots[0].at.x();
      rows[0].y = set.views[0].dots[0].at.y();
      if (f >= 20) set.views[0].dots.clear(), rows.clear();
      points_.update(set);
      links_.learn(points_, 0, rows);
    }
  }
  double timeOf(uint64_t frame) const { return static_cast<double>(frame) / 100; }
  Eigen::Vector3d placeAt(uint64_t frame) const { return {2000 * timeOf(frame) - 300, 100, 50}; }

  const motion::Rig rig_ = ringRig(4);
  motion::PointTracker points_{std::make_shared<const motion::SpaceRig>(rig_), Settings().track};
  motion::TrackLinks links_{4};
};

TEST_F(Links, SayNothingOfWhatIsSeen) {
  follow(20);
  EXPECT_TRUE(links_.predict(points_, 0, timeOf(20)).empty());
}

TEST_F(Links, SayWhereALostTrackIs) {
  follow(30);
  const auto predictedPlaces = links_.predict(points_, 0, timeOf(30));
  ASSERT_EQ(predictedPlaces.size(), 1u);
  EXPECT_EQ(predictedPlaces[0].track, TrackId(7));
  const auto seen = motion::project(rig_.cameras[0].lens, rig_.cameras[0].pose, placeAt(30)).pixel;
  EXPECT_LT((Eigen::Vector2d(predictedPlaces[0].x, predictedPlaces[0].y) - seen).norm(), 1);
  EXPECT_GT(predictedPlaces[0].varianceX, 0);
  const auto next = motion::project(rig_.cameras[0].lens, rig_.cameras[0].pose, placeAt(31)).pixel;
  EXPECT_NEAR(predictedPlaces[0].vx, 100 * (next - seen).x(), 30);
  EXPECT_TRUE(links_.predict(points_, 1, timeOf(30)).empty());
  // A prediction that is uncertain by many pixels is not passed on.
  EXPECT_TRUE(links_.predict(points_, 0, timeOf(300)).empty());
}

}  // namespace
}  // namespace glint::test
