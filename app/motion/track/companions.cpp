#include "app/motion/track/companions.h"

#include <algorithm>
#include <utility>

namespace glint::motion {
namespace {

// A companion in both frames. Places are relative to the hidden marker's old place.
struct Pair {
  double weight;
  // Place in the old frame, px.
  double x, y;
  // Place in the present frame, px.
  double toX, toY;
};

// Returns the companions with weights whose sum is 1.
std::vector<Pair> pairsOf(const Common& seen, const CompanionOptions& options) {
  const double near = options.nearDistance;
  std::vector<Pair> pairs;
  double sum = 0;
  for (size_t i = 0; i < seen.then.size(); ++i) {
    const double x = seen.then[i].x - seen.own.x, y = seen.then[i].y - seen.own.y;
    const double weight = 1 / (x * x + y * y + near * near);
    pairs.push_back({weight, x, y, seen.now[i].x, seen.now[i].y});
    sum += weight;
  }
  for (Pair& pair : pairs) pair.weight /= sum;
  return pairs;
}

// Weighted sums over pairs, from which an affine map is computed. A pair can be removed again.
struct Sums {
  double w = 0, x = 0, y = 0, toX = 0, toY = 0;
  double xx = 0, xy = 0, yy = 0, xToX = 0, xToY = 0, yToX = 0, yToY = 0;

  // Adds the pair if `sign` is 1, and removes it if it is -1.
  void add(const Pair& p, double sign) {
    const double v = sign * p.weight;
    w += v;
    x += v * p.x;
    y += v * p.y;
    toX += v * p.toX;
    toY += v * p.toY;
    xx += v * p.x * p.x;
    xy += v * p.x * p.y;
    yy += v * p.y * p.y;
    xToX += v * p.x * p.toX;
    xToY += v * p.x * p.toY;
    yToX += v * p.y * p.toX;
    yToY += v * p.y * p.toY;
  }

  // Returns the place to which the best affine map takes (px, py). The map is found by ridge
  // regression around the means of both frames, which pulls it towards the identity.
  std::pair<double, double> map(double px, double py, double ridge) const {
    const double cx = x / w, cy = y / w, dx = toX / w, dy = toY / w;
    const double held = ridge * std::max(xx + yy - w * (cx * cx + cy * cy), 1e-9);
    const double a = xx - w * cx * cx + held, b = xy - w * cx * cy, d = yy - w * cy * cy + held;
    const double ux = xToX - w * cx * dx + held, uy = xToY - w * cx * dy;
    const double vx = yToX - w * cy * dx, vy = yToY - w * cy * dy + held;
    const double ex = px - cx, ey = py - cy, determinant = a * d - b * b;
    const double kx = (d * ex - b * ey) / determinant, ky = (a * ey - b * ex) / determinant;
    return {dx + kx * ux + ky * vx, dy + kx * uy + ky * vy};
  }
};

}  // namespace

Common common(const Constellation& seen, std::span<const TrackPlace> now) {
  Common both{seen.own, {}, {}};
  for (const TrackPlace& then : seen.companions) {
    const auto place =
        std::lower_bound(now.begin(), now.end(), then.id,
                         [](const TrackPlace& track, TrackId id) { return track.id < id; });
    if (place == now.end() || place->id != then.id) continue;
    both.then.push_back(then);
    both.now.push_back(*place);
  }
  return both;
}

Guess straightOn(const Common& seen, double span, double minSigma,
                 const CompanionOptions& options) {
  const std::vector<Pair> pairs = pairsOf(seen, options);
  GuessErrors errors;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const TrackPlace& then = seen.then[i];
    errors.add(pairs[i].weight, pairs[i].toX - then.x - then.vx * span,
               pairs[i].toY - then.y - then.vy * span);
  }
  return errors.evenlyAround(seen.own.x + seen.own.vx * span, seen.own.y + seen.own.vy * span,
                             minSigma);
}

Guess displaced(const Common& seen, double minSigma, const CompanionOptions& options) {
  const std::vector<Pair> pairs = pairsOf(seen, options);
  double x = 0, y = 0;
  for (const Pair& p : pairs) {
    x += p.weight * (p.toX - p.x);
    y += p.weight * (p.toY - p.y);
  }
  GuessErrors errors;
  for (const Pair& p : pairs) {
    // (x, y) includes this companion. Without it, the error would be larger by this factor.
    const double others = 1 - p.weight;
    errors.add(p.weight, (p.toX - p.x - x) / others, (p.toY - p.y - y) / others);
  }
  return errors.evenlyAround(x, y, minSigma);
}

Guess mapped(const Common& seen, const CompanionOptions& options) {
  const std::vector<Pair> pairs = pairsOf(seen, options);
  Sums sums;
  for (const Pair& pair : pairs) sums.add(pair, 1);
  const auto [x, y] = sums.map(0, 0, options.ridge);
  GuessErrors errors;
  for (const Pair& pair : pairs) {
    sums.add(pair, -1);
    const auto [px, py] = sums.map(pair.x, pair.y, options.ridge);
    sums.add(pair, 1);
    errors.add(pair.weight, pair.toX - px, pair.toY - py);
  }
  Guess guess = errors.around(x, y, options.minSigma);
  guess.freedom = options.freedom;
  return guess;
}

}  // namespace glint::motion
