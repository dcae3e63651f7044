#include "app/probe/population.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glint {
namespace {

// Spread of logarithms: lights that are modulated, particles at various depths.
constexpr double kRadiusSpread = 0.5, kContrastSpread = 0.8;
// Standard deviations of the noise that a marker as a whole stands out by: below the first it says
// nothing, from the second on it counts in full.
constexpr double kUnsure = 5, kSure = 10;
// Detections that are tried as the middle of the population.
constexpr size_t kMiddles = 96;

struct Look {
  double radius, contrast, sureness, weight, peak;  // px, of full scale, 0 to 1, evidence, response
};

double contrastOf(const shared::Detection& d, double fullScale) {
  return double{d.mass} / (std::numbers::pi * double{d.radius} * double{d.radius}) / fullScale;
}

double sureness(const shared::Detection& d) {
  const double sigma = std::max(double{d.sigmaX}, double{d.sigmaY});
  const double significance = double{d.radius} / (std::numbers::sqrt2 * std::max(sigma, 1e-9));
  return std::clamp((significance - kUnsure) / (kSure - kUnsure), 0.0, 1.0);
}

double alike(double radius, double contrast, double middleRadius, double middleContrast) {
  const double r = std::log(radius / middleRadius) / kRadiusSpread;
  const double c = std::log(contrast / middleContrast) / kContrastSpread;
  return std::exp(-(r * r + c * c) / 2);
}

std::vector<Look> looksOf(const Findings& findings, double fullScale) {
  std::vector<Look> looks;
  for (const auto& frame : findings) {
    for (const shared::Detection& d : frame) {
      if (!(d.radius > 0 && d.mass > 0)) continue;
      const double contrast = contrastOf(d, fullScale);
      const double sure = sureness(d), weight = sure * std::pow(contrast, 1.5);
      if (weight > 0) looks.push_back({double{d.radius}, contrast, sure, weight, double(d.peak)});
    }
  }
  std::sort(looks.begin(), looks.end(), [](const Look& a, const Look& b) {
    return std::pair(a.radius, a.contrast) < std::pair(b.radius, b.contrast);
  });
  return looks;
}

/// The value below which a share of the weight lies.
double quantile(std::vector<std::pair<double, double>> values, double share) {
  std::sort(values.begin(), values.end());
  double all = 0, sum = 0;
  for (const auto& [value, weight] : values) all += weight;
  for (const auto& [value, weight] : values)
    if ((sum += weight) >= share * all) return value;
  return 0;
}

}  // namespace

Population populationOf(const Findings& findings, double fullScale) {
  const std::vector<Look> looks = looksOf(findings, fullScale);
  Population population;
  if (looks.empty()) return population;
  double best = 0, all = 0;
  const Look* middle = &looks.front();
  for (size_t i = 0; i < std::min(kMiddles, looks.size()); ++i) {
    const Look& at = looks[i * looks.size() / std::min(kMiddles, looks.size())];
    double sum = 0;
    for (const Look& look : looks)
      sum += look.weight * alike(look.radius, look.contrast, at.radius, at.contrast);
    if (sum > best) best = sum, middle = &at;
  }
  std::vector<std::pair<double, double>> radii, contrasts, peaks;
  const auto frames = static_cast<double>(findings.size());
  for (const Look& look : looks) {
    const double share = alike(look.radius, look.contrast, middle->radius, middle->contrast);
    population.count += share * look.sureness / frames;
    all += look.weight;
    radii.emplace_back(look.radius, share);
    contrasts.emplace_back(look.contrast, share);
    peaks.emplace_back(look.peak, share * look.weight);
  }
  population.evidence = best / frames;
  population.purity = best / all;
  population.radius = quantile(radii, 0.5);
  population.contrast = quantile(contrasts, 0.5);
  population.faintPeak = quantile(peaks, 0.1);
  return population;
}

double membership(const shared::Detection& seen, const Population& population, double fullScale) {
  if (!(seen.radius > 0 && seen.mass > 0 && population.radius > 0)) return 0;
  return alike(double{seen.radius}, contrastOf(seen, fullScale), population.radius,
               population.contrast);
}

}  // namespace glint
