#include "app/capture/synth/scene.h"

#include <algorithm>
#include <ostream>

#include <fmt/ostream.h>

#include "app/capture/synth/canvas.h"
#include "app/capture/synth/random.h"
#include "app/motion/space/body.h"

namespace glint::capture {

Scene::Scene(const SynthOptions& options)
    : options_(options),
      format_{options.size.width, options.size.height, 1, static_cast<uint32_t>(options.bits)},
      canvas_(options.size.width, options.size.height) {}

std::vector<motion::Body> Scene::bodies() const {
  return {};
}

std::vector<TruthMarker> Scene::truth(uint64_t frame) const {
  const std::vector<Projected> markers = project(frame);
  const auto extent = [this](const Projected& m) {
    return m.radius > 0 ? m.radius : 2 * options_.sigma;
  };
  std::vector<TruthMarker> result;
  for (const Projected& m : markers) {
    const double r = extent(m);
    const bool inside = m.x - r >= -0.5 && m.x + r <= format_.width - 0.5 && m.y - r >= -0.5 &&
                        m.y + r <= format_.height - 0.5;
    // Equal discs cover half of each other when their centres are 0.81 radii apart.
    const bool covered = std::ranges::any_of(markers, [&](const Projected& other) {
      const double reach = 0.8 * extent(other), dx = other.x - m.x, dy = other.y - m.y;
      return !other.hidden && other.depth < m.depth && dx * dx + dy * dy < reach * reach;
    });
    result.push_back(
        {static_cast<int>(result.size()) + 1, m.x, m.y, inside && !m.hidden && !covered});
  }
  return result;
}

void Scene::render(uint64_t frame, const gpu::ImageView& image) {
  paintBackdrop(frame, canvas_);
  for (const Projected& m : shines() ? project(frame) : std::vector<Projected>{}) {
    if (m.hidden) continue;
    if (m.radius > 0)
      addDisc(canvas_, m.x, m.y, m.radius, options_.blur, options_.amplitude);
    else
      addGaussian(canvas_, m.x, m.y, options_.sigma, options_.amplitude);
  }
  const uint64_t key = hashKey({options_.seed, static_cast<uint64_t>(options_.camera), frame, 'n'});
  expose(canvas_, {options_.noise, options_.gain}, key, image);
}

void Scene::paintBackdrop(uint64_t, Canvas& canvas) const {
  std::ranges::fill(canvas.pixels, static_cast<float>(options_.background));
}

void writeTruthHeader(std::ostream& out) {
  out << "camera,frame,id,x,y,visible\n";
}

void writeTruth(const Scene& scene, uint64_t frame, std::ostream& out) {
  for (const TruthMarker& m : scene.truth(frame))
    fmt::print(out, "{},{},{},{:.4f},{:.4f},{:d}\n", scene.options().camera, frame, m.id, m.x, m.y,
               m.visible);
}

void writeTruth3dHeader(std::ostream& out) {
  out << "frame,time_s,marker,x_mm,y_mm,z_mm\n";
}

void writeTruth3d(const Scene& scene, uint64_t frame, std::ostream& out) {
  int id = 0;
  for (const Eigen::Vector3d& at : scene.places(frame))
    fmt::print(out, "{},{:.6f},{},{:.4f},{:.4f},{:.4f}\n", frame,
               static_cast<double>(frame) / scene.options().fps, ++id, at.x(), at.y(), at.z());
}

void writeTruthPosesHeader(std::ostream& out) {
  out << "frame,time_s,body,x_mm,y_mm,z_mm,qx,qy,qz,qw\n";
}

void writeTruthPoses(const Scene& scene, uint64_t frame, std::ostream& out) {
  const std::vector<motion::Body> bodies = scene.bodies();
  const std::vector<Eigen::Isometry3d> poses = scene.poses(frame);
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Eigen::Vector3d at = poses[b].translation();
    Eigen::Vector4d q = Eigen::Quaterniond(poses[b].linear()).coeffs();
    if (q.w() < 0) q = -q;
    fmt::print(out, "{},{:.6f},{},{:.4f},{:.4f},{:.4f},{:.7f},{:.7f},{:.7f},{:.7f}\n", frame,
               static_cast<double>(frame) / scene.options().fps, bodies[b].name, at.x(), at.y(),
               at.z(), q.x(), q.y(), q.z(), q.w());
  }
}

std::unique_ptr<Scene> makeScene(const SynthOptions& options) {
  switch (options.scene) {
    case SynthScene::dancer:
      return makeDancer(options);
    case SynthScene::spots:
      return makeSpots(options);
    case SynthScene::wand:
      return makeWand(options);
    case SynthScene::board:
      return makeBoard(options);
    case SynthScene::crossing:
      break;
  }
  return makeCrossing(options);
}

}  // namespace glint::capture
