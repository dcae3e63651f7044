#include "gpu/filters/template_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glint::gpu {
namespace {

constexpr int kTaps = 8, kReach = 4;  // px that an interpolation reads: in all, and to each side
constexpr double kBeta = 4;           // parameter of Kaiser's window
// Farthest place from the window, px: a flat peak may lie some pixels away, because the response,
// in whole counts, does not show it.
constexpr double kFarthest = 4;
constexpr double kLongestStep = 0.5, kShortestStep = 1e-4;  // px, in one step of Newton's method
constexpr int kMostSteps = 24;
constexpr double kLeastVariance = 1.0 / 12;  // counts^2: the variance of rounding to whole counts
// The outermost pixels do not belong to the picture if their variance exceeds that of the inner
// ones by this many standard deviations of the ratio of both variances.
constexpr double kUnlike = 2;

using Taps = std::array<double, kTaps>;

/// Returns the weights of the pixels floor(s) - 3 to floor(s) + 4 in the value interpolated at
/// s = floor(s) + part.
Taps tapsAt(double part) {
  Taps taps{};
  double sum = 0;
  for (int i = 0; i < kTaps; ++i) {
    const double x = i - (kReach - 1) - part, near = 1 - x * x / (kReach * kReach);
    if (near < 0) continue;
    const double angle = std::numbers::pi * x;
    const double sinc = std::abs(x) < 1e-9 ? 1 : std::sin(angle) / angle;
    sum += taps[size_t(i)] = sinc * std::cyl_bessel_i(0.0, kBeta * std::sqrt(near));
  }
  for (double& tap : taps) tap /= sum;
  return taps;
}

/// Returns the derivative of tapsAt() by s.
Taps slopesAt(double part) {
  constexpr double kStep = 1e-4;
  const Taps above = tapsAt(part + kStep), below = tapsAt(part - kStep);
  Taps slopes{};
  for (size_t i = 0; i < slopes.size(); ++i) slopes[i] = (above[i] - below[i]) / (2 * kStep);
  return slopes;
}

double squares(const Taps& taps) {
  double sum = 0;
  for (const double tap : taps) sum += tap * tap;
  return sum;
}

}  // namespace

bool TemplateFitter::has(int64_t x, int64_t y) const {
  return x >= 0 && y >= 0 && x < width_ && y < height_ &&
         all_.counts[static_cast<size_t>(y * width_ + x)] != 0;
}

TemplateFitter::TemplateFitter(const TemplateShape& shape, bool gain)
    : width_(shape.width), height_(shape.height), gain_(gain) {
  const auto size = static_cast<size_t>(width_ * height_);
  values_.resize(size);
  std::vector<uint8_t> counts(size), inner(size);
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const uint32_t pixel : shape.pixels) {
    const double i = pixel >> 16 & 255U, j = pixel >> 24;
    const auto at = static_cast<size_t>(j) * shape.width + static_cast<size_t>(i);
    values_[at] = pixel & 0xffffU;
    counts[at] = 1;
    n += 1;
    x += i, y += j;
    xx += i * i, xy += i * j, yy += j * j;
  }
  // Each pixel is a square of side 1, whose variance along each axis is 1/12.
  const double vxx = xx / n - x * x / (n * n) + 1.0 / 12, vxy = xy / n - x * y / (n * n);
  const double vyy = yy / n - y * y / (n * n) + 1.0 / 12;
  const double half = (vxx + vyy) / 2, root = std::hypot((vxx - vyy) / 2, vxy);
  radius_ = 2 * std::sqrt(half);
  eccentricity_ = std::sqrt(std::clamp(2 * root / (half + root), 0.0, 1.0));
  all_.counts = counts;
  for (int64_t j = 0; j < height_; ++j)
    for (int64_t i = 0; i < width_; ++i)
      inner[static_cast<size_t>(j * width_ + i)] =
          has(i, j) && has(i - 1, j) && has(i + 1, j) && has(i, j - 1) && has(i, j + 1);
  inner_ = weightsOf(std::move(inner));
  all_ = weightsOf(std::move(counts));
}

/// Returns the slope of T at (x, y) along (dx, dy), to the highest order for which T has pixels.
double TemplateFitter::slopeAt(int64_t x, int64_t y, int64_t dx, int64_t dy) const {
  const auto there = [&](int64_t k) { return has(x + k * dx, y + k * dy); };
  const auto value = [&](int64_t k) {
    return values_[static_cast<size_t>((y + k * dy) * width_ + x + k * dx)];
  };
  const bool before = there(-1), after = there(1);
  if (before && after) {
    const double near = (value(1) - value(-1)) / 2;
    return there(-2) && there(2) ? (4 * near - (value(2) - value(-2)) / 4) / 3 : near;
  }
  if (!before && !after) return 0;
  const int64_t way = after ? 1 : -1;
  const double step = value(way) - value(0);
  return double(way) * (there(2 * way) ? 1.5 * step - (value(2 * way) - value(way)) / 2 : step);
}

TemplateFitter::Weights TemplateFitter::weightsOf(std::vector<uint8_t> counts) const {
  Weights w;
  w.counts = std::move(counts);
  for (auto& of : w.of) of.resize(w.counts.size());
  Pair sums{}, products{};
  for (size_t i = 0; i < w.counts.size(); ++i) {
    if (w.counts[i] == 0) continue;
    const auto x = static_cast<int64_t>(i) % width_, y = static_cast<int64_t>(i) / width_;
    w.of[0][i] = slopeAt(x, y, 1, 0);
    w.of[1][i] = slopeAt(x, y, 0, 1);
    w.pixels += 1;
    w.sum += values_[i];
    w.sumSquares += values_[i] * values_[i];
    for (size_t k = 0; k < 2; ++k) {
      sums[k] += w.of[k][i];
      products[k] += w.of[k][i] * values_[i];
    }
  }
  if (w.pixels == 0) return w;
  const double mean = w.sum / w.pixels, spread = w.sumSquares - w.sum * mean;
  for (size_t i = 0; i < w.counts.size(); ++i) {
    if (w.counts[i] == 0) continue;
    for (size_t k = 0; gain_ && k < 2; ++k) {
      const double along = spread > 0 ? (products[k] - sums[k] * mean) / spread : 0;
      w.of[k][i] -= sums[k] / w.pixels + along * (values_[i] - mean);
    }
    const double x = w.of[0][i], y = w.of[1][i];
    w.squares.xx += x * x;
    w.squares.xy += x * y;
    w.squares.yy += y * y;
    w.constant[0] += x * values_[i];
    w.constant[1] += y * values_[i];
  }
  w.squares.yx = w.squares.xy;
  if (gain_) w.constant = {};
  return w;
}

/// Computes, for the place of `s`, its members `seen`, `slope`, `noise` and, with gain, `a` and
/// `b`.
void TemplateFitter::evaluate(const TemplateImage& around, const Weights& w, Solution& s) const {
  const double left = std::floor(s.x), top = std::floor(s.y);
  const Taps acrossTaps = tapsAt(s.x - left), acrossSlopes = slopesAt(s.x - left);
  const Taps downTaps = tapsAt(s.y - top), downSlopes = slopesAt(s.y - top);
  s.noise = squares(acrossTaps) * squares(downTaps);
  const auto wide = static_cast<size_t>(width_), high = static_cast<size_t>(height_);
  const auto first = [](double whole) {
    return static_cast<size_t>(kFitMargin + static_cast<int64_t>(whole) - (kReach - 1));
  };
  std::vector<double> rows((high + kTaps - 1) * wide), slopes(rows.size());
  for (size_t j = 0; j < high + kTaps - 1; ++j) {
    const double* from =
        &around.values[(first(top) + j) * static_cast<size_t>(around.width) + first(left)];
    for (size_t k = 0; k < kTaps; ++k) {
      for (size_t i = 0; i < wide; ++i) {
        rows[j * wide + i] += acrossTaps[k] * from[i + k];
        slopes[j * wide + i] += acrossSlopes[k] * from[i + k];
      }
    }
  }
  s.seen.assign(wide * high, 0);
  s.slope = {};
  double sum = 0, product = 0;
  for (size_t i = 0; i < s.seen.size(); ++i) {
    if (w.counts[i] == 0) continue;
    double across = 0, down = 0;
    for (size_t k = 0; k < kTaps; ++k) {
      s.seen[i] += downTaps[k] * rows[i + k * wide];
      across += downTaps[k] * slopes[i + k * wide];
      down += downSlopes[k] * rows[i + k * wide];
    }
    s.slope.xx += w.of[0][i] * across;
    s.slope.xy += w.of[0][i] * down;
    s.slope.yx += w.of[1][i] * across;
    s.slope.yy += w.of[1][i] * down;
    sum += s.seen[i];
    product += s.seen[i] * values_[i];
  }
  if (!gain_) return;
  const double spread = w.sumSquares - w.sum * w.sum / w.pixels;
  s.a = spread > 0 ? (product - sum * w.sum / w.pixels) / spread : 0;
  s.b = (sum - s.a * w.sum) / w.pixels;
}

std::optional<TemplateFitter::Solution> TemplateFitter::solve(const TemplateImage& around,
                                                              const Weights& w) const {
  const auto rises = [](const Square& m) {  // the score has a maximum if this is true of J
    return m.xx > 0 && m.yy > 0 && m.xx * m.yy - m.xy * m.yx > 1e-9 * m.xx * m.yy;
  };
  Solution s;
  for (int step = 0; step < kMostSteps; ++step) {
    evaluate(around, w, s);
    Pair f{-w.constant[0], -w.constant[1]};
    for (size_t i = 0; i < s.seen.size(); ++i) {
      f[0] += w.of[0][i] * s.seen[i];
      f[1] += w.of[1][i] * s.seen[i];
    }
    const bool best = rises(s.slope);
    const Square& q = w.squares;
    const Square m = best ? s.slope : Square{s.a * q.xx, s.a * q.xy, s.a * q.yx, s.a * q.yy};
    if (!rises(m)) return std::nullopt;
    const double det = m.xx * m.yy - m.xy * m.yx;
    const double dx = -(m.yy * f[0] - m.xy * f[1]) / det, dy = -(m.xx * f[1] - m.yx * f[0]) / det;
    if (best && std::max(std::abs(dx), std::abs(dy)) < kShortestStep) return s;
    s.x += std::clamp(dx, -kLongestStep, kLongestStep);
    s.y += std::clamp(dy, -kLongestStep, kLongestStep);
    if (std::max(std::abs(s.x), std::abs(s.y)) > kFarthest) return std::nullopt;
  }
  return std::nullopt;
}

/// Returns the sum of the squares of what the template does not explain of the image, over the
/// pixels in `counts`.
double TemplateFitter::residual(const Solution& s, const std::vector<uint8_t>& counts) const {
  double sum = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double e = s.seen[i] - s.a * values_[i] - s.b;
    if (counts[i] != 0) sum += e * e;
  }
  return sum;
}

double TemplateFitter::scoreOf(const Solution& s, const Weights& w) const {
  double sum = 0, squared = 0, product = 0;
  for (size_t i = 0; i < s.seen.size(); ++i) {
    if (w.counts[i] == 0) continue;
    sum += s.seen[i];
    squared += s.seen[i] * s.seen[i];
    product += s.seen[i] * values_[i];
  }
  const auto share = [](double part, double a, double b) {
    return a > 0 && b > 0 ? std::clamp(part / std::sqrt(a * b), 0.0, 1.0) : 0.0;
  };
  if (!gain_) return 1 - share(squared + w.sumSquares - 2 * product, squared, w.sumSquares);
  return share(product - sum * w.sum / w.pixels, squared - sum * sum / w.pixels,
               w.sumSquares - w.sum * w.sum / w.pixels);
}

std::optional<TemplatePlace> TemplateFitter::placeIn(const TemplateImage& around) const {
  const double unknowns = gain_ ? 4 : 2;
  auto found = solve(around, all_);
  const Weights* used = &all_;
  if (const auto middle = inner_.pixels > 2 * unknowns ? solve(around, inner_) : std::nullopt) {
    Solution seen = *middle;  // shows all pixels at the inner ones' place, with their gain
    evaluate(around, all_, seen);
    seen.a = middle->a, seen.b = middle->b;
    const double own = residual(seen, inner_.counts), rest = residual(seen, all_.counts) - own;
    const double free = inner_.pixels - unknowns, outer = all_.pixels - inner_.pixels;
    const double ratio = rest / outer / std::max(own / free, kLeastVariance);
    if (!found || ratio > 1 + kUnlike * std::sqrt(2 / free + 2 / outer)) {
      found = middle;
      used = &inner_;
    }
  }
  if (!found) return std::nullopt;
  const double free = std::max(used->pixels - unknowns, 1.0);
  const double variance =
      std::max(residual(*found, used->counts) / free / found->noise, kLeastVariance);
  const Square &j = found->slope, &q = used->squares;
  const double det = j.xx * j.yy - j.xy * j.yx;
  // Returns a standard deviation, from the row (u, v) / det of J^-1: the root of an element on the
  // diagonal of variance J^-1 (sum W W^T) J^-T.
  const auto along = [&](double u, double v) {
    return std::sqrt(variance * (u * u * q.xx + 2 * u * v * q.xy + v * v * q.yy)) / det;
  };
  return TemplatePlace{found->x, found->y, along(j.yy, -j.xy), along(-j.yx, j.xx),
                       scoreOf(*found, *used)};
}

double TemplateFitter::sumAbove(const TemplateImage& window, double background) const {
  double sum = 0;
  for (size_t i = 0; i < values_.size(); ++i)
    if (all_.counts[i] != 0) sum += window.values[i] - background;
  return sum;
}

}  // namespace glint::gpu
