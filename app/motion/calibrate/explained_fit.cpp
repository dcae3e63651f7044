#include "app/motion/calibrate/explained_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/refusals.h"
#include "app/motion/calibrate/start.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// One moment in this many is kept back. Raising it keeps fewer moments back.
constexpr size_t kHeldOut = 5;

/// Returns true if each dot that counts has a ray. Outside the area of dots the distortion may fold
/// the image.
bool hasRays(const Bundle& bundle, size_t camera) {
  return std::all_of(bundle.sights.begin(), bundle.sights.end(), [&](const BundleSight& s) {
    return s.camera != camera || undistort(bundle.cameras[camera].lens, s.pixel);
  });
}

/// Throws Error if a lens is implausible or fewer than half of `whole` moments agree with the rig.
void refuseAbsurd(const LightFit& fit, size_t whole) {
  const Bundle& bundle = fit.bundle;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const Lens& l = bundle.cameras[c].lens;
    if (!isPlausible(l, fit.recording.sizes[c]) || !hasRays(bundle, c))
      throw Error(
          fmt::format("the best fit for camera {} is implausible (f {:.0f} px, centre ({:.0f}, "
                      "{:.0f}), k1 {:.2f}, k2 {:.2f}); check the size of its image, or record "
                      "more, all over it",
                      c, l.fx, l.cx, l.cy, l.k1, l.k2));
  }
  if (2 * bundle.items.size() < whole)
    throw Error(fmt::format(
        "only {} of {} moments agree with one rig; check that no camera moved, that the recordings "
        "began together (--offset), and the wand's length",
        bundle.items.size(), whole));
}

/// Replaces each rotation vector by the shortest one for the same rotation.
void normaliseRotations(Bundle& bundle) {
  for (BundleCamera& c : bundle.cameras) c.pose.rotation = then(c.pose, {}).rotation;
}

}  // namespace

size_t countWhole(const LightRecording& recording, const Target& target) {
  return static_cast<size_t>(
      std::count_if(recording.moments.begin(), recording.moments.end(),
                    [&](const Moment& moment) { return isShared(moment, target); }));
}

LightRecording splitAt(const LightRecording& recording, size_t camera, size_t from) {
  LightRecording split = recording;
  split.sizes.push_back(recording.sizes[camera]);
  for (size_t m = 0; m < split.moments.size(); ++m) {
    auto& views = split.moments[m].views;
    views.emplace_back();
    if (m >= from) std::swap(views[camera], views.back());
  }
  return split;
}

ExplainedFit::ExplainedFit(LightRecording recording, const CalibrationOptions& options)
    : options_(options), recording_(std::move(recording)), training_(recording_) {
  training_.moments.clear();
  for (size_t m = 0; m < recording_.moments.size(); ++m) {
    heldOut_.push_back(m % kHeldOut == kHeldOut - 1);
    if (!heldOut_[m]) training_.moments.push_back(recording_.moments[m]);
  }
}

void ExplainedFit::fit() {
  known_.emplace(training_, options_, startRig(training_, options_));
  known_->fromStart();
  refuseStrangers(known_->bundle, training_, options_.target);
  known_->holdUndetermined();
  refuseAbsurd(*known_, countWhole(training_, options_.target));
  judge();
}

bool ExplainedFit::fitReadouts(const ExplainedFit& plain) {
  known_.emplace(training_, options_, plain.known_->bundle);
  known_->freeLenses();
  if (!known_->findReadouts()) return false;
  known_->holdUndetermined();
  judge();
  return true;
}

void ExplainedFit::fitSplit(const ExplainedFit& plain, const Move& move) {
  Bundle bundle = plain.known_->bundle;
  bundle.cameras = move.cameras;
  if (move.camera == 0) {
    const Pose back = bundle.cameras.back().pose.inverse();
    for (BundleCamera& camera : bundle.cameras) camera.pose = then(back, camera.pose);
    bundle.cameras.front().freePose = true;
    bundle.cameras.back().freePose = false;
  }
  known_.emplace(training_, options_, std::move(bundle));
  known_->continueFrom(*plain.known_);
  std::vector<size_t> all(training_.moments.size());
  std::iota(all.begin(), all.end(), size_t{0});
  known_->lightsOf(all);
  // The offsets of a fit with one place may explain a part of the move.
  known_->freeLenses();
  known_->findOffsetsAgain();
  known_->settle();
  known_->holdUndetermined();
  judge();
}

Move ExplainedFit::divideAgain(const ExplainedFit& plain, const Move& move) const {
  const auto& cameras = whole_->bundle.cameras;
  const size_t later = cameras.size() - 1;
  std::vector<double> better = errorsAsOnePlace(plain, move.camera, move.camera);
  const auto after = errorsAsOnePlace(plain, move.camera, later);
  for (size_t m = 0; m < better.size(); ++m) better[m] -= after[m];
  return {move.camera, bestDivisionOf(better), cameras};
}

/// Returns the sum of squared errors of each moment, px^2 as in errorOf(), if the moved camera were
/// in one of its places all the time. The rest of the rig is as it was fitted.
std::vector<double> ExplainedFit::errorsAsOnePlace(const ExplainedFit& plain, size_t camera,
                                                   size_t place) const {
  Bundle bundle = whole_->bundle;
  // The sights in the other place do not fit this one. The rest show how much the dots scatter.
  std::erase_if(bundle.sights, [&](const BundleSight& sight) {
    return bundle.takenBy(sight.camera) == camera && sight.camera != place;
  });
  for (BundleSight& sight : bundle.sights) sight.camera = bundle.takenBy(sight.camera);
  bundle.cameras[camera].pose = bundle.cameras[place].pose;
  bundle.cameras.pop_back();
  LightFit fit(plain.recording_, options_, std::move(bundle));
  fit.continueFrom(*whole_);
  std::vector<size_t> all(plain.recording_.moments.size());
  std::iota(all.begin(), all.end(), size_t{0});
  fit.lightsOf(all);
  const double stray = options_.rivals.stray * options_.rivals.stray;
  std::vector<double> errors;
  for (const Moment& moment : plain.recording_.moments) {
    size_t lights = 0;
    if (isShared(moment, options_.target))
      for (const View& view : moment.views)
        lights += std::min(view.likely(), options_.target.lights.size());
    errors.push_back(stray * static_cast<double>(lights));
  }
  for (const BundleSight& s : fit.bundle.sights)
    if (const auto residual = residualOf(fit.bundle, s))
      errors[fit.bundle.items[s.item].moment] -= std::max(0.0, stray - residual->squaredNorm());
  return errors;
}

void ExplainedFit::judge() {
  std::vector<size_t> all(recording_.moments.size());
  std::iota(all.begin(), all.end(), size_t{0});
  whole_.emplace(recording_, options_, known_->bundle);
  whole_->continueFrom(*known_);
  whole_->lightsOf(all);
  figures_ = heldOutFigures(whole_->bundle, recording_, options_.target, heldOut_);
  error_ = errorOf(whole_->bundle);
  whole_->settle();
  normaliseRotations(whole_->bundle);
  refuseStrangers(whole_->bundle, recording_, options_.target);
  refuseAbsurd(*whole_, countWhole(recording_, options_.target));
}

bool ExplainedFit::isDoubtful(const RivalOptions& limits) const {
  const Bundle& bundle = whole_->bundle;
  const double misfit = misfitOf(bundle);
  const double doubtful =
      recording_.sigmasKnown ? misfit : misfit * medianSigma(bundle) / limits.doubtfulPixels;
  if (doubtful > limits.doubtfulMisfit) return true;
  for (const CameraFigures& f : figures_.cameras)
    if (shareThatFits(f) < limits.fittingShare) return true;
  const double latest = limits.doubtfulFrames * frameInterval(recording_);
  return std::any_of(bundle.cameras.begin(), bundle.cameras.end(),
                     [&](const BundleCamera& c) { return std::abs(c.timeOffset) > latest; });
}

double ExplainedFit::errorOf(const Bundle& bundle) const {
  const double stray = options_.rivals.stray * options_.rivals.stray;
  double sum = 0, fit = 0, offered = 0;
  for (const BundleSight& s : bundle.sights) {
    if (!heldOut_[bundle.items[s.item].moment]) continue;
    const auto residual = residualOf(bundle, s);
    sum += residual ? std::min(stray, residual->squaredNorm()) : stray;
    ++fit;
  }
  for (const CameraFigures& f : figures_.cameras) offered += static_cast<double>(f.offered);
  offered = std::max({offered, fit, 1.0});
  return (sum + (offered - fit) * stray) / offered;
}

}  // namespace glint::motion
