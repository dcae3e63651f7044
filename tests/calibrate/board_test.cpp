#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/calibrate/board_finder.h"
#include "app/motion/calibrate/board_solve.h"
#include "app/motion/geometry/rotation.h"
#include "config/error.h"
#include "tests/geometry/rigs.h"

namespace glint {
namespace {

using test::normalVector;

/// Returns three cameras side by side that look at a board which somebody holds in all directions.
motion::Rig boardRig() {
  motion::Rig rig;
  for (int c = 0; c < 3; ++c) {
    const motion::Lens lens{
        800.0 + 20 * c, 800.0 + 20 * c, 320.0 + 4 * c, 236, -0.15 + 0.03 * c, 0.05};
    motion::Pose pose{{0, 0.25 * (c - 1), 0}, {0, 0, 0}};
    pose.translation = -(pose.matrix() * Eigen::Vector3d(220.0 * (c - 1), 15.0 * c, 0));
    rig.cameras.push_back({"", 640, 480, lens, pose, 0});
  }
  return rig;
}

/// Returns what the cameras see of the board. Every third view lists the corners from the other end
/// of the board.
motion::BoardRecording held(const motion::Rig& rig, const motion::Board& board, size_t frames,
                            double sigma, unsigned seed) {
  std::mt19937 random(seed);
  motion::BoardRecording recording;
  for (const motion::RigCamera& camera : rig.cameras)
    recording.sizes.push_back({camera.width, camera.height});
  size_t views = 0;
  for (size_t f = 0; f < frames; ++f) {
    const motion::Pose place{normalVector(random, 0.35),
                             Eigen::Vector3d(-90, -60, 700) + normalVector(random, 60)};
    auto& moment = recording.moments.emplace_back();
    moment.time = static_cast<double>(f);
    for (const motion::RigCamera& camera : rig.cameras) {
      std::vector<Eigen::Vector2d> corners;
      bool inside = true;
      for (size_t i = 0; i < board.count(); ++i) {
        const motion::Projection p =
            motion::project(camera.lens, camera.pose, place.apply(board.corner(i)));
        inside = inside && p.depth > 0 && p.pixel.x() > 0 && p.pixel.y() > 0 &&
                 p.pixel.x() < camera.width && p.pixel.y() < camera.height;
        corners.push_back(p.pixel + normalVector(random, sigma).head<2>());
      }
      motion::BoardView& view = moment.views.emplace_back();
      if (!inside) continue;
      if (++views % 3 == 0) std::reverse(corners.begin(), corners.end());
      view.corners.fill(corners);
      view.which.resize(corners.size());
      std::iota(view.which.begin(), view.which.end(), size_t{0});
    }
  }
  return recording;
}

TEST(Board, NamesAreReadAndOthersRefused) {
  const motion::Board board = motion::parseBoard("chessboard:9x6:25mm");
  EXPECT_EQ(board.count(), 54U);
  EXPECT_EQ(board.corner(10), Eigen::Vector3d(25, 25, 0));
  EXPECT_EQ(board.turned(0), 53U);
  for (const char* bad : {"", "chessboard", "chessboard:9x6", "chessboard:9x6:25",
                          "chessboard:2x6:25mm", "chessboard:9x6:0mm", "chessboard:9x6:nanmm",
                          "chessboard:9x6:25mm ", "chessboard:-9x6:25mm"})
    EXPECT_THROW(motion::parseBoard(bad), UsageError) << bad;
}

TEST(Board, CamerasAreFoundFromItsViews) {
  const motion::Rig truth = boardRig();
  const motion::Board board{9, 6, 25};
  const motion::BoardRecording recording = held(truth, board, 60, 0.1, 3);
  const motion::Calibration found = motion::calibrateBoard(recording, board, {});
  ASSERT_EQ(found.rig.cameras.size(), 3U);
  const motion::Rig expected = motion::moved(truth, truth.cameras[0].pose, 1);
  const Eigen::MatrixXd full = motion::fullCovariance(found.rig);
  for (size_t c = 0; c < 3; ++c) {
    const motion::RigCamera &is = found.rig.cameras[c], &shall = expected.cameras[c];
    EXPECT_NEAR(is.lens.fx, shall.lens.fx, 4 * found.cameras[c].focalSigma) << c;
    EXPECT_LT(found.cameras[c].focalSigma, 2);
    EXPECT_LT((is.pose.centre() - shall.pose.centre()).norm(), 2) << c;
    for (int n = 0; n < 3; ++n) {
      const auto at =
          static_cast<Eigen::Index>(c) * motion::kCameraNumbers + motion::Lens::kNumbers + 3 + n;
      EXPECT_LE(std::abs(is.pose.translation[n] - shall.pose.translation[n]),
                4.5 * std::sqrt(full(at, at)) + 1e-9);
    }
    EXPECT_GT(found.cameras[c].within, 0.99);
  }
  EXPECT_NEAR(found.misfit, 0.1, 0.01);
  EXPECT_NEAR(found.heldOut.rms, 0.141, 0.02);
  EXPECT_GE(found.heldOut.moments, 9U);
  EXPECT_GT(found.shared[0][1], 20U);
}

TEST(Board, FisheyeLensesAreFound) {
  motion::Rig truth = boardRig();
  for (size_t c = 0; c < 3; ++c) {
    const double n = static_cast<double>(c);
    // The left and right borders show directions 55 degrees off the axis.
    truth.cameras[c].lens = {330 + 4 * n, 331 + 4 * n, 321 + 4 * n, 238, 0.03 - 0.02 * n,
                             -0.008,      0.002,       -0.0003,     0,   true};
  }
  const motion::Board board{9, 6, 60};
  const motion::BoardRecording recording = held(truth, board, 150, 0.1, 7);
  motion::CalibrationOptions options;
  options.terms = motion::LensTerms::fisheye;
  const motion::Calibration found = motion::calibrateBoard(recording, board, options);
  const motion::Rig expected = motion::moved(truth, truth.cameras[0].pose, 1);
  ASSERT_EQ(found.rig.cameras.size(), 3U);
  EXPECT_NEAR(found.misfit, 0.1, 0.01);
  EXPECT_NEAR(found.heldOut.rms, 0.141, 0.02);
  EXPECT_TRUE(found.doubts.empty());
  for (size_t c = 0; c < 3; ++c) {
    const motion::RigCamera &is = found.rig.cameras[c], &shall = expected.cameras[c];
    EXPECT_TRUE(is.lens.fisheye);
    EXPECT_NEAR(is.lens.fx, shall.lens.fx, 4.5 * found.cameras[c].focalSigma) << c;
    EXPECT_LT((is.pose.centre() - shall.pose.centre()).norm(), 2) << c;
    // Both lenses show the same angles at the same places, out to 50 degrees.
    for (double angle = 0; angle < 0.87; angle += 0.05)
      for (const double turn : {0.0, 1.0, 2.5, 4.0}) {
        const Eigen::Vector3d ray(std::sin(angle) * std::cos(turn),
                                  std::sin(angle) * std::sin(turn), std::cos(angle));
        const auto seen = [&](const motion::Lens& lens) {
          return motion::project(lens, {}, ray).pixel;
        };
        EXPECT_LT((seen(is.lens) - seen(shall.lens)).norm(), 0.5) << c << ", " << angle;
      }
  }
}

TEST(Board, LensesOfWebcamsAreFound) {
  motion::Rig truth = boardRig();
  for (size_t c = 0; c < 3; ++c) {
    motion::Lens& lens = truth.cameras[c].lens;
    lens.fy *= 1.005 - 0.004 * static_cast<double>(c);
    lens.p1 = 0.001;
    lens.p2 = -0.0015 + 0.001 * static_cast<double>(c);
  }
  const motion::Board board{9, 6, 25};
  const motion::Calibration found =
      motion::calibrateBoard(held(truth, board, 60, 0.1, 3), board, {});
  const Eigen::MatrixXd full = motion::fullCovariance(found.rig);
  for (size_t c = 0; c < 3; ++c) {
    const motion::Lens::Numbers off =
        found.rig.cameras[c].lens.numbers() - truth.cameras[c].lens.numbers();
    for (int n = 0; n < 8; ++n) {  // All but k3, which is not asked for.
      const auto at = static_cast<Eigen::Index>(c) * motion::kCameraNumbers + n;
      ASSERT_GT(full(at, at), 0) << n;
      EXPECT_LT(std::abs(off[n]), 4.5 * std::sqrt(full(at, at))) << c << " " << n;
    }
  }
  EXPECT_NEAR(found.misfit, 0.1, 0.01);
  EXPECT_TRUE(found.doubts.empty());
}

TEST(Board, ALensCentreFarFromTheMiddleIsDoubted) {
  // The images are stated to be larger than they are, so the centres seem to lie elsewhere.
  const motion::Board board{9, 6, 25};
  motion::BoardRecording recording = held(boardRig(), board, 60, 0.1, 3);
  recording.sizes[1] = {1280, 960};
  const motion::Calibration found = motion::calibrateBoard(recording, board, {});
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_EQ(found.doubts[0].mend, "check the size of camera 1's image");
}

TEST(Board, OneCameraGivesItsLensAndFewViewsARefusal) {
  motion::Rig truth = boardRig();
  truth.cameras.resize(1);
  const motion::Board board{9, 6, 25};
  const motion::Calibration found =
      motion::calibrateBoard(held(truth, board, 30, 0.1, 5), board, {});
  EXPECT_NEAR(found.rig.cameras[0].lens.fx, 800, 4 * found.cameras[0].focalSigma);
  EXPECT_THROW(motion::calibrateBoard(held(truth, board, 3, 0.1, 5), board, {}), Error);
}

TEST(Board, CamerasThatNeverSeeItTogetherAreNamed) {
  const motion::Board board{9, 6, 25};
  motion::BoardRecording recording = held(boardRig(), board, 60, 0.1, 3);
  for (size_t m = 0; m < recording.moments.size(); ++m)
    for (size_t c = 0; c < 3; ++c)
      if ((c == 2) == (m % 2 == 0)) recording.moments[m].views[c] = {};
  try {
    motion::calibrateBoard(recording, board, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 49),
              "camera 2 sees the board in fewer than 3 moments t");
  }
}

TEST(Board, CornersAreFoundInAnImage) {
  const motion::Board board{5, 4, 20};
  const motion::FrameExtent size{320, 240};
  // The camera looks straight at the board. A square is 30 px wide, and the first corner lies at
  // (70.3, 60.8).
  std::vector<uint8_t> grey(320 * 240);
  for (int y = 0; y < 240; ++y)
    for (int x = 0; x < 320; ++x) {
      const double u = (x - 70.3) / 30, v = (y - 60.8) / 30;
      double value = 230;
      if (u > -1 && v > -1 && u < 5 && v < 4) {
        // Edges between squares are ramps about as wide as a pixel.
        const auto wave = [](double at) {
          const double to = at - std::round(at);
          const double sign = std::lround(std::floor(at + 0.5)) % 2 == 0 ? 1 : -1;
          return sign * std::clamp(to * 30, -1.0, 1.0);
        };
        value = 125 + 105 * wave(u) * wave(v);
      }
      grey[static_cast<size_t>(y) * 320 + static_cast<size_t>(x)] = static_cast<uint8_t>(value);
    }
  for (const bool negative : {false, true}) {
    if (negative)
      for (uint8_t& value : grey) value = static_cast<uint8_t>(255 - value);
    const motion::BoardView view = motion::findBoard(board, size, grey.data());
    ASSERT_TRUE(view.seen()) << negative;
    auto corners = view.corners[0];
    ASSERT_EQ(corners.size(), 20U);
    if (corners.front().y() > corners.back().y()) std::reverse(corners.begin(), corners.end());
    for (size_t i = 0; i < corners.size(); ++i) {
      EXPECT_NEAR(corners[i].x(), 70.3 + 30.0 * static_cast<double>(i % 5), 0.1);
      EXPECT_NEAR(corners[i].y(), 60.8 + 30.0 * static_cast<double>(i / 5), 0.1);
    }
  }
  std::fill(grey.begin(), grey.end(), uint8_t{90});
  EXPECT_FALSE(motion::findBoard(board, size, grey.data()).seen());
}

}  // namespace
}  // namespace glint
