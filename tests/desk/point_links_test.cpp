// Compares the links between tracks and points with those of a simulated scene.
#include "app/shell/desk/point_links.h"

#include <gtest/gtest.h>

#include "app/motion/geometry/rig.h"

namespace glint {
namespace {

/// Returns a rig of two cameras that look along z from 1 m away, 200 mm apart.
motion::SpaceRig twoCameras() {
  motion::Rig rig;
  for (const double x : {-100.0, 100.0}) {
    motion::RigCamera camera;
    camera.width = 640;
    camera.height = 480;
    camera.lens.fx = camera.lens.fy = 500;
    camera.lens.cx = 320;
    camera.lens.cy = 240;
    camera.pose.translation = {-x, 0, 1000};
    rig.cameras.push_back(camera);
  }
  return motion::SpaceRig(rig, false);
}

motion::SpaceRow pointAt(uint64_t id, const Eigen::Vector3d& at, uint64_t cameras) {
  motion::SpaceRow row;
  row.point = id;
  row.at = at;
  row.cameras = cameras;
  return row;
}

motion::TrackRow trackAt(uint64_t id, double x, double y,
                         motion::TrackState state = motion::TrackState::measured) {
  motion::TrackRow row;
  row.track = TrackId(id);
  row.x = x;
  row.y = y;
  row.state = state;
  return row;
}

using Links = std::map<TrackId, uint64_t>;

TEST(PointLinks, EachTrackBelongsToThePointWhoseImageIsNearest) {
  const motion::SpaceRig rig = twoCameras();
  // In camera 0, a length of 2 mm at this distance is 1 px.
  const std::vector points{pointAt(7, {-100, 0, 0}, 3), pointAt(8, {-92, 0, 0}, 3),
                           pointAt(9, {100, 50, 0}, 1)};
  const std::vector tracks{trackAt(1, 321, 240), trackAt(2, 325, 241), trackAt(3, 420, 265),
                           trackAt(4, 100, 100)};
  EXPECT_EQ(shell::pointsOfTracks(rig, 0, points, tracks),
            (Links{{TrackId(1), 7}, {TrackId(2), 8}, {TrackId(3), 9}}));
}

TEST(PointLinks, APointHasOneTrackAndTheNearestPairsComeFirst) {
  const motion::SpaceRig rig = twoCameras();
  const std::vector points{pointAt(7, {-100, 0, 0}, 3)};
  EXPECT_EQ(shell::pointsOfTracks(rig, 0, points,
                                  std::vector{trackAt(1, 323, 240), trackAt(2, 319, 240)}),
            (Links{{TrackId(2), 7}}));
  EXPECT_EQ(shell::pointsOfTracks(rig, 0, points, std::vector{trackAt(1, 326.5, 240)}), Links())
      << "too far away";
}

TEST(PointLinks, OnlyPredictedTracksBelongToPointsThatTheCameraDoesNotSee) {
  const motion::SpaceRig rig = twoCameras();
  const std::vector points{pointAt(7, {100, 0, 0}, 1)};  // seen by camera 0 alone
  EXPECT_EQ(shell::pointsOfTracks(rig, 1, points, std::vector{trackAt(1, 320, 240)}), Links());
  EXPECT_EQ(shell::pointsOfTracks(rig, 1, points,
                                  std::vector{trackAt(1, 320, 240, motion::TrackState::predicted)}),
            (Links{{TrackId(1), 7}}));
}

}  // namespace
}  // namespace glint
