#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include "app/capture/synth/camera.h"
#include "app/capture/synth/random.h"
#include "app/capture/synth/scene.h"
#include "app/motion/calibrate/board_picture.h"
#include "app/motion/calibrate/charuco.h"
#include "app/motion/geometry/rotation.h"
#include "config/error.h"

namespace glint::capture {
namespace {

motion::Board boardOf(const SynthOptions& o) {
  if (o.marker >= o.square)
    throw UsageError("synth:board: a marker lies in a square; its side must be less");
  motion::Board board{o.columns - 1, o.rows - 1, o.square, o.marker,
                      o.marker > 0 ? "DICT_4X4_50" : ""};
  if (board.charuco() && motion::markerCount(board) > motion::markersInDictionary(board.dictionary))
    throw UsageError("synth:board: {}x{} squares have {} markers, but {} has {} only", o.columns,
                     o.rows, motion::markerCount(board), board.dictionary,
                     motion::markersInDictionary(board.dictionary));
  return board;
}

class HeldBoard : public Scene {
 public:
  explicit HeldBoard(const SynthOptions& options)
      : Scene(options),
        camera_(boardCamera(options.camera, options.cameras, options.size)),
        board_(boardOf(options)),
        picture_(board_) {}

  const motion::RigCamera* camera() const override { return &camera_; }

  std::vector<Eigen::Vector3d> places(uint64_t frame) const override {
    const motion::Pose place = placeOf(frame);
    std::vector<Eigen::Vector3d> all;
    for (size_t i = 0; i < board_.count(); ++i) all.push_back(place.apply(board_.corner(i)));
    return all;
  }

 private:
  bool shines() const override { return false; }

  /// Returns the pose from the board to the world, mm. The print faces the cameras, which are at
  /// positive x.
  motion::Pose placeOf(uint64_t frame) const {
    const double time = static_cast<double>(frame) / options().fps;
    const auto swing = [&](uint64_t which) {
      return wander(hashKey({options().seed, which, 'b'}), time);
    };
    Eigen::Matrix3d facing;  // as the cameras see it, x points to the right, y down and z away
    facing << 0, 0, -1, 1, 0, 0, 0, -1, 0;
    const Eigen::Vector3d tilt(0.8 * swing(3), 0.8 * swing(4), 0.8 * swing(5));
    const Eigen::Matrix3d rotation = facing * motion::rotationOf(tilt);
    const Eigen::Vector3d middle =
        board_.square / 2 * Eigen::Vector3d(board_.columns - 1, board_.rows - 1, 0);
    const Eigen::Vector3d at(150 * swing(0), 250 * swing(1), 1000 + 200 * swing(2));
    return {motion::rodriguesOf(rotation), at - rotation * middle};
  }

  std::vector<Projected> project(uint64_t frame) const override {
    std::vector<Projected> corners;
    for (const Eigen::Vector3d& at : places(frame)) {
      const motion::Projection seen = glint::motion::project(camera_.lens, camera_.pose, at);
      corners.push_back({seen.pixel.x(), seen.pixel.y(), 0, seen.depth, seen.depth <= 0});
    }
    return corners;
  }

  void paintBackdrop(uint64_t frame, Canvas& canvas) const override {
    constexpr int kParts = 6;  // samples of a pixel along each axis
    const auto dark = static_cast<float>(options().background);
    std::ranges::fill(canvas.pixels, dark);
    // A pixel takes the mean over its square, and the lens blurs by a square of the same size. Both
    // together weight light by a tent, from the middle of one neighbour to that of the other.
    constexpr double kHalf = kParts / 2.0;
    const auto partAt = [](int i) { return (i + 0.5) / kHalf - 1; };
    const auto weight = [&](int i) { return (1 - std::abs(partAt(i))) / kHalf; };
    // `back` turns a pixel's ray into the point where it meets the board's plane, in homogeneous
    // coordinates.
    const motion::Pose toCamera = motion::then(placeOf(frame), camera_.pose);
    const Eigen::Matrix3d rotation = toCamera.matrix();
    Eigen::Matrix3d onto;
    onto << rotation.col(0), rotation.col(1), toCamera.translation;
    const Eigen::Matrix3d back = onto.inverse();
    const motion::Lens& lens = camera_.lens;
    for (size_t y = 0; y < canvas.height; ++y)
      for (size_t x = 0; x < canvas.width; ++x) {
        const auto at = [&](double px, double py) {
          const Eigen::Vector3d on =
              back * Eigen::Vector3d((px - lens.cx) / lens.fx, (py - lens.cy) / lens.fy, 1);
          return on.z() > 0 ? Eigen::Vector2d(on.head<2>() / on.z())
                            : Eigen::Vector2d::Constant(-1e9).eval();
        };
        const auto px = static_cast<double>(x), py = static_cast<double>(y);
        const Eigen::Vector2d middle = at(px, py);
        if (!picture_.covers(middle.x(), middle.y())) continue;
        float& level = canvas.row(y)[x];
        for (int j = 0; j < kParts; ++j)
          for (int i = 0; i < kParts; ++i) {
            const Eigen::Vector2d on = at(px + partAt(i), py + partAt(j));
            if (picture_.white(on.x(), on.y()))
              level += static_cast<float>(options().amplitude * weight(i) * weight(j));
          }
      }
  }

  motion::RigCamera camera_;
  motion::Board board_;
  motion::BoardPicture picture_;
};

}  // namespace

std::unique_ptr<Scene> makeBoard(const SynthOptions& options) {
  return std::make_unique<HeldBoard>(options);
}

}  // namespace glint::capture
