#include "app/motion/calibrate/disturbed.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/motion.h"
#include "app/motion/geometry/decomposition.h"

namespace glint::motion {
namespace {

/// Normal equations of a camera's pose over a stretch of the recording.
struct PoseNormal {
  Matrix6 matrix = Matrix6::Zero();
  Vector6 right = Vector6::Zero();
  double chi2 = 0;
  size_t sights = 0;

  PoseNormal& operator+=(const PoseNormal& other) {
    matrix += other.matrix;
    right += other.right;
    chi2 += other.chi2;
    sights += other.sights;
    return *this;
  }
  Vector6 change() const { return SymmetricSolver(matrix).solve(right); }
  double gain() const { return right.dot(change()); }
};

// Number of parts of the recording. A move is looked for between any two neighbouring parts.
// Raising it determines the time of a move more exactly, from fewer dots on either side.
constexpr size_t kParts = 16;

/// Returns the mean standard deviation of the dots, px.
double sigmaOf(const Bundle& bundle) {
  double sum = 0;
  for (const BundleSight& s : bundle.sights) sum += s.sigma.mean();
  return sum / static_cast<double>(std::max<size_t>(1, bundle.sights.size()));
}

/// Returns the normal equations of each camera for each part of the recording.
std::vector<std::vector<PoseNormal>> normalsOf(const Bundle& bundle,
                                               const LightRecording& recording) {
  std::vector<std::vector<PoseNormal>> normals(bundle.cameras.size(),
                                               std::vector<PoseNormal>(kParts));
  for (const BundleSight& s : bundle.sights) {
    const BundleItem& item = bundle.items[s.item];
    const BundleCamera& camera = bundle.cameras[s.camera];
    const auto ends = endsOf(item);
    Equation e;
    if (!equationOf(s, item, camera.lens, camera.pose, camera.timeOffset, ends.data(), e, true))
      continue;
    PoseNormal one;
    one.matrix = e.pose.transpose() * e.pose;
    one.right = -e.pose.transpose() * e.residual;
    one.chi2 = e.residual.squaredNorm();
    one.sights = 1;
    normals[s.camera][item.moment * kParts / recording.moments.size()] += one;
  }
  return normals;
}

/// A camera, and the first moment after its move.
struct Move {
  size_t camera = 0, moment = 0;
};

std::optional<Move> findMove(const Bundle& bundle, const LightRecording& recording) {
  // Number of dots that are needed before and after the move. Raising it misses moves of cameras
  // with few dots.
  constexpr size_t kLeast = 20;
  // Share of a camera's squared residuals that the move must explain. Chance explains 3 / sights.
  // Raising it misses smaller moves.
  constexpr double kShare = 0.04;
  // The move must also explain this many times the mean squared residual. Chance explains six times
  // the mean, once for each number of the pose. Raising it misses smaller moves.
  constexpr double kSure = 60;
  std::optional<Move> found;
  double most = 0;
  const auto normals = normalsOf(bundle, recording);
  for (size_t c = 0; c < normals.size(); ++c) {
    PoseNormal all;
    for (const PoseNormal& part : normals[c]) all += part;
    PoseNormal before;
    for (size_t part = 0; part + 1 < kParts; ++part) {
      before += normals[c][part];
      PoseNormal after;
      for (size_t later = part + 1; later < kParts; ++later) after += normals[c][later];
      if (before.sights < kLeast || after.sights < kLeast) continue;
      const double gain = before.gain() + after.gain() - all.gain();
      const double mean = all.chi2 / (2 * static_cast<double>(all.sights));
      if (!(gain > kSure * mean && gain > kShare * all.chi2 && gain > most)) continue;
      most = gain;
      found = Move{c, (part + 1) * recording.moments.size() / kParts};
    }
  }
  return found;
}

/// Returns the rms distance, px, between a camera's lights as seen from its poses before and after
/// the move. Both poses are fitted, because a single pose would lie halfway between them and pull
/// the lights along.
double stepOf(Bundle bundle, const Move& move) {
  const size_t later = bundle.cameras.size();
  bundle.cameras[move.camera].free = {};
  bundle.cameras.push_back(bundle.cameras[move.camera]);
  bundle.cameras[later].freePose = true;
  for (BundleSight& s : bundle.sights)
    if (s.camera == move.camera && bundle.items[s.item].moment >= move.moment) s.camera = later;
  adjust(bundle, 30);
  double squares = 0, count = 0;
  for (BundleSight s : bundle.sights) {
    if (s.camera != move.camera && s.camera != later) continue;
    const auto one = residualOf(bundle, s);
    s.camera = s.camera == later ? move.camera : later;
    const auto other = residualOf(bundle, s);
    if (!one || !other) continue;
    squares += (*one - *other).squaredNorm();
    ++count;
  }
  return count > 0 ? std::sqrt(squares / count) : 0;
}

}  // namespace

std::optional<MovedCamera> findMoved(const Bundle& bundle, const LightRecording& recording,
                                     const Target& target) {
  // The largest move that is looked for, as a share of the image's width. Raising it finds larger
  // moves, and accepts more wrong dots.
  constexpr double kFarthest = 0.04;
  // Share of a camera's dots that must be missing before a large move is looked for. Raising it
  // looks for large moves less often.
  constexpr double kMissing = 0.1;
  const auto told = [&](const Bundle& in, const Move& move) {
    return MovedCamera{move.camera, recording.moments[move.moment].time, stepOf(in, move)};
  };
  const auto figures =
      cameraFigures(bundle, recording, target, std::vector<bool>(recording.moments.size(), true));
  if (std::any_of(figures.begin(), figures.end(),
                  [](const CameraFigures& f) { return shareThatFits(f) < 1 - kMissing; })) {
    Bundle wide = bundle;
    const double sigma = recording.sigmasKnown ? sigmaOf(bundle) : 1;
    gateSights(wide, recording, target, 1, kFarthest * recording.sizes[0].width / sigma);
    if (const auto move = findMove(wide, recording)) return told(wide, *move);
  }
  if (const auto move = findMove(bundle, recording)) return told(bundle, *move);
  return std::nullopt;
}

}  // namespace glint::motion
