#include "app/calibrate/solve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "app/calibrate/adjust.h"
#include "app/calibrate/bundle_covariance.h"
#include "app/calibrate/disturbed.h"
#include "app/calibrate/doubts.h"
#include "app/calibrate/equation.h"
#include "app/calibrate/figures.h"
#include "app/calibrate/label.h"
#include "app/calibrate/median.h"
#include "app/calibrate/motion.h"
#include "app/calibrate/pair_start.h"
#include "app/calibrate/start.h"
#include "app/calibrate/still_lights.h"
#include "app/calibrate/strangers.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr size_t kHeldOut = 5;  // every fifth
constexpr double kGate = 5;     // standard deviations: of a million good dots 4 fall

/// How much larger residuals are than their sigmas, little moved by outliers: of each item's sum of
/// squares the median of its distribution counts as 1 (chi-squared by Wilson and Hilferty, 1931).
/// An item of few dots fits them better than one of many.
double robustMisfit(const Bundle& bundle) {
  std::vector<double> sums(bundle.items.size()), freedom(bundle.items.size());
  for (const BundleSight& s : bundle.sights) {
    const auto residual = residualOf(bundle, s);
    if (!residual) continue;
    sums[s.item] += residual->cwiseQuotient(s.sigma).squaredNorm();
    freedom[s.item] += 2;
  }
  std::vector<double> ratios;
  for (size_t i = 0; i < sums.size(); ++i) {
    const double left =
        freedom[i] - 3 * static_cast<double>(bundle.items[i].ends.size()) + (bundle.length > 0);
    if (left >= 1) ratios.push_back(std::sqrt(sums[i] / (left * std::pow(1 - 2 / (9 * left), 3))));
  }
  return medianOf(std::move(ratios));
}

double medianSigma(const Bundle& bundle) {
  std::vector<double> sigmas;
  for (const BundleSight& s : bundle.sights) sigmas.push_back(s.sigma.mean());
  return medianOf(std::move(sigmas));
}

/// A bundle being fitted to a recording, step by step.
class Fit {
 public:
  Fit(const LightRecording& recordingOf, const CalibrationOptions& optionsOf, Bundle start)
      : recording(recordingOf), options(optionsOf), bundle(std::move(start)) {}

  /// All that is asked for, from cameras that are good to some pixels.
  void fromStart();
  /// Again on `moments`, from cameras that are fitted: lights first, cameras held.
  void lightsOf(const std::vector<size_t>& moments);
  /// Numbers that data say little of go back to what was known before, and stay.
  void holdUndetermined();
  /// Fits to the end; again where an offset in time turned out to be none.
  void settle();
  void continueFrom(const Fit& other) { moving_ = other.moving_; }

  const LightRecording& recording;
  const CalibrationOptions& options;
  Bundle bundle;
  std::vector<std::string> held;

 private:
  void freeLenses();
  void free(BundleCamera& camera, LensNumber number, bool on = true) {
    camera.free[number] = on && !options.fixIntrinsics;
  }
  void findOffsets();
  bool dropOffsets();
  void settleOnce();
  void scaleBase();
  /// Standard deviations of the cameras' numbers.
  std::vector<std::array<double, lensNumbers>> lensSigmas() const;
  void refuseUnknownFocals() const;
  bool moving_ = false;
};

void Fit::freeLenses() {
  const bool full = options.terms == LensTerms::full;
  for (BundleCamera& c : bundle.cameras) {
    for (const LensNumber n : {focal, centreX, centreY}) free(c, n);
    free(c, radial1, options.terms >= LensTerms::k1);
    free(c, radial2, options.terms >= LensTerms::k1k2);
    for (const LensNumber n : {tangential1, tangential2, radial3}) free(c, n, full);
    c.freePose = &c != &bundle.cameras.front();
  }
}

/// A single light: two cameras at the distance that was given, or at a round one.
void Fit::scaleBase() {
  if (options.target.isWand()) return;
  bundle.base = options.base;
  if (!bundle.base) {
    BaseLine base{0, 1, kArbitrary};
    double farthest = 0;
    for (size_t c = 1; c < bundle.cameras.size(); ++c) {
      const double distance = bundle.cameras[c].pose.centre().norm();
      if (distance > farthest) farthest = distance, base.second = c;
    }
    bundle.base = base;
  }
  const double now = (bundle.cameras[bundle.base->first].pose.centre() -
                      bundle.cameras[bundle.base->second].pose.centre())
                         .norm();
  for (BundleCamera& c : bundle.cameras) c.pose.translation *= bundle.base->distance / now;
}

/// Which cameras are out of step: the others' offsets are one time, that of most.
void Fit::findOffsets() {
  constexpr double kSure = 4, kLeast = 1e-4;  // standard deviations; s
  const double least = recording.timed ? kLeast : 0.01;
  const Bundle inStep = bundle;
  moving_ = estimateMotion(bundle, recording);
  if (!moving_) return;
  for (size_t c = 1; c < bundle.cameras.size(); ++c) bundle.cameras[c].freeTime = true;
  // Lights that the late camera and one other see are off, and with them the motion of their
  // neighbours, until the offsets are right: so again until they stay, and with a wide gate.
  constexpr int kMostRounds = 8;
  constexpr double kWidePixels = 3;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto before = bundle.cameras;
    const double scale = std::max(1.0, robustMisfit(bundle));
    adjust(bundle, 10, kHuber * scale, true);
    estimateMotion(bundle, recording);
    gateSights(bundle, recording, options.target, 1,
               std::max(2 * kGate * scale, kWidePixels / medianSigma(bundle)));
    double change = 0;
    for (size_t c = 0; c < before.size(); ++c)
      change = std::max(change, std::abs(bundle.cameras[c].timeOffset - before[c].timeOffset));
    if (change < least / 2) break;
  }
  const auto covariance = covarianceOf(bundle);
  std::vector<double> offsets;
  for (const BundleCamera& c : bundle.cameras) offsets.push_back(c.timeOffset);
  std::vector<double> sorted = offsets;
  std::sort(sorted.begin(), sorted.end());
  const double common = offsets.size() > 2 ? sorted[(sorted.size() - 1) / 2] : 0;
  const double scale = std::max(1.0, robustMisfit(bundle));
  bool anyLate = false;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers + kTimeNumber;
    const double sigma = covariance ? scale * std::sqrt((*covariance)(at, at)) : 0;
    const double offset = offsets[c] - common;
    const bool late = std::abs(offset) > std::max(least, kSure * sigma);
    bundle.cameras[c].timeOffset = late ? offset : 0;
    bundle.cameras[c].freeTime = late;
    anyLate = anyLate || late;
  }
  // Items without neighbours in time have no motion and were left out above.
  if (!anyLate && recording.worstDelay == 0) bundle = inStep;
}

/// Offsets that are not sure, or that move dots by less than their noise, become none; whether any
/// did.
bool Fit::dropOffsets() {
  constexpr double kSure = 5, kMatters = 0.5;  // standard deviations: of the offset; of a dot
  if (std::none_of(bundle.cameras.begin(), bundle.cameras.end(),
                   [](const BundleCamera& c) { return c.freeTime; }))
    return false;
  const auto covariance = covarianceOf(bundle);
  const double scale = std::max(1.0, misfitOf(bundle));
  std::vector<double> squares(bundle.cameras.size()), sights(bundle.cameras.size());
  for (const BundleSight& s : bundle.sights) {
    const BundleItem& item = bundle.items[s.item];
    const BundleCamera& c = bundle.cameras[s.camera];
    Equation e;
    if (!equationOf(s, item, c.lens, c.pose, c.timeOffset, endsOf(item).data(), e, true)) continue;
    squares[s.camera] += (e.time * c.timeOffset).squaredNorm() / 2;
    ++sights[s.camera];
  }
  bool dropped = false;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    BundleCamera& camera = bundle.cameras[c];
    if (!camera.freeTime) continue;
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers + kTimeNumber;
    const bool sure = covariance && std::abs(camera.timeOffset) >
                                        kSure * scale * std::sqrt((*covariance)(at, at));
    if (sure && squares[c] > kMatters * kMatters * scale * scale * sights[c]) continue;
    camera.timeOffset = 0;
    camera.freeTime = false;
    dropped = true;
  }
  return dropped;
}

void Fit::settle() {
  settleOnce();
  if (dropOffsets()) settleOnce();
}

void Fit::settleOnce() {
  for (int round = 0; round < 2; ++round) {
    if (moving_) estimateMotion(bundle, recording);
    const double scale = robustMisfit(bundle);
    if (!recording.sigmasKnown)
      for (BundleSight& s : bundle.sights) s.sigma *= scale;
    // Sigmas of the recording's dots are 1 where they are not known.
    const double unit = recording.sigmasKnown ? 1 : medianSigma(bundle);
    gateSights(bundle, recording, options.target, kGate,
               recording.sigmasKnown ? std::max(1.0, scale) : unit);
    if (!recording.sigmasKnown)
      for (BundleSight& s : bundle.sights) s.sigma.setConstant(unit);
    adjust(bundle, 30, kHuber * (recording.sigmasKnown ? std::max(1.0, scale) : 1.0));
  }
}

void Fit::fromStart() {
  constexpr double kCoarse = 0.008, kLength = 0.1, kLoss = 1.5;  // of the diagonal; px
  std::vector<size_t> all(recording.moments.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const double diagonal = std::hypot(recording.sizes[0].width, recording.sizes[0].height);
  scaleBase();
  freeLenses();
  labelAll(bundle, std::vector<bool>(bundle.cameras.size(), true), recording, all, options.target,
           {kCoarse * diagonal, kLength});
  if (bundle.items.empty()) throw Error("no moment of the recording agrees with the cameras found");
  adjust(bundle, 30, kLoss / medianSigma(bundle), true);
  findOffsets();
  settle();
}

void Fit::lightsOf(const std::vector<size_t>& moments) {
  constexpr double kPixels = 3, kLength = 0.03, kFree = 1e6;  // px; mm
  const auto cameras = bundle.cameras;
  const double sigma = bundle.lengthSigma, scale = robustMisfit(bundle);
  const double unit = recording.sigmasKnown ? 1 : medianSigma(bundle);
  double late = 0;
  for (BundleCamera& c : bundle.cameras) {
    c.free = {};
    c.freePose = c.freeTime = false;
    late = std::max(late, std::abs(c.timeOffset));
  }
  const bool offStep = moving_ && (late > 0 || recording.worstDelay > 0);
  const double wide = std::max(kPixels, 2 * kGate * scale * unit) * (offStep ? 4 : 1);
  labelAll(bundle, std::vector<bool>(cameras.size(), true), recording, moments, options.target,
           {wide, kLength * (offStep ? 3 : 1)});
  bundle.lengthSigma = kFree;
  for (int round = 0; round < (offStep ? 2 : 1); ++round) {
    if (moving_) estimateMotion(bundle, recording);
    if (offStep) adjust(bundle, 5, kHuber * std::max(1.0, scale), true);
  }
  gateSights(bundle, recording, options.target, kGate,
             recording.sigmasKnown ? std::max(1.0, scale) : unit);
  if (!recording.sigmasKnown)
    for (BundleSight& s : bundle.sights) s.sigma.setConstant(unit);
  adjust(bundle, 10);
  bundle.lengthSigma = sigma;
  for (size_t c = 0; c < cameras.size(); ++c) {
    bundle.cameras[c].free = cameras[c].free;
    bundle.cameras[c].freePose = cameras[c].freePose;
    bundle.cameras[c].freeTime = cameras[c].freeTime;
  }
}

void Fit::holdUndetermined() {
  constexpr double kTold = 0.7;  // of what was known before: above it data say little
  constexpr double kSure = 3;    // standard deviations
  constexpr std::array<const char*, lensNumbers> kNames{"f",  "cx", "cy", "k1",
                                                        "k2", "p1", "p2", "k3"};
  const auto sigmas = lensSigmas();
  bool changed = false;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    BundleCamera& camera = bundle.cameras[c];
    Lens::Numbers numbers = camera.lens.numbers();
    const Lens::Numbers prior = camera.prior.numbers();
    const auto place = [](size_t n) { return static_cast<Eigen::Index>(n) + 1; };  // fx, fy: one
    // Of a lens that folds inside the image, where no light was: its highest term, if that is
    // little more than chance.
    size_t folding = lensNumbers;
    if (!isOneToOne(camera.lens, recording.sizes[c].width, recording.sizes[c].height))
      for (const size_t n : {radial1, radial2, radial3})
        if (camera.free[n]) folding = n;
    for (size_t n = 0; n < lensNumbers; ++n) {
      if (!camera.free[n] || n == focal) continue;
      const double sigma = sigmas[c][n], off = std::abs(numbers[place(n)] - prior[place(n)]);
      if (sigma < kTold * camera.priorSigma[n] && !(n == folding && off < kSure * sigma)) continue;
      camera.free[n] = false;
      numbers[place(n)] = prior[place(n)];
      held.push_back(fmt::format("cam_{}.{}", c, kNames[n]));
      changed = true;
    }
    camera.lens = Lens::of(numbers);
  }
  if (changed) {
    adjust(bundle, 50, kHuber * std::max(1.0, robustMisfit(bundle)));
    settle();
  }
  refuseUnknownFocals();
}

std::vector<std::array<double, lensNumbers>> Fit::lensSigmas() const {
  const auto covariance = covarianceOf(bundle);
  if (!covariance)
    throw Error(
        "the recording does not determine the cameras; move the lights through the whole volume, "
        "or give the lenses (--intrinsics)");
  const double scale = std::max(1.0, misfitOf(bundle));
  std::vector<std::array<double, lensNumbers>> sigmas(bundle.cameras.size());
  for (size_t c = 0; c < sigmas.size(); ++c)
    for (size_t n = 0; n < lensNumbers; ++n) {
      const auto at = static_cast<Eigen::Index>(c * kBundleNumbers + n);
      sigmas[c][n] = scale * std::sqrt((*covariance)(at, at));
    }
  return sigmas;
}

void Fit::refuseUnknownFocals() const {
  // Of the focal length. Two cameras and a single light leave it open but for the priors.
  const double most = bundle.cameras.size() > 2 || options.target.isWand() ? 0.1 : 0.03;
  const auto sigmas = lensSigmas();
  for (size_t c = 0; c < bundle.cameras.size(); ++c)
    if (const double f = bundle.cameras[c].lens.fx; sigmas[c][focal] > most * f)
      throw Error(
          fmt::format("the focal length of camera {} cannot be determined: {:.0f} +- {:.0f} px; "
                      "move the lights nearer and farther, or {}",
                      c, f, sigmas[c][focal],
                      options.intrinsics.empty() ? "give the lenses (--intrinsics)"
                                                 : "keep the lenses given (--fix intrinsics)"));
}

/// Whether each dot that counts has a ray: beyond them a distortion may fold the image.
bool hasRays(const Bundle& bundle, size_t camera) {
  return std::all_of(bundle.sights.begin(), bundle.sights.end(), [&](const BundleSight& s) {
    return s.camera != camera || undistort(bundle.cameras[camera].lens, s.pixel);
  });
}

void refuseAbsurd(const Fit& fit, size_t whole) {
  constexpr double kLeastFocal = 0.2, kMostFocal = 20;  // widths of the image
  const Bundle& bundle = fit.bundle;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const Lens& l = bundle.cameras[c].lens;
    const auto [width, height] = fit.recording.sizes[c];
    const double focalWidths = l.fx / width;
    if (!(focalWidths > kLeastFocal && focalWidths < kMostFocal) || !hasRays(bundle, c) ||
        !(l.cx > 0 && l.cx < width && l.cy > 0 && l.cy < height))
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

/// Moments in which two cameras or more see the whole target.
size_t countWhole(const LightRecording& recording, const Target& target) {
  return static_cast<size_t>(
      std::count_if(recording.moments.begin(), recording.moments.end(),
                    [&](const Moment& moment) { return isShared(moment, target); }));
}

constexpr size_t kLeastWhole = 30;

void checkEnough(const LightRecording& recording, const CalibrationOptions& options) {
  if (recording.sizes.size() < 2)
    throw Error("one camera alone cannot be calibrated by lights; two or more must see them");
  if (recording.sizes.size() == 2 && !options.target.isWand() && options.intrinsics.empty())
    throw Error(
        "two cameras and a single light do not tell the focal lengths; give them with "
        "--intrinsics, wave a wand, or add a camera");
  const size_t whole = countWhole(recording, options.target);
  if (whole < kLeastWhole)
    throw Error(fmt::format("two cameras see {} in {} moments only; at least {} are needed",
                            options.target.isWand() ? "the whole wand" : "the light", whole,
                            kLeastWhole));
}

/// Without lights that stand still, unless the target does: that is refused elsewhere.
LightRecording movingOf(const LightRecording& recording, const Target& target,
                        std::vector<size_t>& still) {
  LightRecording moving = recording;
  still = removeStillLights(moving);
  if (still.empty() || countWhole(moving, target) >= kLeastWhole) return moving;
  still.clear();
  return recording;
}

std::vector<std::vector<size_t>> sharedMoments(const Bundle& bundle) {
  std::vector<std::vector<bool>> sees(bundle.cameras.size(),
                                      std::vector<bool>(bundle.items.size()));
  for (const BundleSight& s : bundle.sights) sees[s.camera][s.item] = true;
  return countShared(sees);
}

void normaliseRotations(Bundle& bundle) {
  for (BundleCamera& c : bundle.cameras) c.pose.rotation = then(c.pose, {}).rotation;
}

void conclude(Calibration& result, Fit& fit) {
  Bundle& bundle = fit.bundle;
  const LightRecording& recording = fit.recording;
  result.found = bundle.items.size();
  const double misfit = misfitOf(bundle);
  result.misfit = recording.sigmasKnown ? misfit : misfit * medianSigma(bundle);
  result.cameras = cameraFigures(bundle, recording, fit.options.target,
                                 std::vector<bool>(recording.moments.size(), true));
  result.rig = rigOf(bundle, recording);
  const auto covariance = covarianceOf(bundle);
  if (!covariance) throw Error("the recording does not determine the cameras");
  const double widen = std::max(1.0, misfit * misfit);
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers;
    result.cameras[c].focalSigma = std::sqrt(widen * (*covariance)(at, at));
    result.cameras[c].timeSigma =
        std::sqrt(widen * (*covariance)(at + kTimeNumber, at + kTimeNumber));
  }
  setCovariance(result.rig, widen * rigCovariance(bundle.cameras, *covariance));
  for (const BundleItem& item : bundle.items)
    result.lights.insert(result.lights.end(), item.ends.begin(), item.ends.end());
  result.dotSigma = medianSigma(bundle);
  result.shared = sharedMoments(bundle);
  result.disturbed = findMoved(bundle, recording, fit.options.target);
  result.doubts = doubtsOf(bundle, recording, fit.options.target);
}

}  // namespace

Calibration moved(Calibration calibration, const Pose& motion) {
  calibration.rig = moved(calibration.rig, motion, 1);
  for (Eigen::Vector3d& light : calibration.lights) light = motion.apply(light);
  return calibration;
}

Calibration calibrate(const LightRecording& given, const CalibrationOptions& options) {
  checkEnough(given, options);
  Calibration result;
  const LightRecording recording = movingOf(given, options.target, result.still);
  LightRecording training = recording;
  training.moments.clear();
  std::vector<bool> heldOut(recording.moments.size());
  std::vector<size_t> all(recording.moments.size());
  std::iota(all.begin(), all.end(), size_t{0});
  for (const size_t m : all) {
    heldOut[m] = m % kHeldOut == kHeldOut - 1;
    if (!heldOut[m]) training.moments.push_back(recording.moments[m]);
  }
  Fit known(training, options, startRig(training, options));
  known.fromStart();
  refuseStrangers(known.bundle, training, options.target);
  known.holdUndetermined();
  refuseAbsurd(known, countWhole(training, options.target));

  result.moments = recording.moments.size();
  result.scaled = options.target.isWand() || options.base;
  result.held = known.held;
  Fit whole(recording, options, known.bundle);
  whole.continueFrom(known);
  whole.lightsOf(all);
  result.heldOut = heldOutFigures(whole.bundle, recording, options.target, heldOut);
  whole.settle();
  normaliseRotations(whole.bundle);
  refuseStrangers(whole.bundle, recording, options.target);
  refuseTwins(whole.bundle);
  refuseAbsurd(whole, countWhole(recording, options.target));
  conclude(result, whole);
  return result;
}

}  // namespace glint
