#include "tests/gpu/refine_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#ifndef STUDY_WEIGHTED
#define STUDY_WEIGHTED 1
#endif

namespace glint::reference {
namespace {

constexpr int kDirections = 16;
// cos and sin of 0, 22.5, 45 ... degrees in 1/256.
constexpr std::array<int, kDirections> kCos{256,  237,  181,  98,  0, -98, -181, -237,
                                            -256, -237, -181, -98, 0, 98,  181,  237};
int cosOf(int d) { return kCos[static_cast<size_t>(d % kDirections)]; }
int sinOf(int d) { return kCos[static_cast<size_t>((d + 12) % kDirections)]; }

struct Looker {
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
  int darkest = 0;   // mean of the darkest ring
  double noise = 0;  // standard deviation there
  int range = 0;     // px, how far was looked
  bool clear = false;
};

int ringRadius(int i) { return i < 8 ? i + 1 : (5 + i % 4) << (i / 4 - 1); }

Surroundings lookAround(const Looker& look, int x, int y, int peak) {
  long bestCount = 0, bestSum = 0, bestPairs = 0, bestJump = 0, best = 0;
  Surroundings s{peak, 0, 8};
  for (int i = 2; i < 24; ++i) {
    long count = 0, sum = 0, pairs = 0, jump = 0;
    std::optional<int> before;
    for (int d = 0; d < kDirections; ++d) {
      const auto value = look.along(x, y, d, ringRadius(i));
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
    s.clear = contrast > 0 && contrast * bestPairs >= 6 * bestJump * bestCount;
    if (s.clear && contrast * bestPairs >= 10 * bestJump * bestCount) break;
  }
  if (bestCount == 0) return s;
  s.darkest = static_cast<int>(bestSum / bestCount);
  if (bestPairs > 0) s.noise = static_cast<double>(bestJump) / (1.128 * double(bestPairs));
  return s;
}

struct Extent {
  int x, y;              // px
  double half, quarter;  // px, mean distance at which half and a quarter of the height are lost
};

struct Ray {
  int half = 0, quarter = 0;  // 1/16 px
  bool cut = false;
};

Ray march(const Looker& look, int x, int y, int direction, int peak, const Surroundings& around) {
  const int level50 = 2 * (peak + around.darkest), level75 = 3 * peak + around.darkest;
  Ray ray{.cut = true};
  int before = 4 * look.image.at(x, y);
  for (int k = 1; k <= 2 * around.range; ++k) {
    const auto value = look.along(x, y, direction, k);
    if (!value) break;
    const int now = 4 * *value;
    const auto cross = [&](int level) {
      return 16 * (k - 1) + 16 * (before - level) / (before - now);
    };
    ray.cut = now >= level50;
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

// Kasa 1976
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

Extent measureExtent(const Looker& look, int x, int y, int peak, const Surroundings& around) {
  Extent e{x, y, 1, 0.6};
  for (int round = 0; round < 3; ++round) {
    std::vector<std::array<double, 2>> ends;
    int moveX = 0, moveY = 0, half = 0, quarter = 0;
    for (int d = 0; d < kDirections; ++d) {
      const Ray ray = march(look, e.x, e.y, d, peak, around);
      if (ray.cut) continue;
      ends.push_back({ray.half * cosOf(d) / 4096.0, ray.half * sinOf(d) / 4096.0});
      moveX += ray.half * cosOf(d), moveY += ray.half * sinOf(d);
      half += ray.half, quarter += ray.quarter;
    }
    if (ends.empty()) break;
    e.half = half / (16.0 * double(ends.size()));
    e.quarter = quarter / (16.0 * double(ends.size()));
    int dx = 0, dy = 0;
    if (ends.size() == kDirections) {
      dx = (moveX + 16384) >> 15, dy = (moveY + 16384) >> 15;
    } else if (ends.size() >= 5) {
      const auto circle = throughEnds(ends);
      if (!circle || circle->half > 2 * around.range) break;
      e.quarter += circle->half - e.half;
      e.half = circle->half;
      dx = static_cast<int>(std::floor(circle->x + 0.5));
      dy = static_cast<int>(std::floor(circle->y + 0.5));
    }
    const int nx = std::clamp(e.x + dx, 0, look.width - 1);
    const int ny = std::clamp(e.y + dy, 0, look.height - 1);
    e.x = nx, e.y = ny;
    if (std::abs(dx) <= 1 && std::abs(dy) <= 1) break;
  }
  return e;
}

struct Model {
  double x, y;          // px from the window's centre
  double base, height;  // background, and the marker's height above it
  double logTau, flat;  // shape
  double e1 = 0, e2 = 0;
};

struct Noise {
  double base, shot;  // variance of a background pixel; its growth with the signal
};

template <int N>
bool solve(std::array<std::array<double, N>, N> m, std::array<double, N>& b) {
  for (int i = 0; i < N; ++i) {
    if (!(m[i][i] > 0)) return false;
    for (int j = i + 1; j < N; ++j) {
      const double f = m[j][i] / m[i][i];
      for (int k = i; k < N; ++k) m[j][k] -= f * m[i][k];
      b[j] -= f * b[i];
    }
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int k = i + 1; k < N; ++k) b[i] -= m[i][k] * b[k];
    b[i] /= m[i][i];
  }
  return true;
}

}  // namespace

Refined refine(const Image& response, const Peak& peak, int fixedRadius) {
  const Looker look{response};
  const int px = static_cast<int>(peak.x), py = static_cast<int>(peak.y),
            top = static_cast<int>(peak.value), full = static_cast<int>(response.format.fullScale());
  const Surroundings around = lookAround(look, px, py, top);
  const Extent extent = measureExtent(look, px, py, top, around);
  const double half = std::max(extent.half, 0.6);
  const double skirt = std::clamp(half - extent.quarter, 0.25, 0.36 * half);
  int cx = extent.x, cy = extent.y;
  int reach = fixedRadius > 0 ? fixedRadius : static_cast<int>(std::ceil(half + 4.5 * skirt + 1));
  reach = std::min(reach, 120);
  const double ratio = half * half / ((half - skirt) * (half - skirt));
  Model m{0, 0, double(around.darkest), double(top - around.darkest), 0, 0};
  m.flat = std::clamp(1.6 / (ratio - 1) - 0.6, 0.2, 200.0);
  m.logTau = std::log(half * half / (m.flat + std::log(1 + std::exp(-m.flat))));
  if (top >= full) m.height *= 1.3;
  const bool cut = !look.inside(cx - reach, cy - reach) || !look.inside(cx + reach, cy + reach);
  const double logTau0 = m.logTau, kPrior = 10;
  Noise noise{around.noise * around.noise + 1.0 / 12, 0};
  Refined r{.x = double(px), .y = double(py)};
  r.background = around.darkest;
  r.r50 = half, r.r75 = half - skirt;
  r.cx = cx, r.cy = cy, r.reach = reach;
  r.sigmaX = r.sigmaY = reach;
  if (cut) r.flags |= shared::kFlagBorder;
  if (top >= full) r.flags |= shared::kFlagSaturated;
  if (!around.clear) return r;

  double hxx = 0, hyy = 0, hxy = 0, mass = 0;
  double sumH = 0, sumR = 0;
  bool saturated = false;
  const int side = 2 * reach + 1;
  const int iterations = std::clamp(400000 / (side * side), 5, 20);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const double tau = std::exp(m.logTau);
    const double fall = 1 - std::exp(-m.flat);
    double gx = 0, gy = 0;
    hxx = hyy = hxy = mass = 0;
    sumH = sumR = 0;
    double he11 = 0, he12 = 0, he22 = 0, ge1 = 0, ge2 = 0;
    std::array<std::array<double, 4>, 4> hs{};
    std::array<double, 4> gs{};
    double sb = 0, sbe = 0, sk = 0, ske = 0;
    saturated = false;
    for (int oy = -reach; oy <= reach; ++oy) {
      for (int ox = -reach; ox <= reach; ++ox) {
        if (ox * ox + oy * oy > reach * reach) continue;
        if (!look.inside(cx + ox, cy + oy)) continue;
        const int value = response.at(cx + ox, cy + oy);
        const double dx = ox - m.x, dy = oy - m.y;
        const double rr = dx * dx + dy * dy + m.e1 * (dx * dx - dy * dy) + 2 * m.e2 * dx * dy;
        const double u = rr / tau;
        const double rise = std::exp(std::min(u - m.flat, 40.0));
        const double h = 1 / (fall + rise);
        const double g = h * h * rise;
        double e = value - m.base - m.height * h;
        double known = 1;
        if (value >= full) {
          saturated = true;
          if (e < 0) known = 0;
        }
        const double t = 4 * std::sqrt(noise.base) + m.height * (0.04 + 0.5 * h);
        const double t4 = t * t * t * t;
        const double trust = known * t4 / (t4 + e * e * e * e);
        const double w = trust / (STUDY_WEIGHTED ? noise.base + noise.shot * m.height * h : noise.base);
        const double s = m.height * g / tau;
        const double jx = 2 * s * (dx * (1 + m.e1) + m.e2 * dy);
        const double jy = 2 * s * (dy * (1 - m.e1) + m.e2 * dx);
        const double j1 = -s * (dx * dx - dy * dy), j2 = -2 * s * dx * dy;
        const std::array<double, 4> j{1, h, m.height * g * u, m.height * h * (1 - h)};
        gx += w * jx * e, gy += w * jy * e;
        hxx += w * jx * jx, hxy += w * jx * jy, hyy += w * jy * jy;
        ge1 += w * j1 * e, ge2 += w * j2 * e;
        he11 += w * j1 * j1, he12 += w * j1 * j2, he22 += w * j2 * j2;
        for (size_t i = 0; i < 4; ++i) {
          gs[i] += w * j[i] * e;
          for (size_t k = 0; k < 4; ++k) hs[i][k] += w * j[i] * j[k];
        }
        const double outer = std::pow(std::max(1 - h, 0.1), 32);
        const double tb = 4 * std::sqrt(noise.base), tb4 = tb * tb * tb * tb;
        const double quiet = known * outer * tb4 / (tb4 + e * e * e * e);
        sb += quiet, sbe += 1.045 * quiet * e * e;
        sk += w * h * h, ske += w * h * (e * e - noise.base);
        mass += trust * (value - m.base) + (known == 0 ? value - m.base : 0);
        sumH += h, sumR += h * (dx * dx + dy * dy);
      }
    }
    r.iterations = iteration;
    for (size_t i = 0; i < 4; ++i) hs[i][i] *= 1.001;
    hs[0][0] += 1e-12, hs[1][1] += 1e-12;
    hs[2][2] += kPrior, gs[2] -= kPrior * (m.logTau - logTau0);
    hs[3][3] += kPrior, gs[3] -= kPrior * m.flat * (m.flat < 1 ? 1 : 0);
    const double round = cut ? 1e9 : kPrior;
    he11 += round, he22 += round, ge1 -= kPrior * m.e1, ge2 -= kPrior * m.e2;
    if (!solve<4>(hs, gs)) break;
    const double det = hxx * hyy - hxy * hxy;
    double mx = det > 0 ? (hyy * gx - hxy * gy) / det : 0, my = det > 0 ? (hxx * gy - hxy * gx) / det : 0;
    const double go = iteration < 5 ? 1 : 0.6;
    mx *= go, my *= go;
    for (double& step : gs) step *= go;
    const double limit = 0.5 * half;
    mx = std::clamp(mx, -limit, limit), my = std::clamp(my, -limit, limit);
    const double det2 = he11 * he22 - he12 * he12;
    const double m1 = (he22 * ge1 - he12 * ge2) / det2, m2 = (he11 * ge2 - he12 * ge1) / det2;
    m.x = std::clamp(m.x + mx, -half - 1, half + 1), m.y = std::clamp(m.y + my, -half - 1, half + 1);
    m.base += gs[0];
    m.height = std::clamp(m.height + gs[1], 0.3 * m.height, 3 * m.height);
    m.logTau += std::clamp(gs[2], -0.5, 0.5);
    m.flat += std::clamp(gs[3], -0.3 * std::abs(m.flat) - 0.5, 0.3 * std::abs(m.flat) + 0.5);
    m.flat = std::clamp(m.flat, -0.1, 200.0);
    m.e1 = std::clamp(m.e1 + go * m1, -0.65, 0.65), m.e2 = std::clamp(m.e2 + go * m2, -0.65, 0.65);
    if (iteration < 8 && sb > 7) noise.base = std::max(sbe / (sb - 2), 1.0 / 12);
    if (iteration < 8) noise.shot = std::max(ske / (m.height * sk + 1e-9), 0.0);
    r.movedX = std::abs(mx), r.movedY = std::abs(my);
    if (iteration > 2 && std::abs(mx) + std::abs(my) < std::clamp(0.05 / std::sqrt(std::max({hxx, hyy, 1.0})), 3e-4, 1.5e-3)) break;
  }
  r.x = std::clamp(cx + m.x, -0.5, look.width - 0.5), r.y = std::clamp(cy + m.y, -0.5, look.height - 0.5);
  r.mass = mass;
  r.background = m.base;
  r.radius = std::sqrt(2 * sumR / sumH);
  r.tau = std::exp(m.logTau), r.flatness = m.flat, r.amplitude = m.height;
  r.noise = noise.base, r.shot = noise.shot;
  const double det = hxx * hyy - hxy * hxy;
  if (det > 0) {
    r.sigmaX = std::min(std::sqrt(hyy / det + r.movedX * r.movedX), double(reach));
    r.sigmaY = std::min(std::sqrt(hxx / det + r.movedY * r.movedY), double(reach));
  }
  const double e = std::hypot(m.e1, m.e2);
  r.eccentricity = std::sqrt(2 * e / (1 + e));
  if (saturated) r.flags |= shared::kFlagSaturated;
  return r;
}

}  // namespace glint::reference
