#include "tests/gpu/refine_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace glint::reference {
namespace {

constexpr int kDirections = 16;
// cos and sin of 0, 22.5, 45 ... degrees in 1/256.
constexpr std::array<int, kDirections> kCos{256,  237,  181,  98,  0, -98, -181, -237,
                                            -256, -237, -181, -98, 0, 98,  181,  237};
int cosOf(int d) {
  return kCos[static_cast<size_t>(d % kDirections)];
}
int sinOf(int d) {
  return kCos[static_cast<size_t>((d + 12) % kDirections)];
}

struct PixelReader {
  const Image& image;
  int width = static_cast<int>(image.format.width), height = static_cast<int>(image.format.height);
  bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  std::optional<int> along(int x, int y, int direction, int distance) const {
    x += (distance * cosOf(direction) + 128) >> 8;
    y += (distance * sinOf(direction) + 128) >> 8;
    if (!inside(x, y)) return std::nullopt;
    return image.at(x, y);
  }
};

struct Surroundings {
  int darkest = 0;                // mean of the darkest ring
  double noise = 0;               // standard deviation of the noise
  int range = 0;                  // px, the largest radius that was looked at
  bool clear = false;             // true if the peak stands out clearly from the noise
  double slopeX = 0, slopeY = 0;  // slope of the ground, counts a px; 0 if the ground is no plane
};

int ringRadius(int i) {
  return i < 8 ? i + 1 : (5 + i % 4) << (i / 4 - 1);
}

struct Slope {
  double x = 0, y = 0;  // counts a px
};

/// Returns the slope of the plane through a whole ring. Returns 0 unless the plane explains the
/// ring down to the noise, and is `least` times as steep as its own error.
Slope planeOf(const PixelReader& pixels, int x, int y, int radius, double noise, double least) {
  double sum = 0, squares = 0, c = 0, d = 0;
  for (int i = 0; i < kDirections; ++i) {
    const auto value = pixels.along(x, y, i, radius);
    if (!value) return {};
    const double v = *value - int{pixels.image.at(x, y)};
    sum += v, squares += v * v;
    c += v * cosOf(i) / 256.0, d += v * sinOf(i) / 256.0;
  }
  c /= 8, d /= 8;
  const double plane = 8 * (c * c + d * d), variance = noise * noise + 1.0 / 12;
  if (plane <= least * least * variance || squares - sum * sum / 16 - plane >= 2.5 * 13 * variance)
    return {};
  return {c / radius, d / radius};
}

Slope slopeOf(const PixelReader& pixels, int x, int y, double noise) {
  const Slope near = planeOf(pixels, x, y, 8, noise, 4), far = planeOf(pixels, x, y, 10, noise, 0);
  const double most = 0.25 * std::hypot(near.x, near.y) + 0.15 * noise;
  const bool alike = std::hypot(near.x - far.x, near.y - far.y) <= most;
  return alike ? near : Slope{};
}

Surroundings measureSurroundings(const PixelReader& pixels, int x, int y, int peak) {
  long bestCount = 0, bestSum = 0, bestPairs = 0, bestJump = 0, best = 0;
  Surroundings s{peak, 0, 8};
  for (int i = 2; i < 24; ++i) {
    long count = 0, sum = 0, pairs = 0, jump = 0;
    auto before = pixels.along(x, y, kDirections - 1, ringRadius(i));
    for (int d = 0; d < kDirections; ++d) {
      const auto value = pixels.along(x, y, d, ringRadius(i));
      if (value) ++count, sum += *value;
      if (value && before) ++pairs, jump += std::abs(*value - *before);
      before = value;
    }
    if (count >= 4 && (bestCount == 0 || sum * 16 / count < best)) {
      best = sum * 16 / count;
      bestCount = count, bestSum = sum, bestPairs = pairs, bestJump = jump;
    }
    const bool octave = i >= 7 && i % 4 == 3;
    if (!octave) continue;
    s.range = ringRadius(i);
    const long contrast = bestCount * peak - bestSum;
    s.clear = contrast > 0 && contrast * bestPairs >= 3 * bestJump * bestCount;
    if (s.clear && contrast * bestPairs >= 7 * bestJump * bestCount) break;
  }
  if (bestCount == 0) return s;
  s.darkest = static_cast<int>(bestSum / bestCount);
  if (bestPairs > 0) s.noise = static_cast<double>(bestJump) / (1.128 * double(bestPairs));
  const auto slope = slopeOf(pixels, x, y, s.noise);
  s.slopeX = slope.x, s.slopeY = slope.y;
  return s;
}

struct Extent {
  int x, y;              // px
  double half, quarter;  // px, mean distance at which half and a quarter of the height are lost
  double elongation = 0;
  double middleX = 0, middleY = 0;  // px from x and y, middle of the rays' ends
  double e1 = 0, e2 = 0;            // see Model
};

struct Ray {
  int half = 0, quarter = 0;  // 1/16 px
  bool cut = false;
  // True if the ray was still above half at the end of the search, or 24 px away.
  bool endless = false;
  int length = 0;  // px
};

Ray march(const PixelReader& pixels, int x, int y, int direction, int peak,
          const Surroundings& around) {
  const int level50 = 2 * (peak + around.darkest), level75 = 3 * peak + around.darkest;
  Ray ray{.cut = true};
  int before = 4 * pixels.image.at(x, y);
  for (int k = 1; k <= 2 * around.range; ++k) {
    const auto value = pixels.along(x, y, direction, k);
    if (!value && k <= 24) ray.endless = false;
    if (!value) break;
    ray.length = k;
    const int now = 4 * *value;
    const auto cross = [&](int level) {
      return 16 * (k - 1) + 16 * (before - level) / (before - now);
    };
    ray.cut = ray.endless = now >= level50;
    if (before < level50 && now < level50) break;
    if (before >= level50 && now < level50) ray.half = cross(level50);
    if (before >= level75 && now < level75) ray.quarter = cross(level75);
    before = now;
  }
  return ray;
}

struct Circle {
  double x, y, half;
};

// The fit of a circle by Kasa 1976.
std::optional<Circle> throughEnds(const std::vector<std::array<double, 2>>& ends) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, sxz = 0, syz = 0, sz = 0;
  for (const auto& [x, y] : ends) {
    const double z = x * x + y * y;
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y, sz += z, sxz += x * z,
        syz += y * z;
  }
  const double mx = sx / n, my = sy / n, a = sxx - sx * mx, b = sxy - sx * my, c = syy - sy * my;
  const double p = (sxz - sz * mx) / 2, q = (syz - sz * my) / 2, det = a * c - b * b;
  if (!(det > 1e-3 * (a + c) * (a + c))) return std::nullopt;
  const double x = (c * p - b * q) / det, y = (a * q - b * p) / det;
  const double r2 = sz / n - 2 * (x * mx + y * my) + x * x + y * y;
  return Circle{x, y, std::sqrt(std::max(r2, 0.0))};
}

struct Ellipse {
  double elongation = 0, e1 = 0, e2 = 0;
};

/// Returns the ratio of the larger to the smaller eigenvalue of the covariance of points, and the
/// ellipse with that ratio.
Ellipse ellipseOf(const std::vector<std::array<double, 2>>& points) {
  if (points.size() < 5) return {};
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const auto& p : points) x += p[0], y += p[1];
  x /= double(points.size()), y /= double(points.size());
  for (const auto& p : points) {
    xx += (p[0] - x) * (p[0] - x), xy += (p[0] - x) * (p[1] - y), yy += (p[1] - y) * (p[1] - y);
  }
  const double middle = (xx + yy) / 2, apart = std::hypot((xx - yy) / 2, xy);
  const double ratio =
      std::min((middle + apart) / std::max(middle - apart, 1e-3 * middle + 1e-9), 1000.0);
  if (points.size() < kDirections || ratio <= 1 || ratio >= 1000) return {ratio};
  const double e = (ratio * ratio - 1) / (ratio * ratio + 1);
  return {ratio, -e * (xx - yy) / (2 * apart), -e * xy / apart};
}

using Rays = std::array<Ray, kDirections>;

/// Returns true if two opposite rays stay above half up to the end of the search, or if one of them
/// does and the other leaves the image above half.
bool isEndless(const Rays& rays) {
  for (size_t d = 0; d < kDirections; ++d)
    if (rays[d].endless && rays[(d + 8) % kDirections].cut) return true;
  return false;
}

Ellipse ellipseOf(const Rays& rays) {
  std::vector<std::array<double, 2>> ends;
  for (int d = 0; d < kDirections; ++d) {
    const Ray& ray = rays[static_cast<size_t>(d)];
    if (ray.cut && !ray.endless) continue;
    const int length = ray.endless ? 16 * ray.length : ray.half;
    ends.push_back({length * cosOf(d) / 4096.0, length * sinOf(d) / 4096.0});
  }
  return ellipseOf(ends);
}

Extent measureExtent(const PixelReader& pixels, int x, int y, int peak, bool crowded,
                     const Surroundings& around) {
  Extent e{x, y, 1, 0.6};
  bool line = false;  // true if the object looks like a line from the start
  for (int round = 0; round < 3; ++round) {
    std::vector<std::array<double, 2>> ends;
    int moveX = 0, moveY = 0, half = 0, quarter = 0;
    Rays rays;
    for (int d = 0; d < kDirections; ++d)
      rays[static_cast<size_t>(d)] = march(pixels, e.x, e.y, d, peak, around);
    line = line || (round == 0 && isEndless(rays));
    if (2 * pixels.image.at(e.x, e.y) >= peak + around.darkest) {
      const Ellipse ellipse = ellipseOf(rays);
      e.elongation = ellipse.elongation, e.e1 = ellipse.e1, e.e2 = ellipse.e2;
    }
    if (line) e.elongation = 1000, e.e1 = e.e2 = 0;
    for (int d = 0; d < kDirections; ++d) {
      const Ray& ray = rays[static_cast<size_t>(d)];
      if (ray.cut) continue;
      ends.push_back({ray.half * cosOf(d) / 4096.0, ray.half * sinOf(d) / 4096.0});
      moveX += ray.half * cosOf(d), moveY += ray.half * sinOf(d);
      half += ray.half, quarter += ray.quarter;
    }
    if (ends.empty()) break;
    e.half = half / (16.0 * double(ends.size()));
    e.quarter = quarter / (16.0 * double(ends.size()));
    int dx = 0, dy = 0;
    e.middleX = e.middleY = 0;
    if (ends.size() == kDirections) {
      e.middleX = moveX / 32768.0, e.middleY = moveY / 32768.0;
      dx = (moveX + 16384) >> 15, dy = (moveY + 16384) >> 15;
    } else if (ends.size() >= 5) {
      const auto circle = throughEnds(ends);
      if (!circle || circle->half > 2 * around.range) break;
      e.quarter += circle->half - e.half;
      e.half = circle->half;
      dx = static_cast<int>(std::floor(circle->x + 0.5));
      dy = static_cast<int>(std::floor(circle->y + 0.5));
      e.middleX = circle->x, e.middleY = circle->y;
    }
    const int nx = std::clamp(e.x + dx, 0, pixels.width - 1);
    const int ny = std::clamp(e.y + dy, 0, pixels.height - 1);
    e.middleX = std::clamp(e.middleX - (nx - e.x), -0.5, 0.5);
    e.middleY = std::clamp(e.middleY - (ny - e.y), -0.5, 0.5);
    e.x = nx, e.y = ny;
    if ((std::abs(dx) <= 1 && std::abs(dy) <= 1) || (crowded && line)) break;
  }
  return e;
}

struct Model {
  double x, y;          // px from the window's centre
  double base, height;  // background, and the marker's height above it
  double logTau, plateau;
  double e1 = 0, e2 = 0;
  double slopeX = 0, slopeY = 0;  // slope of the background
  bool elongated = false;         // see Fitted
  double first1 = 0, first2 = 0;  // values of e1 and e2 that are kept at the border
};

struct Noise {
  // Variance of a background pixel, and its growth with the signal.
  double base, shot;
};

/// A symmetric system of N equations.
template <size_t N>
struct System {
  std::array<std::array<double, N>, N> m{};
  std::array<double, N> b{};

  void add(const std::array<double, N>& slope, double weight, double residual) {
    for (size_t i = 0; i < N; ++i) {
      b[i] += weight * slope[i] * residual;
      for (size_t k = 0; k < N; ++k) m[i][k] += weight * slope[i] * slope[k];
    }
  }

  /// Adds prior knowledge: the value is `away` from the likely one.
  void prior(size_t i, double weight, double away) {
    m[i][i] += weight;
    b[i] -= weight * away;
  }

  /// Solves the system by elimination. Returns zeros if that is not possible.
  std::array<double, N> solved() const {
    auto a = m;
    auto x = b;
    for (size_t i = 0; i < N; ++i) {
      if (!(a[i][i] > 0)) return {};
      for (size_t j = i + 1; j < N; ++j) {
        const double f = a[j][i] / a[i][i];
        for (size_t k = i; k < N; ++k) a[j][k] -= f * a[i][k];
        x[j] -= f * x[i];
      }
    }
    for (size_t i = N; i-- > 0;) {
      for (size_t k = i + 1; k < N; ++k) x[i] -= a[i][k] * x[k];
      x[i] /= a[i][i];
    }
    return x;
  }
};

/// The sums of one pass over the window's pixels.
struct Pass {
  System<2> move, bend;
  System<4> shape, tilted;  ///< `tilted` is for position and slope
  double quiet = 0, quietSquares = 0, signal = 0, signalSquares = 0;
  std::array<std::array<double, 4>, 2> both{};  ///< position's derivatives times the shape's
  double mass = 0, volume = 0, moment = 0;
  bool saturated = false;
};

void addPixel(Pass& pass, const Model& m, const Noise& noise, double dx, double dy, double value,
              double full) {
  const double tau = std::exp(m.logTau);
  const double u = (dx * dx + dy * dy + m.e1 * (dx * dx - dy * dy) + 2 * m.e2 * dx * dy) / tau;
  const double alongX = dx * (1 + m.e1) + m.e2 * dy, alongY = dy * (1 - m.e1) + m.e2 * dx;
  const double edge = std::max(m.plateau, 0.0) / (std::max(m.plateau, 0.0) + 1);
  const double steepness =
      (dx * alongX + dy * alongY + 1e-6) / (alongX * alongX + alongY * alongY + 1e-6);
  const double sharper = m.elongated ? 1 + edge * (std::sqrt(steepness) - 1) : 1;
  const double rise = std::exp(std::min(sharper * (u - m.plateau), 40.0));
  const double h = 1 / (1 - std::exp(-m.plateau) + rise);
  const double ground = m.base + m.slopeX * (dx + m.x) + m.slopeY * (dy + m.y);
  const double e = value - ground - m.height * h, e4 = std::pow(e, 4);
  const double known = value >= full && e < 0 ? 0 : 1;
  const double t4 = std::pow(4 * std::sqrt(noise.base) + m.height * (0.04 + 0.5 * h), 4);
  const double trust = known * t4 / (t4 + e4);
  const double w = trust / (noise.base + noise.shot * m.height * h);
  const double fall = m.height * h * h * rise * sharper;  // - d value / du
  const double s = fall / tau;
  const std::array<double, 2> move{2 * s * alongX, 2 * s * alongY};
  const std::array<double, 4> shape{1, h, fall * u, fall - m.height * h * h * std::exp(-m.plateau)};
  // Change of the ellipse alone; for a long marker, at the same area.
  const double narrows = m.elongated ? fall * u / (1 - m.e1 * m.e1 - m.e2 * m.e2) : 0;
  pass.move.add(move, w, e);
  pass.bend.add({-s * (dx * dx - dy * dy) - narrows * m.e1, -2 * s * dx * dy - narrows * m.e2}, w,
                e);
  pass.shape.add(shape, w, e);
  pass.tilted.add({move[0], move[1], dx + m.x, dy + m.y}, w, e);
  for (size_t i = 0; i < 2; ++i)
    for (size_t k = 0; k < 4; ++k) pass.both[i][k] += w * move[i] * shape[k];
  const double b4 = 256 * noise.base * noise.base;
  const double quiet = known * std::pow(std::max(1 - h, 0.1), 32) * b4 / (b4 + e4);
  pass.quiet += quiet;
  pass.quietSquares += quiet * e * e;
  pass.signal += w * h * h;
  pass.signalSquares += w * h * (e * e - noise.base);
  pass.mass += (value >= full ? 1 : trust) * (value - ground);
  pass.volume += h;
  pass.moment += h * (dx * dx + dy * dy);
  pass.saturated |= value >= full;
}

struct Window {
  int x, y, reach;  // px
  bool cut;         // true if the image border cuts the window
  int step = 1;     // px, the distance from one used pixel to the next
  bool own = true;  // true if the window is as large as the marker needs

  int coarse() const { return (reach + 11) / 12; }
};

Pass sumPixels(const PixelReader& pixels, const Window& window, const Model& m,
               const Noise& noise) {
  Pass pass;
  const int first = -(window.reach / window.step) * window.step;
  for (int oy = first; oy <= -first; oy += window.step) {
    for (int ox = first; ox <= -first; ox += window.step) {
      const int x = window.x + ox, y = window.y + oy;
      if (ox * ox + oy * oy > window.reach * window.reach || !pixels.inside(x, y)) continue;
      addPixel(pass, m, noise, ox - m.x, oy - m.y, pixels.image.at(x, y),
               pixels.image.format.fullScale());
    }
  }
  return pass;
}

constexpr double kPrior = 10;

/// Returns logTau; for a long marker, that of a round one of the same area.
double sizeOf(const Model& m) {
  return m.elongated ? m.logTau - 0.5 * std::log(1 - m.e1 * m.e1 - m.e2 * m.e2) : m.logTau;
}

/// Gives the model an elongation of at most ten, and keeps its area.
void stretch(Model& m, double e1, double e2) {
  const double size = sizeOf(m), shorter = std::min(1.0, 99 / (101 * std::hypot(e1, e2)));
  m.e1 = e1 * shorter, m.e2 = e2 * shorter;
  m.logTau = size + 0.5 * std::log(1 - m.e1 * m.e1 - m.e2 * m.e2);
}

/// Improves the model by a step. Returns how far it has moved, px.
std::array<double, 2> improve(Model& m, Pass pass, double go, double size, double half, bool cut) {
  const auto limited = [&](double v) { return std::clamp(go * v, -0.5 * half, 0.5 * half); };
  const auto move = pass.move.solved();
  const double oldX = m.x, oldY = m.y;
  m.x = std::clamp(m.x + limited(move[0]), -half - 1, half + 1);
  m.y = std::clamp(m.y + limited(move[1]), -half - 1, half + 1);
  pass.bend.prior(0, cut ? 1e9 : kPrior, m.e1 - (cut ? m.first1 : 0));
  pass.bend.prior(1, cut ? 1e9 : kPrior, m.e2 - (cut ? m.first2 : 0));
  const auto bend = pass.bend.solved();
  const double e1 = m.e1 + go * bend[0], e2 = m.e2 + go * bend[1];
  if (m.elongated) {
    stretch(m, e1, e2);
  } else {
    m.e1 = std::clamp(e1, -0.65, 0.65), m.e2 = std::clamp(e2, -0.65, 0.65);
  }
  for (size_t i = 0; i < 4; ++i) pass.shape.m[i][i] *= 1.001;
  pass.shape.prior(0, 1e-12, 0);
  pass.shape.prior(1, 1e-12, 0);
  pass.shape.prior(2, kPrior, sizeOf(m) - size);
  pass.shape.prior(3, kPrior, m.plateau < 1 ? m.plateau : 0);
  const auto step = pass.shape.solved();
  m.base += go * step[0];
  // Below zero, the second limit is the lower one. Such a fit triples its height until it is given
  // up.
  m.height = std::min(std::max(m.height + go * step[1], 0.3 * m.height), 3 * m.height);
  m.logTau += std::clamp(go * step[2], -0.5, 0.5);
  const double most = 0.3 * std::abs(m.plateau) + 0.5;
  m.plateau = std::clamp(m.plateau + std::clamp(go * step[3], -most, most), -0.1, 200.0);
  return {std::abs(m.x - oldX), std::abs(m.y - oldY)};
}

void estimate(Noise& noise, const Pass& pass, double height) {
  if (pass.quiet > 7) noise.base = std::max(1.045 * pass.quietSquares / (pass.quiet - 2), 1.0 / 12);
  noise.shot = std::max(pass.signalSquares / (height * pass.signal + 1e-9), 0.0);
}

/// Returns the information about the position. For a marker that is cut, background, height and
/// width are unknown, too.
std::array<std::array<double, 2>, 2> informationOf(const Pass& now, const Pass& last, bool cut) {
  auto left = last.move.m;
  if (!cut) return left;
  for (size_t i = 0; i < 2; ++i) {
    System<4> shape = last.shape;
    shape.prior(2, kPrior, 0);
    shape.prior(3, kPrior, 0);
    shape.b = now.both[i];
    const auto known = shape.solved();
    for (size_t k = 0; k < 2; ++k)
      for (size_t j = 0; j < 4; ++j) left[i][k] -= now.both[k][j] * known[j];
  }
  const auto& all = last.move.m;
  if (left[0][0] > 0.02 * all[0][0] && left[1][1] > 0.02 * all[1][1] &&
      left[0][0] * left[1][1] > left[0][1] * left[0][1])
    return left;
  left = all;
  for (auto& row : left)
    for (double& v : row) v *= 0.02;
  return left;
}

/// Fits position and slope together in three steps. Returns the information about the position.
std::array<std::array<double, 2>, 2> fitOnSlope(const PixelReader& pixels, const Window& window,
                                                Model& m, const Noise& noise, double half,
                                                std::array<double, 2>& moved) {
  System<4> s;
  for (int k = 0; k < 3; ++k) {
    s = sumPixels(pixels, window, m, noise).tilted;
    const auto step = s.solved();
    moved = {std::clamp(step[0], -0.5 * half, 0.5 * half),
             std::clamp(step[1], -0.5 * half, 0.5 * half)};
    m.x += moved[0], m.y += moved[1];
    m.slopeX += step[2], m.slopeY += step[3];
  }
  std::array<std::array<double, 2>, 2> left{};
  for (size_t i = 0; i < 2; ++i) {
    const System<2> tilt{{{{s.m[2][2], s.m[2][3]}, {s.m[3][2], s.m[3][3]}}},
                         {s.m[i][2], s.m[i][3]}};
    const auto known = tilt.solved();
    for (size_t k = 0; k < 2; ++k)
      left[i][k] = s.m[i][k] - s.m[k][2] * known[0] - s.m[k][3] * known[1];
  }
  return left;
}

/// The movement that remains when a fit ends, px.
struct Rest {
  std::array<double, 2> moved;
  bool rested;  // true if the movement is as small as required
};

int mostSteps(const Window& window, int mostPixels) {
  const int side = 2 * (window.reach / window.step) + 1;
  return std::clamp(mostPixels / (side * side), 5, 20);
}

/// Steps until the fit is at rest.
Rest settle(const PixelReader& pixels, const Window& window, Model& m, Noise& noise, double half,
            double size, int iterations, Pass& pass) {
  std::array<double, 2> moved{};
  double last = 1e9, informed = 0;
  for (int i = 0; i < iterations; ++i) {
    pass = sumPixels(pixels, window, m, noise);
    moved = improve(m, pass, i < 5 ? 1 : 0.6, size, half, window.cut);
    if (i < 8) estimate(noise, pass, m.height);
    // Steps form a geometric series. The remaining movement is between a quarter of the step and
    // all of it.
    const double step = moved[0] + moved[1],
                 ratio = std::clamp(step / std::max(last, 1e-9), 0.2, 0.5);
    for (double& v : moved) v *= ratio / (1 - ratio);
    const double most = std::max({pass.move.m[0][0], pass.move.m[1][1], 1.0});
    const double informs = pass.move.m[0][0] + pass.move.m[1][1];
    const bool steady = !m.elongated || std::abs(informs - informed) < 0.02 * informs;
    informed = informs;
    if (i > 2 && steady && moved[0] + moved[1] < std::clamp(0.05 / std::sqrt(most), 3e-4, 1.5e-3))
      return {moved, true};
    last = step;
  }
  return {moved, false};
}

void fit(Refined& r, const PixelReader& pixels, Window window, Model m, Noise noise, double half,
         int mostPixels) {
  const double size = sizeOf(m);
  const bool large = window.step == 1 && window.own && !m.elongated && window.reach > 15;
  if (large) window.step = window.coarse();
  Pass pass;
  Rest rest = settle(pixels, window, m, noise, half, size, mostSteps(window, mostPixels), pass);
  if (large) {
    window.step = 1;
    const int steps = rest.rested ? mostSteps(window, mostPixels) : 3;
    rest = settle(pixels, window, m, noise, half, size, steps, pass);
  }
  r.rested = rest.rested;
  auto& moved = rest.moved;
  const bool sloped = (m.slopeX != 0 || m.slopeY != 0) && !window.cut;
  const auto onSlope =
      sloped ? fitOnSlope(pixels, window, m, noise, half, moved) : decltype(pass.move.m){};
  r.x = std::clamp(window.x + m.x, -0.5, pixels.width - 0.5);
  r.y = std::clamp(window.y + m.y, -0.5, pixels.height - 0.5);
  r.mass = pass.mass * window.step * window.step;
  r.background = m.base + m.slopeX * m.x + m.slopeY * m.y;
  r.radius = std::sqrt(2 * pass.moment / pass.volume);
  const double e = std::hypot(m.e1, m.e2);
  r.eccentricity = std::sqrt(2 * e / (1 + e));
  if (m.elongated) r.radius *= std::pow(1 - e * e, 0.25);
  if (pass.saturated) r.flags |= shared::kFlagSaturated;
  auto info =
      informationOf(window.cut ? sumPixels(pixels, window, m, noise) : pass, pass, window.cut);
  if (sloped) info = onSlope;
  // A fit of 8 unknowns has followed some of the marker's own noise.
  const double more = pass.volume * pass.shape.m[0][1] / std::max(pass.shape.m[1][1], 1e-12) - 8;
  const double unseen = 16 / (more + std::sqrt(more * more + 16));
  const double seen = pass.signalSquares + noise.base * pass.shape.m[0][1];
  const double light = 0.45 * m.height;
  const double grows =
      std::max((pass.signalSquares + unseen * seen) / (m.height * pass.signal + 1e-9), noise.shot);
  for (auto& row : info)
    for (double& v : row) v *= (noise.base + light * noise.shot) / (noise.base + light * grows);
  const double det = info[0][0] * info[1][1] - info[0][1] * info[0][1];
  if (!(det > 0)) return;
  r.sigmaX = std::min(std::sqrt(info[1][1] / det + moved[0] * moved[0]), double(window.reach));
  r.sigmaY = std::min(std::sqrt(info[0][0] / det + moved[1] * moved[1]), double(window.reach));
}

/// Returns true if the same object has a better peak, nearer to its middle.
bool isSecond(const std::vector<Peak>& peaks, const Peak& own, const Extent& extent) {
  const double away = std::hypot(double(own.x) - extent.x, double(own.y) - extent.y);
  const double reach = std::min((extent.elongation < 1.6 ? 0.9 : 0.5) * extent.half, away);
  return std::any_of(peaks.begin(), peaks.end(), [&](const Peak& other) {
    const bool first = std::pair(other.y, other.x) < std::pair(own.y, own.x);
    const bool better = other.value > own.value || (other.value == own.value && first);
    return better && 0.4 * other.value <= own.value &&
           std::hypot(double(other.x) - extent.x, double(other.y) - extent.y) < reach;
  });
}

}  // namespace

Refined refine(const Image& response, const Peak& peak, int fixedRadius, const Fitted& fitted) {
  const PixelReader pixels{response};
  const int top = response.at(peak.x, peak.y);
  const bool saturated = response.at(peak.x, peak.y) >= response.format.fullScale();
  const Surroundings around =
      measureSurroundings(pixels, static_cast<int>(peak.x), static_cast<int>(peak.y), top);
  const int x = static_cast<int>(peak.x), y = static_cast<int>(peak.y);
  const bool crowded = fitted.crowd != nullptr;
  const Extent extent = around.clear || !crowded ? measureExtent(pixels, x, y, top, crowded, around)
                                                 : Extent{x, y, 0, 0, 0};
  const double half = std::max(extent.half, 0.6);
  const double skirt = std::min(std::max(half - extent.quarter, 0.25), 0.36 * half);
  const double across = 8 * std::hypot(around.slopeX, around.slopeY);
  Model m{0, 0, double(around.darkest), double(top - around.darkest), 0, 0};
  m.elongated = fitted.elongated;
  if (fitted.elongated) stretch(m, extent.e1, extent.e2);
  m.first1 = m.e1, m.first2 = m.e2;
  const double e = std::hypot(m.e1, m.e2), longer = std::pow((1 + e) / (1 - e), 0.25);
  const double end = longer * (half + 4.5 * skirt);
  const bool sloped = end <= 8 && across <= 0.5 * (top - around.darkest);
  Window window{extent.x, extent.y, fixedRadius, false, 1, fixedRadius == 0};
  if (fixedRadius == 0) {
    window.reach = static_cast<int>(std::ceil(end + 1));
    if (sloped && across > 0) window.reach = std::max(window.reach, 8);
  }
  window.reach = std::min(window.reach, 120);
  if (crowded) window.step = window.coarse();
  const auto reachOf = [&](double square) {
    return std::min(window.reach,
                    static_cast<int>(std::ceil(end * std::sqrt(square / (1 + e)) + 1)));
  };
  const int reachX = fitted.elongated ? reachOf(1 - m.e1) : window.reach;
  const int reachY = fitted.elongated ? reachOf(1 + m.e1) : window.reach;
  window.cut = !pixels.inside(window.x - reachX, window.y - reachY) ||
               !pixels.inside(window.x + reachX, window.y + reachY);
  Refined r{.x = static_cast<double>(peak.x), .y = static_cast<double>(peak.y)};
  r.background = around.darkest;
  r.extentX = extent.x, r.extentY = extent.y, r.extent = extent.half;
  r.elongation = extent.elongation;
  r.sigmaX = r.sigmaY = window.reach;
  if (window.cut) r.flags |= shared::kFlagBorder;
  if (saturated) r.flags |= shared::kFlagSaturated;
  if (!around.clear || extent.half > fitted.largest) return r;
  if (extent.elongation > fitted.longest && (extent.elongation >= 1000 || extent.half > 10.8))
    return r;
  const std::vector<Peak>* others = extent.half > 10.8F && !crowded ? fitted.peaks : fitted.crowd;
  if (others != nullptr && isSecond(*others, peak, extent)) {
    r.flags |= shared::kFlagSecond;
    return r;
  }

  if (extent.elongation < 1.6) m.x = extent.middleX, m.y = extent.middleY;
  if (sloped) m.slopeX = around.slopeX, m.slopeY = around.slopeY;
  if (saturated) m.height *= 1.3;
  const double ratio = std::pow(half / (half - skirt), 2);
  m.plateau = std::clamp(1.6 / (ratio - 1) - 0.6, 0.2, 200.0);
  m.logTau += std::log(half * half / (m.plateau + std::log(1 + std::exp(-m.plateau))));
  fit(r, pixels, window, m, {around.noise * around.noise + 1.0 / 12, 0}, half,
      crowded ? 2500 : 240000);
  return r;
}

}  // namespace glint::reference
