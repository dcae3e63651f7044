#include <algorithm>
#include <array>
#include <string>

#include "app/capture/synth/camera.h"
#include "app/capture/synth/dance.h"
#include "app/capture/synth/scene.h"
#include "app/motion/space/body.h"

namespace glint::capture {
namespace {

/// A segment whose markers fit onto themselves in one way only.
struct RigidSegment {
  const char* name;
  Segment segment;
};
constexpr std::array kRigidSegments{RigidSegment{"head", head}, RigidSegment{"chest", chest}};

class Dancer : public Scene {
 public:
  explicit Dancer(const SynthOptions& options)
      : Scene(options),
        dance_(options.seed),
        camera_(ringCamera(options.camera, options.cameras, options.size)),
        eye_(camera_.pose.centre() / 1000) {}

 private:
  std::vector<Projected> project(uint64_t frame) const override;
  void paintBackdrop(uint64_t frame, Canvas& canvas) const override;
  const motion::RigCamera* camera() const override { return &camera_; }
  std::vector<Eigen::Vector3d> places(uint64_t frame) const override {
    std::vector<Eigen::Vector3d> all;
    for (const BodyMarker& marker : placeMarkers(poseAt(frame), options().diameter / 1000))
      all.push_back(1000 * marker.position);
    return all;
  }

  std::vector<motion::Body> bodies() const override {
    Skeleton own;
    own.fill(Eigen::Isometry3d::Identity());
    const auto markers = placeMarkers(own, options().diameter / 1000);
    std::vector<motion::Body> all;
    for (const auto& [name, segment] : kRigidSegments) {
      motion::Body& body = all.emplace_back(motion::Body{name, {}, kExact});
      for (size_t m = 0; m < markers.size(); ++m)
        if (markers[m].segment == segment)
          body.markers.push_back({std::to_string(m + 1), 1000 * markers[m].position});
    }
    return all;
  }

  std::vector<Eigen::Isometry3d> poses(uint64_t frame) const override {
    const Skeleton skeleton = poseAt(frame);
    std::vector<Eigen::Isometry3d> all;
    for (const auto& [name, segment] : kRigidSegments) {
      Eigen::Isometry3d pose = skeleton[segment];
      pose.translation() *= 1000;
      all.push_back(pose);
    }
    return all;
  }

  static constexpr double kExact = 0.001;  // mm: uncertainty of the bodies' markers

  Skeleton poseAt(uint64_t frame) const {
    return dance_.pose(static_cast<double>(frame) / options().fps);
  }

  Dance dance_;
  motion::RigCamera camera_;
  Eigen::Vector3d eye_;  // m: place of the camera
};

// Off the optical axis a ball's image is slightly longer than wide, here by less than 2 %. It is
// drawn as a disc of radius focal * r / depth around the projection of the ball's centre.
std::vector<Scene::Projected> Dancer::project(uint64_t frame) const {
  const double diameter = options().diameter / 1000;  // mm to m
  const Skeleton pose = poseAt(frame);
  const std::vector<Capsule> capsules = placeCapsules(pose);
  std::vector<Projected> markers;
  for (const BodyMarker& marker : placeMarkers(pose, diameter)) {
    const Eigen::Vector3d at = seenBy(camera_, marker.position);
    markers.push_back({at.x(), at.y(), camera_.lens.fx * diameter / 2 / at.z(), at.z(),
                       isHidden(marker, capsules, eye_)});
  }
  return markers;
}

// Paints a floor that is lighter than the wall, and the body, which is a little lighter than both.
void Dancer::paintBackdrop(uint64_t frame, Canvas& canvas) const {
  constexpr double bodyLevel = 18;  // counts above the background
  const double background = options().background;
  for (size_t y = 0; y < canvas.height; ++y) {
    const double down = static_cast<double>(y) / static_cast<double>(canvas.height);
    std::fill_n(canvas.row(y), canvas.width, static_cast<float>(background * (0.7 + 0.6 * down)));
  }
  std::vector<Capsule> capsules = placeCapsules(poseAt(frame));
  const auto depth = [this](const Capsule& c) { return (c.a + c.b - 2 * eye_).squaredNorm(); };
  std::ranges::sort(capsules,
                    [&](const Capsule& l, const Capsule& r) { return depth(l) > depth(r); });
  for (const Capsule& c : capsules) {
    const Eigen::Vector3d a = seenBy(camera_, c.a), b = seenBy(camera_, c.b);
    const double size = camera_.lens.fx * c.radius;
    paintSilhouette(canvas, {a.x(), a.y(), size / a.z(), b.x(), b.y(), size / b.z()},
                    background + bodyLevel);
  }
}

}  // namespace

std::unique_ptr<Scene> makeDancer(const SynthOptions& options) {
  return std::make_unique<Dancer>(options);
}

}  // namespace glint::capture
