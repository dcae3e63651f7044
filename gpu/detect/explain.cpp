#include "gpu/detect/explain.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <unordered_map>
#include <utility>

#include "gpu/detect/place.h"
#include "gpu/detect/plane_candidates.h"

namespace glint::gpu {
namespace {

/// Points in order of rank, which can be found by their place. They are stored in a grid whose
/// cells are at least as wide as the separation, so that each cell has few points.
class RankedPoints {
 public:
  RankedPoints(const ImageFormat& image, double separation)
      : leastSquared_(separation * separation),
        side_(std::max(static_cast<uint32_t>(std::ceil(separation)), 8U)),
        columns_(image.width / side_ + 1),
        rows_(image.height / side_ + 1),
        last_(size_t{columns_} * rows_, 0) {}

  /// Adds a point with the next rank.
  void add(uint32_t x, uint32_t y) {
    uint32_t& last = last_[size_t{y / side_} * columns_ + x / side_];
    points_.push_back({x, y, last});
    last = static_cast<uint32_t>(points_.size());
  }

  /// Returns the rank, from 1, of the best point that is nearer to (x, y) than the separation.
  /// Returns 0 if there is none.
  uint32_t nearTo(uint32_t x, uint32_t y) const {
    uint32_t best = 0;
    const uint32_t cellX = x / side_, cellY = y / side_;
    for (uint32_t v = cellY - std::min(cellY, 1U); v <= std::min(cellY + 1, rows_ - 1); ++v) {
      for (uint32_t u = cellX - std::min(cellX, 1U); u <= std::min(cellX + 1, columns_ - 1); ++u) {
        for (uint32_t rank = last_[size_t{v} * columns_ + u]; rank != 0; rank = at(rank).next) {
          const double dx = static_cast<double>(x) - at(rank).x;
          const double dy = static_cast<double>(y) - at(rank).y;
          if (dx * dx + dy * dy < leastSquared_ && (best == 0 || rank < best)) best = rank;
        }
      }
    }
    return best;
  }

 private:
  struct Point {
    uint32_t x, y;
    uint32_t next;  // rank of another one in the same cell, or 0
  };
  const Point& at(uint32_t rank) const { return points_[rank - 1]; }

  double leastSquared_;
  uint32_t side_, columns_, rows_;  // side of a cell, px, and number of columns and rows of cells
  std::vector<uint32_t> last_;      // rank of the last point of each cell, or 0
  std::vector<Point> points_;
};

bool isMasked(const LayerMask& mask, uint32_t x, uint32_t y) {
  return !mask.empty() && mask.pixels[size_t{y} * mask.width + x] == 0;
}

Rejected rejected(Rejection reason, const shared::Candidate& candidate, uint32_t nearestRank = 0) {
  Rejected r{.reason = reason, .nearestRank = nearestRank};
  r.seen.peakX = candidate.place & 0xffff;
  r.seen.peakY = candidate.place >> 16;
  r.seen.peak = candidate.weight;
  return r;
}

uint64_t wide(const shared::Sum& sum) {
  return uint64_t{sum.high} << 32 | sum.low;
}

/// The weighted centroid of a blob, rounded to a pixel, halves up.
struct Centre {
  explicit Centre(const shared::Blob& b)
      : x((wide(b.massX) + wide(b.mass) / 2) / wide(b.mass)),
        y((wide(b.massY) + wide(b.mass) / 2) / wide(b.mass)) {}
  uint64_t x, y;
};

/// Returns the eccentricity of a blob's pixels, without weights. Each pixel is a square of side 1.
/// Sums relative to the centre are computed modulo 2^64. The results are small, and so are exact.
double eccentricityOf(const shared::Blob& b, const Centre& about) {
  const auto number = [](uint64_t value) {
    return static_cast<double>(static_cast<int64_t>(value));
  };
  const uint64_t sumX = wide(b.x) - b.area * about.x, sumY = wide(b.y) - b.area * about.y;
  const uint64_t xx = wide(b.xx) - wide(b.x) * about.x - sumX * about.x;
  const uint64_t xy = wide(b.xy) - wide(b.y) * about.x - sumX * about.y;
  const uint64_t yy = wide(b.yy) - wide(b.y) * about.y - sumY * about.y;
  const double area = b.area, x = number(sumX) / area, y = number(sumY) / area;
  const double vxx = number(xx) / area - x * x + 1.0 / 12;
  const double vxy = number(xy) / area - x * y;
  const double vyy = number(yy) / area - y * y + 1.0 / 12;
  const double half = (vxx + vyy) / 2, root = std::hypot((vxx - vyy) / 2, vxy);
  return std::sqrt(std::clamp(2 * root / (half + root), 0.0, 1.0));
}

shared::Detection detectionOf(const shared::Blob& b, uint32_t threshold) {
  const double mass = static_cast<double>(wide(b.mass));
  shared::Detection d{};
  d.peakX = b.place & 0xffff;
  d.peakY = b.place >> 16;
  d.peak = b.peak;
  d.flags = b.flags;
  d.x = static_cast<float>(static_cast<double>(wide(b.massX)) / mass);
  d.y = static_cast<float>(static_cast<double>(wide(b.massY)) / mass);
  d.mass = static_cast<float>(mass);
  d.radius = static_cast<float>(std::sqrt(b.area / std::numbers::pi));
  d.eccentricity = static_cast<float>(eccentricityOf(b, Centre(b)));
  d.background = static_cast<float>(threshold) - 1;
  return d;
}

/// Returns the limit that a blob does not meet, or nothing. The size is compared in the same way as
/// in the kernels. The kernels compare the roundness in single precision, so that this function may
/// differ in rare cases (see explainBlobs()).
std::optional<Rejection> outsideOf(const Settings::Detect& limits, const shared::Blob& b,
                                   double eccentricity) {
  const auto area = [](double radius) { return std::numbers::pi * radius * radius; };
  if (b.area < area(limits.minRadius) || static_cast<double>(wide(b.mass)) < limits.minMass)
    return Rejection::tooSmall;
  if (b.area > area(limits.maxRadius)) return Rejection::tooLarge;
  if (eccentricity > limits.maxEccentricity) return Rejection::notRound;
  return std::nullopt;
}

}  // namespace

std::vector<Rejected> explainPeaks(const ImageView& response, const LayerMask& mask,
                                   uint32_t threshold, double separation,
                                   std::span<const shared::Detection> found, uint32_t prominence) {
  RankedPoints accepted(response.format, separation), reported(response.format, separation / 2);
  for (const auto& d : found) accepted.add(d.peakX, d.peakY);
  std::vector<Rejected> result;
  std::vector<size_t> places;  // indices in `result` of the points in `reported`
  for (const auto& candidate : PlaneCandidates(response, {}, threshold, prominence).ranked()) {
    const uint32_t x = candidate.place & 0xffff, y = candidate.place >> 16;
    if (isMasked(mask, x, y)) {
      result.push_back(rejected(Rejection::masked, candidate));
      continue;
    }
    const uint32_t rank = accepted.nearTo(x, y);
    if (rank == 0) {
      result.push_back(rejected(Rejection::beyondMost, candidate));
    } else if (const auto& better = found[rank - 1]; better.peakX != x || better.peakY != y) {
      if (const uint32_t same = reported.nearTo(x, y); same != 0) {
        ++result[places[same - 1]].candidates;
        continue;
      }
      reported.add(x, y);
      places.push_back(result.size());
      result.push_back(rejected(Rejection::tooNear, candidate, rank));
    }
  }
  return result;
}

std::vector<Rejected> explainMasked(const ImageView& response, const LayerMask& mask,
                                    uint32_t threshold, uint32_t prominence) {
  std::vector<Rejected> result;
  if (mask.empty()) return result;
  for (const auto& candidate : PlaneCandidates(response, {}, threshold, prominence).ranked()) {
    if (isMasked(mask, candidate.place & 0xffff, candidate.place >> 16))
      result.push_back(rejected(Rejection::masked, candidate));
  }
  return result;
}

std::vector<Rejected> explainBlobs(std::span<const shared::Blob> blobs, const ImageFormat& image,
                                   uint32_t threshold, const Settings::Detect& settings,
                                   std::span<const shared::Detection> found) {
  // Blobs have no pixel in common, so the place of the peak identifies a blob.
  std::unordered_map<uint32_t, const shared::Blob*> byPlace;
  for (const auto& b : blobs) {
    if ((b.flags & shared::kCutIntoParts) == 0) byPlace.emplace(b.place, &b);
  }
  RankedPoints accepted(image, settings.separation);
  for (const auto& d : found) {
    const uint32_t place = placeOf(d.peakX, d.peakY);
    const Centre centre(*byPlace.at(place));
    accepted.add(static_cast<uint32_t>(centre.x), static_cast<uint32_t>(centre.y));
    byPlace.erase(place);
  }
  std::vector<const shared::Blob*> others;
  for (const auto& [place, blob] : byPlace) others.push_back(blob);
  std::sort(others.begin(), others.end(), [](const auto* a, const auto* b) {
    const uint64_t massA = wide(a->mass), massB = wide(b->mass);
    return massA != massB ? massA > massB : a->first < b->first;
  });
  const bool full = found.size() == static_cast<size_t>(settings.maxMarkers);
  std::vector<Rejected> result;
  for (const shared::Blob* b : others) {
    Rejected r{.seen = detectionOf(*b, threshold), .measured = true};
    const Centre centre(*b);
    const auto outside = outsideOf(settings, *b, r.seen.eccentricity);
    if (outside) {
      r.reason = *outside;
    } else if ((r.nearestRank = accepted.nearTo(static_cast<uint32_t>(centre.x),
                                                static_cast<uint32_t>(centre.y))) != 0) {
      r.reason = Rejection::tooNear;
    } else {
      // If fewer markers than allowed were accepted, the kernel must have found the blob a little
      // less round than the limit.
      r.reason = full ? Rejection::beyondMost : Rejection::notRound;
    }
    result.push_back(r);
  }
  return result;
}

}  // namespace glint::gpu
