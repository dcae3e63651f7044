#include "app/motion/calibrate/light_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/blocks.h"
#include "app/motion/calibrate/bundle_covariance.h"
#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/label.h"
#include "app/motion/calibrate/motion.h"
#include "app/motion/calibrate/pair_start.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// Number of standard deviations beyond which a dot does not count as a light. Of a million good
// dots, four are lost. Raising it accepts more wrong dots.
constexpr double kGate = 5;

/// Returns how much larger residuals are than their sigmas say, without much influence of outliers.
/// For each item, the sum of squared residuals is divided by the median of its distribution
/// (chi-squared by Wilson and Hilferty, 1931), because items with few dots fit more closely than
/// items with many. The result is the median of the roots.
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
  return base::medianOf(std::move(ratios));
}

}  // namespace

double medianSigma(const Bundle& bundle) {
  std::vector<double> sigmas;
  for (const BundleSight& s : bundle.sights) sigmas.push_back(s.sigma.mean());
  return base::medianOf(std::move(sigmas));
}

LensFree CalibrationOptions::freeNumbers() const {
  LensFree free{};
  if (fixIntrinsics) return free;
  for (const LensNumber n : {focal, aspect, centreX, centreY}) free[n] = true;
  for (const LensNumber n : {radial1, tangential1, tangential2}) free[n] = terms >= LensTerms::k1;
  free[radial2] = terms >= LensTerms::k1k2;
  free[radial3] = terms == LensTerms::full;
  return free;
}

LensFree CalibrationOptions::fittedNumbers() const {
  LensFree fitted = freeNumbers();
  if (target.isWand() || target.isBoard || terms == LensTerms::full) return fitted;
  for (const LensNumber n : {aspect, tangential1, tangential2}) fitted[n] = false;
  return fitted;
}

void setPrior(BundleCamera& camera, const CalibrationOptions& options, const FrameExtent& size,
              size_t index) {
  const LensPriors& priors = options.priors;
  const double wide = size.width;
  camera.prior = {wide, wide, (size.width - 1) / 2.0, (size.height - 1) / 2.0};
  camera.prior.fisheye = options.terms == LensTerms::fisheye;
  if (!options.intrinsics.empty()) camera.prior = options.intrinsics[index];
  camera.priorSigma[centreX] = camera.priorSigma[centreY] = priors.centre * wide;
  camera.priorSigma[radial1] = priors.radial1;
  camera.priorSigma[radial2] = camera.priorSigma[radial3] = priors.radial;
  // There, a fisheye has its k3 and k4.
  camera.priorSigma[tangential1] = camera.priorSigma[tangential2] =
      camera.prior.fisheye ? priors.radial : priors.tangential;
  camera.priorSigma[aspect] = priors.aspect;
}

/// Scales the cameras of a single light: two of them get the distance that was given, or a round
/// one.
void LightFit::scaleBase() {
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

/// Estimates the time offset of each camera. What most cameras have in common counts as no offset.
/// Offsets that are not significant are set to 0.
void LightFit::findOffsets() {
  // Minimum offset to count: kSure is in its own standard deviations, kLeast in seconds. Raising
  // them takes fewer cameras for late.
  constexpr double kSure = 4, kLeast = 1e-4;
  const double least = recording.timed ? kLeast : 0.01;
  const Bundle inStep = bundle;
  moving_ = estimateMotion(bundle, recording);
  if (!moving_) return;
  for (size_t c = 1; c < bundle.cameras.size(); ++c)
    bundle.cameras[c].freeTime = !bundle.cameras[c].placeOf;
  // If a late camera and only one other see a light, its estimated place is wrong, and with it the
  // motion of its neighbours, until the offsets are right. So the fit is repeated with a wide gate
  // until the offsets stay. This is the largest number of rounds; raising it takes longer.
  constexpr int kMostRounds = 8;
  // Minimum width of that gate, px. Raising it accepts more wrong dots.
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
      change = std::max({change, std::abs(bundle.cameras[c].timeOffset - before[c].timeOffset),
                         std::abs(bundle.cameras[c].readout - before[c].readout)});
    if (change < least / 2) break;
  }
  const auto covariance = covarianceOf(bundle);
  std::vector<double> offsets;
  for (const BundleCamera& c : bundle.cameras)
    if (!c.placeOf) offsets.push_back(c.timeOffset);
  std::vector<double> sorted = offsets;
  std::sort(sorted.begin(), sorted.end());
  const double common = offsets.size() > 2 ? sorted[(sorted.size() - 1) / 2] : 0;
  const double scale = std::max(1.0, robustMisfit(bundle));
  bool anyLate = false;
  // Other places of cameras are behind the cameras themselves.
  for (size_t c = 0; c < offsets.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers + kTimeNumber;
    const double sigma = covariance ? scale * std::sqrt((*covariance)(at, at)) : 0;
    const double offset = offsets[c] - common;
    const bool late = std::abs(offset) > std::max(least, kSure * sigma);
    bundle.cameras[c].timeOffset = late ? offset : 0;
    bundle.cameras[c].freeTime = late;
    anyLate = anyLate || late;
  }
  bundle.sharePlaces();
  // Items without neighbours in time have no motion and were left out above.
  const bool rolling = std::any_of(bundle.cameras.begin(), bundle.cameras.end(),
                                   [](const BundleCamera& c) { return c.freeReadout; });
  if (!anyLate && !rolling && recording.worstDelay == 0) bundle = inStep;
}

void LightFit::freeLenses() {
  for (BundleCamera& c : bundle.cameras)
    if (!c.placeOf) c.free = options.fittedNumbers();
}

void LightFit::findOffsetsAgain() {
  for (BundleCamera& c : bundle.cameras) {
    c.timeOffset = 0;
    c.freeTime = false;
  }
  findOffsets();
}

bool LightFit::findReadouts() {
  // Minimum time to count, in its own standard deviations. Raising it takes fewer cameras for ones
  // that read row by row.
  constexpr double kSure = 5;
  for (BundleCamera& c : bundle.cameras) {
    c.timeOffset = c.readout = 0;
    c.freeTime = false;
    c.freeReadout = true;
  }
  findOffsets();
  const auto covariance = covarianceOf(bundle);
  if (!moving_ || !covariance) return false;
  const double scale = std::max(1.0, misfitOf(bundle));
  bool any = false;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    BundleCamera& camera = bundle.cameras[c];
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers + kReadoutNumber;
    camera.freeReadout =
        std::abs(camera.readout) > kSure * scale * std::sqrt((*covariance)(at, at));
    if (!camera.freeReadout) camera.readout = 0;
    any = any || camera.freeReadout;
  }
  if (any) settle();
  return any;
}

/// Sets time offsets to 0 that are not significant or move dots by less than their noise. Returns
/// true if there were any.
bool LightFit::dropOffsets() {
  // Minimum offset to be kept: kSure is in its own standard deviations, kMatters is the movement of
  // dots in their standard deviations. Raising them keeps fewer offsets.
  constexpr double kSure = 5, kMatters = 0.5;
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
    if (!equationOf(s, item, c.lens, c.pose, latenessOf(c, s), endsOf(item).data(), e, true))
      continue;
    squares[bundle.takenBy(s.camera)] += (e.time * c.timeOffset).squaredNorm() / 2;
    ++sights[bundle.takenBy(s.camera)];
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
  bundle.sharePlaces();
  return dropped;
}

void LightFit::settle() {
  settleOnce();
  if (dropOffsets()) settleOnce();
}

void LightFit::settleOnce() {
  for (int round = 0; round < 2; ++round) {
    if (moving_) estimateMotion(bundle, recording);
    const double scale = robustMisfit(bundle);
    if (!recording.sigmasKnown)
      for (BundleSight& s : bundle.sights) s.sigma *= scale;
    // The sigmas of the recording's dots are 1 if they are not known.
    const double unit = recording.sigmasKnown ? 1 : medianSigma(bundle);
    gateSights(bundle, recording, options.target, kGate,
               recording.sigmasKnown ? std::max(1.0, scale) : unit);
    if (!recording.sigmasKnown)
      for (BundleSight& s : bundle.sights) s.sigma.setConstant(unit);
    adjust(bundle, 30, kHuber * (recording.sigmasKnown ? std::max(1.0, scale) : 1.0));
  }
}

void LightFit::fromStart() {
  // Lenses are not known yet, so the limits are wide: the gate of a dot as a share of the image's
  // diagonal, the gate of the wand's length as a share of it, and the residual (px) beyond which a
  // dot counts less.
  constexpr double kCoarse = 0.008, kLength = 0.1, kLoss = 1.5;
  std::vector<size_t> all(recording.moments.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const double diagonal = std::hypot(recording.sizes[0].width, recording.sizes[0].height);
  scaleBase();
  for (BundleCamera& camera : bundle.cameras) {
    camera.free = options.fittedNumbers();
    camera.freePose = &camera != &bundle.cameras.front();
  }
  labelAll(bundle, std::vector<bool>(bundle.cameras.size(), true), recording, all, options.target,
           {kCoarse * diagonal, kLength});
  if (bundle.items.empty()) throw Error("no moment of the recording agrees with the cameras found");
  adjust(bundle, 30, kLoss / medianSigma(bundle), true);
  findOffsets();
  settle();
}

void LightFit::lightsOf(const std::vector<size_t>& moments) {
  // Minimum gate of a dot (kPixels, px), and gate of the wand's length (kLength, as a share of it).
  // Raising either accepts more wrong dots. kFree is a standard deviation of the length, mm, that
  // is so large that the length is free.
  constexpr double kPixels = 3, kLength = 0.03, kFree = 1e6;
  const auto cameras = bundle.cameras;
  const double sigma = bundle.lengthSigma, scale = robustMisfit(bundle);
  const double unit = recording.sigmasKnown ? 1 : medianSigma(bundle);
  double late = 0;
  for (BundleCamera& c : bundle.cameras) {
    c.free = {};
    c.freePose = c.freeTime = c.freeReadout = false;
    late = std::max({late, std::abs(c.timeOffset), std::abs(c.readout)});
  }
  const bool offStep = moving_ && (late > 0 || recording.worstDelay > 0);
  const double wide = std::max(kPixels, 2 * kGate * scale * unit) * (offStep ? 4 : 1);
  labelAll(bundle, std::vector<bool>(cameras.size(), true), recording, moments, options.target,
           {wide, kLength * (offStep ? 3 : 1)});
  bundle.lengthSigma = kFree;
  for (int round = 0; round < (offStep ? 2 : 1); ++round) {
    if (moving_) estimateMotion(bundle, recording);
    // A wrong dot within the gate would pull a light so far that its right dots are lost, too.
    adjust(bundle, 5, kHuber * std::max(1.0, scale), true);
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
    bundle.cameras[c].freeReadout = cameras[c].freeReadout;
  }
}

void LightFit::holdUndetermined() {
  // A number is hardly measured if its standard deviation is above this share of its prior's.
  // Raising it reports and resets fewer numbers.
  constexpr double kTold = 0.7;
  // Number of standard deviations by which a term that folds the image must differ from its prior
  // to be kept. Raising it resets more such terms.
  constexpr double kSure = 3;
  constexpr std::array<const char*, lensNumbers> kNames{"f",  "cx", "cy", "k1",   "k2",
                                                        "p1", "p2", "k3", "fy/fx"};
  // The priors of these numbers are so narrow that a number cannot stray far, even where the dots
  // say nothing about it. So it need not be reset.
  const auto isNarrow = [](size_t n) {
    return n == tangential1 || n == tangential2 || n == aspect;
  };
  const auto sigmas = lensSigmas();
  const LensFree uncertain = options.freeNumbers();
  bool changed = false;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    BundleCamera& camera = bundle.cameras[c];
    if (camera.placeOf) continue;
    LensBlock numbers = lensBlock(camera.lens);
    const LensBlock prior = lensBlock(camera.prior);
    // A lens may fold inside the image, in a part where no light was. Then its highest free radial
    // term is reset unless it is significant.
    size_t folding = lensNumbers;
    if (!isOneToOne(camera.lens, recording.sizes[c].width, recording.sizes[c].height))
      for (const size_t n : {radial1, radial2, radial3})
        if (camera.free[n]) folding = n;
    for (size_t n = 0; n < lensNumbers; ++n) {
      if (!uncertain[n] || n == focal) continue;
      if (!camera.free[n]) {
        held.push_back(fmt::format("cam_{}.{}", c, kNames[n]));
        continue;
      }
      const double sigma = sigmas[c][n], off = std::abs(numbers[n] - prior[n]);
      if (sigma < kTold * camera.priorSigma[n] && !(n == folding && off < kSure * sigma)) continue;
      held.push_back(fmt::format("cam_{}.{}", c, kNames[n]));
      if (isNarrow(n)) continue;
      camera.free[n] = false;
      numbers[n] = prior[n];
      changed = true;
    }
    camera.lens = lensOf(numbers.data(), camera.lens.fisheye);
  }
  if (changed) {
    bundle.sharePlaces();
    adjust(bundle, 50, kHuber * std::max(1.0, robustMisfit(bundle)));
    settle();
  }
  refuseUnknownFocals();
}

std::vector<std::array<double, lensNumbers>> LightFit::lensSigmas() const {
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

void LightFit::refuseUnknownFocals() const {
  // Maximum standard deviation of a focal length, as a share of it. Two cameras and a single light
  // determine it by their priors only, so the limit is stricter there.
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

}  // namespace glint::motion
