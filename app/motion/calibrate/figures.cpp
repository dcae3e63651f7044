#include "app/motion/calibrate/figures.h"

#include <algorithm>
#include <cmath>

#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/image_fields.h"

namespace glint::motion {
namespace {

/// Returns the number of fitted parameters as a share of the number of residuals.
double fittedShare(const Bundle& bundle) {
  double numbers = 0;
  for (const BundleItem& item : bundle.items)
    numbers += 3 * static_cast<double>(item.ends.size()) - (bundle.length > 0 ? 1 : 0);
  for (const BundleCamera& c : bundle.cameras)
    numbers += static_cast<double>(std::count(c.free.begin(), c.free.end(), true)) +
               (c.freePose ? 6 : 0) + (c.freeTime ? 1 : 0) + (c.freeReadout ? 1 : 0);
  return numbers / (2 * static_cast<double>(std::max<size_t>(1, bundle.sights.size())));
}

/// Returns the root of sum / count, or 0 without a count.
double rootMean(double sum, double count) {
  return count > 0 ? std::sqrt(sum / count) : 0;
}

/// Adds up CameraFigures::offered for all cameras.
void countOffered(std::vector<CameraFigures>& figures, const Bundle& bundle,
                  const LightRecording& recording, const Target& target,
                  const std::vector<bool>& counts) {
  const size_t cameras = bundle.cameras.size();
  // The sights of each camera in each moment.
  std::vector<size_t> identified(recording.moments.size() * cameras);
  for (const BundleSight& s : bundle.sights)
    ++identified[bundle.items[s.item].moment * cameras + s.camera];
  std::vector<bool> found(recording.moments.size());
  for (const BundleItem& item : bundle.items) found[item.moment] = true;
  for (size_t m = 0; m < recording.moments.size(); ++m) {
    if (!counts[m] || !(found[m] || isShared(recording.moments[m], target))) continue;
    for (size_t c = 0; c < cameras; ++c)
      figures[bundle.takenBy(c)].offered +=
          std::max(identified[m * cameras + c],
                   std::min(recording.moments[m].views[c].likely(), target.lights.size()));
  }
}

}  // namespace

std::vector<CameraFigures> cameraFigures(const Bundle& bundle, const LightRecording& recording,
                                         const Target& target, const std::vector<bool>& counts) {
  std::vector<CameraFigures> figures(bundle.cameras.size());
  std::vector<double> chi2(bundle.cameras.size());
  for (const BundleSight& s : bundle.sights) {
    if (!counts[bundle.items[s.item].moment]) continue;
    const auto residual = residualOf(bundle, s);
    if (!residual) continue;
    const size_t camera = bundle.takenBy(s.camera);
    CameraFigures& f = figures[camera];
    const double length = residual->norm();
    ++f.dots;
    f.mean += length;
    f.rms += length * length;
    f.within += length < 1;
    chi2[camera] += residual->cwiseQuotient(s.sigma).squaredNorm();
    f.fields |= fieldAt(s.pixel, recording.sizes[camera]);
  }
  countOffered(figures, bundle, recording, target, counts);
  const double left = 1 - fittedShare(bundle);
  for (size_t c = 0; c < figures.size(); ++c) {
    CameraFigures& f = figures[c];
    const auto n = static_cast<double>(f.dots);
    f.mean = n > 0 ? f.mean / n : 0;
    f.rms = rootMean(f.rms, n);
    f.within /= static_cast<double>(std::max<size_t>({1, f.dots, f.offered}));
    f.misfit = rootMean(chi2[c], 2 * n * left);
    f.timeOffset = bundle.cameras[c].timeOffset;
    f.readout = bundle.cameras[c].readout;
  }
  return figures;
}

HeldOut heldOutFigures(const Bundle& bundle, const LightRecording& recording, const Target& target,
                       const std::vector<bool>& counts) {
  HeldOut held;
  held.cameras = cameraFigures(bundle, recording, target, counts);
  averageCameras(held);
  double sum = 0, squares = 0;
  for (const BundleItem& item : bundle.items) {
    if (!counts[item.moment]) continue;
    ++held.moments;
    if (item.ends.size() < 2) continue;
    held.lengths.push_back((item.ends[1] - item.ends[0]).norm());
    const double off = held.lengths.back() - bundle.length;
    sum += off;
    squares += off * off;
    held.lengthWorst = std::max(held.lengthWorst, std::abs(off));
  }
  const auto n = static_cast<double>(std::max<size_t>(1, held.moments));
  held.lengthMean = bundle.length + sum / n;
  held.lengthSigma = std::sqrt(std::max(0.0, squares / n - sum / n * sum / n));
  return held;
}

bool isPlausible(const Lens& lens, const FrameExtent& size) {
  const double widths = lens.fx / size.width;
  return widths > 0.2 && widths < 20 && lens.cx > 0 && lens.cx < size.width && lens.cy > 0 &&
         lens.cy < size.height;
}

void averageCameras(HeldOut& held) {
  double dots = 0, sum = 0, squares = 0;
  for (const CameraFigures& f : held.cameras) {
    const auto n = static_cast<double>(f.dots);
    dots += n;
    sum += n * f.mean;
    squares += n * f.rms * f.rms;
  }
  held.mean = dots > 0 ? sum / dots : 0;
  held.rms = rootMean(squares, dots);
}

double misfitOf(const Bundle& bundle) {
  double chi2 = 0;
  for (const BundleSight& s : bundle.sights)
    if (const auto residual = residualOf(bundle, s))
      chi2 += residual->cwiseQuotient(s.sigma).squaredNorm();
  return rootMean(chi2, 2 * static_cast<double>(bundle.sights.size()) * (1 - fittedShare(bundle)));
}

std::vector<std::vector<size_t>> countShared(const std::vector<std::vector<bool>>& sees) {
  std::vector<std::vector<size_t>> shared(sees.size(), std::vector<size_t>(sees.size()));
  for (size_t i = 0; i < sees.size(); ++i)
    for (size_t j = 0; j < sees.size(); ++j)
      for (size_t k = 0; k < sees[i].size(); ++k) shared[i][j] += sees[i][k] && sees[j][k];
  return shared;
}

}  // namespace glint::motion
