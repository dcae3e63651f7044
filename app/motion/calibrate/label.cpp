#include "app/motion/calibrate/label.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "app/motion/geometry/triangulate.h"

namespace glint::motion {
namespace {

constexpr int kNone = -1;

/// A place in space where the rays of two dots meet, with the nearest dot of each camera within the
/// gate.
struct Labelling {
  Eigen::Vector3d at;
  // Index of the dot in each camera, or kNone.
  std::vector<int> dots;
  int support = 0;
  // Sum of squared distances of these dots, px^2.
  double cost = 0;
};

/// Finds the target among the dots of one moment. It collects all places where two rays meet, and
/// picks the best one or, for a wand, the best pair.
class MomentLabeller {
 public:
  MomentLabeller(const Rig& rig, const std::vector<bool>& placed, const Moment& moment,
                 const Target& target, const Gates& gates)
      : rig_(rig), placed_(placed), moment_(moment), target_(target), gates_(gates) {
    for (size_t c = 0; c < rig.cameras.size(); ++c) {
      auto& rays = rays_.emplace_back();
      const auto& dots = moment.views[c].dots;
      if (!placed[c] || dots.size() > kMostDots) continue;
      for (const Dot& dot : dots) rays.push_back(rayOf(rig.cameras[c], dot.at));
    }
    for (size_t i = 0; i < rays_.size(); ++i)
      for (size_t j = i + 1; j < rays_.size(); ++j)
        for (size_t a = 0; a < rays_[i].size(); ++a)
          for (size_t b = 0; b < rays_[j].size(); ++b) consider(i, a, j, b);
  }

  std::optional<Labelled> best() const {
    Labelled labelled;
    if (!(target_.isWand() ? pickWand(labelled) : pickPoint(labelled))) return std::nullopt;
    return place(labelled) ? std::optional(labelled) : std::nullopt;
  }

 private:
  void consider(size_t i, size_t a, size_t j, size_t b) {
    for (const Labelling& c : candidates_)
      if (c.dots[i] == static_cast<int>(a) && c.dots[j] == static_cast<int>(b)) return;
    if (!rays_[i][a] || !rays_[j][b]) return;
    const auto at = meeting(*rays_[i][a], *rays_[j][b]);
    if (!at) return;
    // Each of the two dots must be the nearest one to the projected place. A camera close to it
    // would otherwise accept a wide gap between the rays.
    Labelling candidate = supported(*at);
    if (candidate.dots[i] == static_cast<int>(a) && candidate.dots[j] == static_cast<int>(b))
      candidates_.push_back(std::move(candidate));
  }

  // Returns the point halfway between two rays, where they are nearest to each other. Returns
  // nothing if they are almost parallel, meet behind a camera, or pass each other farther apart
  // than the gate allows.
  std::optional<Eigen::Vector3d> meeting(const Ray& a, const Ray& b) const {
    // Squared sine of half a degree. Rays at smaller angles do not determine the depth.
    constexpr double kParallel = 1e-4;
    const auto depths = nearestDepths(b.origin - a.origin, a.direction, b.direction, kParallel);
    if (!depths) return std::nullopt;
    const Eigen::Vector3d p = a.origin + depths->x() * a.direction;
    const Eigen::Vector3d q = b.origin + depths->y() * b.direction;
    // A focal length, px, that is shorter than any real one. The test only avoids projections that
    // would fail anyway.
    constexpr double kShortestFocal = 200;
    if ((p - q).norm() > 2 * gates_.pixels * depths->maxCoeff() / kShortestFocal)
      return std::nullopt;
    return (p + q) / 2;
  }

  int nearest(size_t camera, const Eigen::Vector3d& at, double& square) const {
    if (rays_[camera].empty()) return kNone;
    const RigCamera& c = rig_.cameras[camera];
    const Projection p = project(c.lens, c.pose, at);
    int found = kNone;
    square = gates_.pixels * gates_.pixels;
    if (p.depth <= 0) return kNone;
    const auto& dots = moment_.views[camera].dots;
    for (size_t d = 0; d < dots.size(); ++d) {
      const double distance = (dots[d].at - p.pixel).squaredNorm();
      if (distance < square) square = distance, found = static_cast<int>(d);
    }
    return found;
  }

  Labelling supported(const Eigen::Vector3d& at) const {
    Labelling candidate{at, {}, 0, 0};
    for (size_t c = 0; c < rays_.size(); ++c) {
      double square = 0;
      candidate.dots.push_back(nearest(c, at, square));
      if (candidate.dots.back() == kNone) continue;
      ++candidate.support;
      candidate.cost += square;
    }
    return candidate;
  }

  void add(Labelled& to, const Labelling& candidate, size_t light) const {
    for (size_t c = 0; c < candidate.dots.size(); ++c)
      if (candidate.dots[c] != kNone)
        to.dots.push_back({c, light, static_cast<size_t>(candidate.dots[c])});
  }

  bool pickPoint(Labelled& labelled) const {
    const Labelling* best = nullptr;
    for (const Labelling& c : candidates_)
      if (best == nullptr || c.support > best->support ||
          (c.support == best->support && c.cost < best->cost))
        best = &c;
    if (best != nullptr) add(labelled, *best, 0);
    return best != nullptr;
  }

  bool pickWand(Labelled& labelled) const {
    int most = 0;
    double least = std::numeric_limits<double>::infinity();
    const bool three = target_.lights.size() == 3;
    for (const Labelling& a : candidates_)
      for (const Labelling& b : candidates_) {
        if (&a == &b || (!three && &b < &a)) continue;
        const double off = (b.at - a.at).norm() / target_.length - 1;
        if (std::abs(off) > gates_.length || overlap(a, b)) continue;
        Labelling middle;
        if (three) middle = supported(a.at + target_.lights[1] * (b.at - a.at));
        const int support = a.support + b.support + middle.support;
        // The error of the wand's length counts like the residual of one more dot.
        const double cost =
            a.cost + b.cost + std::pow(off / gates_.length * gates_.pixels, 2) + middle.cost;
        if (support < most || (support == most && cost >= least)) continue;
        most = support;
        least = cost;
        labelled.dots.clear();
        add(labelled, a, 0);
        add(labelled, b, target_.lights.size() - 1);
        if (three) add(labelled, middle, 1);
      }
    return most > 0;
  }

  static bool overlap(const Labelling& a, const Labelling& b) {
    for (size_t c = 0; c < a.dots.size(); ++c)
      if (a.dots[c] != kNone && a.dots[c] == b.dots[c]) return true;
    return false;
  }

  /// Triangulates the ends from their dots. Returns false if that fails.
  bool place(Labelled& labelled) const {
    for (const size_t light : {size_t{0}, target_.lights.size() - 1}) {
      std::vector<Sighting> sightings;
      for (const LabelledDot& d : labelled.dots) {
        if (d.light != light) continue;
        const Dot& dot = moment_.views[d.camera].dots[d.dot];
        sightings.push_back({d.camera, dot.at, dot.sigma});
      }
      const auto point = triangulate(rig_, sightings);
      if (!point) return false;
      labelled.ends.push_back(point->at);
      if (!target_.isWand()) break;
    }
    return true;
  }

  const Rig& rig_;
  const std::vector<bool>& placed_;
  const Moment& moment_;
  const Target& target_;
  const Gates& gates_;
  std::vector<std::vector<std::optional<Ray>>> rays_;
  std::vector<Labelling> candidates_;
};

}  // namespace

std::optional<Labelled> labelMoment(const Rig& rig, const std::vector<bool>& placed,
                                    const Moment& moment, const Target& target,
                                    const Gates& gates) {
  return MomentLabeller(rig, placed, moment, target, gates).best();
}

void labelAll(Bundle& bundle, const std::vector<bool>& placed, const LightRecording& recording,
              const std::vector<size_t>& which, const Target& target, const Gates& gates) {
  const Rig rig = rigOf(bundle, recording);
  bundle.items.clear();
  bundle.sights.clear();
  for (const size_t m : which) {
    const Moment& moment = recording.moments[m];
    const auto labelled = labelMoment(rig, placed, moment, target, gates);
    if (!labelled) continue;
    for (const LabelledDot& d : labelled->dots) {
      const View& view = moment.views[d.camera];
      bundle.sights.push_back({d.camera, bundle.items.size(), d.light, target.lights[d.light],
                               view.dots[d.dot].at, view.dots[d.dot].sigma, view.delay,
                               rowOf(view.dots[d.dot].at, recording.sizes[d.camera].height)});
    }
    bundle.items.push_back({m, labelled->ends, {}, {}});
  }
}

Rig rigOf(const Bundle& bundle, const LightRecording& recording) {
  Rig rig;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const BundleCamera& camera = bundle.cameras[c];
    rig.cameras.push_back({"cam_" + std::to_string(c), recording.sizes[c].width,
                           recording.sizes[c].height, camera.lens, camera.pose, camera.timeOffset,
                           camera.readout});
  }
  return rig;
}

}  // namespace glint::motion
