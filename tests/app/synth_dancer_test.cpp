#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "app/capture/synth/camera.h"
#include "app/capture/synth/dance.h"
#include "app/capture/synth/scene.h"

namespace glint {
namespace {

constexpr int kFrameCount = 300;
constexpr double kFps = 60;
constexpr double kDiameter = 0.020;  // The default diameter, m.

// Returns the pixel of a point in the camera that the header defines, computed with plain angles
// instead of matrices.
capture::TruthMarker expectedPixel(const Eigen::Vector3d& eye, double focal,
                                   const Eigen::Vector3d& point) {
  const double tx = -eye.x(), ty = -eye.y(), tz = 0.82 - eye.z();
  const double azimuth = std::atan2(ty, tx), elevation = std::atan2(tz, std::hypot(tx, ty));
  const double dx = point.x() - eye.x(), dy = point.y() - eye.y(), dz = point.z() - eye.z();
  const double ahead = dx * std::cos(azimuth) + dy * std::sin(azimuth);
  const double right = dx * std::sin(azimuth) - dy * std::cos(azimuth);
  const double depth = ahead * std::cos(elevation) + dz * std::sin(elevation);
  const double up = dz * std::cos(elevation) - ahead * std::sin(elevation);
  return {0, 639.5 + focal * right / depth, 359.5 - focal * up / depth, true};
}

TEST(SynthDancer, TruthIsThePinholeProjectionOfTheMarkers) {
  const capture::Dance dance(1);
  for (int camera = 0; camera < 5; ++camera) {
    capture::SynthOptions options(capture::SynthScene::dancer);
    options.cameras = 5;
    options.camera = camera;
    const auto scene = capture::makeScene(options);
    const motion::RigCamera pinhole = capture::ringCamera(camera, 5, options.size);
    const Eigen::Vector3d eye = pinhole.pose.centre() / 1000;
    EXPECT_NEAR(std::hypot(eye.x(), eye.y()), 6, 1e-12);
    for (const uint64_t frame : {uint64_t{0}, uint64_t{77}, uint64_t{100000}}) {
      const auto markers =
          capture::placeMarkers(dance.pose(static_cast<double>(frame) / kFps), kDiameter);
      const auto truth = scene->truth(frame);
      ASSERT_EQ(truth.size(), markers.size());
      for (size_t i = 0; i < truth.size(); ++i) {
        const auto pixel = expectedPixel(eye, pinhole.lens.fx, markers[i].position);
        EXPECT_EQ(truth[i].id, static_cast<int>(i) + 1);
        EXPECT_NEAR(truth[i].x, pixel.x, 1e-8);
        EXPECT_NEAR(truth[i].y, pixel.y, 1e-8);
      }
    }
  }
}

TEST(SynthDancer, ACapsuleHidesWhatLiesBehindIt) {
  const std::vector<capture::Capsule> wall{{capture::chest, {0, -0.2, 1}, {0, 0.2, 1}, 0.1}};
  const Eigen::Vector3d eye(5, 0, 1), towards(1, 0, 0);
  const auto hidden = [&](const Eigen::Vector3d& at, const Eigen::Vector3d& normal) {
    return capture::isHidden({capture::head, at, normal}, wall, eye);
  };
  EXPECT_TRUE(hidden({-1, 0, 1}, towards));
  EXPECT_FALSE(hidden({1, 0, 1}, towards));
  EXPECT_TRUE(hidden({1, 0, 1}, -towards));
  // A line of sight from 1 m behind passes the capsule at 5/6 of the marker's own distance from the
  // capsule.
  EXPECT_TRUE(hidden({-1, 0, 1 + 0.1 * 1.17}, towards));
  EXPECT_FALSE(hidden({-1, 0, 1 + 0.1 * 1.23}, towards));
  EXPECT_TRUE(hidden({-1, 0.33, 1}, towards));
  EXPECT_FALSE(hidden({-1, 0.40, 1}, towards));
}

TEST(SynthDancer, MarkersHideBehindTheBodyNowAndThen) {
  const capture::Dance dance(1);
  std::vector<int> inAllCameras;
  for (int camera = 0; camera < 4; ++camera) {
    capture::SynthOptions options(capture::SynthScene::dancer);
    options.camera = camera;
    const auto scene = capture::makeScene(options);
    const Eigen::Vector3d eye =
        capture::ringCamera(camera, options.cameras, options.size).pose.centre() / 1000;
    std::vector<int> seen;
    double facing = 0, facingHidden = 0, averted = 0, avertedHidden = 0;
    for (int f = 0; f < kFrameCount; ++f) {
      const auto truth = scene->truth(static_cast<uint64_t>(f));
      const auto markers = capture::placeMarkers(dance.pose(f / kFps), kDiameter);
      seen.resize(truth.size());
      int count = 0;
      for (size_t i = 0; i < truth.size(); ++i) {
        count += truth[i].visible;
        seen[i] += truth[i].visible;
        const bool towards = markers[i].normal.dot(eye - markers[i].position) > 0;
        (towards ? facing : averted) += 1;
        (towards ? facingHidden : avertedHidden) += !truth[i].visible;
      }
      EXPECT_GE(count, 20) << "camera " << camera << " frame " << f;
      EXPECT_LT(count, static_cast<int>(truth.size()));
    }
    for (size_t i = 0; i < seen.size(); ++i) {
      if (camera == 0) {
        EXPECT_GE(seen[i], kFrameCount / 5) << "marker " << i + 1;
      }
      EXPECT_GT(seen[i], 0) << "camera " << camera << " marker " << i + 1;
      inAllCameras.resize(seen.size());
      inAllCameras[i] += seen[i];
    }
    EXPECT_GT(avertedHidden / averted, 3 * facingHidden / facing);
  }
  for (const int count : inAllCameras) EXPECT_GE(count, 4 * kFrameCount * 4 / 10);
}

TEST(SynthDancer, ANearerMarkerCoversAFartherOne) {
  capture::SynthOptions options(capture::SynthScene::crossing);
  options.size = {40, 40};
  options.markers = 12;
  const auto scene = capture::makeScene(options);
  int covered = 0;
  for (uint64_t f = 0; f < 50; ++f) {
    const auto truth = scene->truth(f);
    for (const capture::TruthMarker& t : truth) {
      const bool near = std::any_of(truth.begin(), truth.end(), [&](const capture::TruthMarker& o) {
        return o.id < t.id && std::hypot(o.x - t.x, o.y - t.y) < 0.8 * options.radius;
      });
      EXPECT_EQ(t.visible, !near);
      covered += near;
    }
  }
  EXPECT_GT(covered, 0);
}

TEST(SynthDancer, StaysInsideTheImageAndMovesSmoothly) {
  for (int camera = 0; camera < 4; ++camera) {
    capture::SynthOptions options(capture::SynthScene::dancer);
    options.camera = camera;
    const auto scene = capture::makeScene(options);
    double longest = 0;
    std::vector<capture::TruthMarker> before;
    for (uint64_t f = 0; f < uint64_t{2} * kFrameCount; ++f) {
      const auto now = scene->truth(f);
      for (size_t i = 0; i < now.size(); ++i) {
        EXPECT_TRUE(now[i].x > 5 && now[i].x < 1275 && now[i].y > 5 && now[i].y < 715);
        if (before.empty()) continue;
        longest = std::max(longest, std::hypot(now[i].x - before[i].x, now[i].y - before[i].y));
      }
      before = now;
    }
    EXPECT_LT(longest, 22);
    EXPECT_GT(longest, 8);
  }
}

TEST(SynthDancer, VisibleMarkersAreMostlyApart) {
  capture::SynthOptions options(capture::SynthScene::dancer);
  const auto scene = capture::makeScene(options);
  double all = 0, crowded = 0;
  for (uint64_t f = 0; f < kFrameCount; ++f) {
    const auto truth = scene->truth(f);
    for (const capture::TruthMarker& a : truth) {
      if (!a.visible) continue;
      ++all;
      crowded += std::any_of(truth.begin(), truth.end(), [&](const capture::TruthMarker& b) {
        return b.visible && b.id != a.id && std::hypot(a.x - b.x, a.y - b.y) < 8;
      });
    }
  }
  EXPECT_LT(crowded / all, 0.08);
}

TEST(SynthDancer, BonesKeepTheirLengths) {
  const capture::Dance dance(3);
  const struct {
    capture::Segment from, to;
    double length;
  } bones[] = {{capture::pelvis, capture::chest, capture::joints::kWaist},
               {capture::chest, capture::head, capture::joints::kNeck},
               {capture::chest, capture::leftUpperArm,
                std::hypot(capture::joints::kShoulderSide, capture::joints::kShoulderHeight)},
               {capture::chest, capture::rightUpperArm,
                std::hypot(capture::joints::kShoulderSide, capture::joints::kShoulderHeight)},
               {capture::leftUpperArm, capture::leftForearm, capture::joints::kUpperArm},
               {capture::rightUpperArm, capture::rightForearm, capture::joints::kUpperArm},
               {capture::leftForearm, capture::leftHand, capture::joints::kForearm},
               {capture::rightForearm, capture::rightHand, capture::joints::kForearm},
               {capture::pelvis, capture::leftThigh, capture::joints::kHipSide},
               {capture::pelvis, capture::rightThigh, capture::joints::kHipSide},
               {capture::leftThigh, capture::leftShin, capture::joints::kThigh},
               {capture::rightThigh, capture::rightShin, capture::joints::kThigh},
               {capture::leftShin, capture::leftFoot, capture::joints::kShin},
               {capture::rightShin, capture::rightFoot, capture::joints::kShin}};
  for (int f = 0; f < 900; ++f) {
    const capture::Skeleton body = dance.pose(f / kFps);
    for (const auto& bone : bones)
      EXPECT_NEAR((body[bone.to].translation() - body[bone.from].translation()).norm(), bone.length,
                  1e-9);
    for (const auto& segment : body) {
      EXPECT_NEAR(segment.linear().determinant(), 1, 1e-9);
      EXPECT_TRUE((segment.linear() * segment.linear().transpose()).isIdentity(1e-9));
    }
  }
}

TEST(SynthDancer, WalksWithFeetThatStandOnTheFloorAndTurns) {
  const capture::Dance dance(1);
  for (const capture::Segment foot : {capture::leftFoot, capture::rightFoot}) {
    int standing = 0;
    double way = 0, lowest = 1;
    for (int f = 1; f < 600; ++f) {
      const capture::Skeleton before = dance.pose((f - 1) / kFps), now = dance.pose(f / kFps);
      const double moved = (now[foot].translation() - before[foot].translation()).norm();
      standing += moved < 1e-4;
      way += moved;
      for (const double x : {-0.04, 0.12})
        lowest = std::min(lowest,
                          (now[foot] * Eigen::Vector3d(x, 0, -capture::joints::kAnkleHeight)).z());
    }
    EXPECT_GT(standing, 120);
    EXPECT_GT(way, 5);  // The foot moves by more than 5 m in 10 s.
    EXPECT_NEAR(lowest, 0, 0.02);
  }
  double least = 1, most = -1;
  for (int f = 0; f < 600; ++f) {
    const double facing = dance.pose(f / kFps)[capture::pelvis].linear()(0, 0);
    least = std::min(least, facing);
    most = std::max(most, facing);
  }
  EXPECT_LT(least, -0.8);  // The dancer faces towards -x and towards +x at times.
  EXPECT_GT(most, 0.8);
}

}  // namespace
}  // namespace glint
