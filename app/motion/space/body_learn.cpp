#include "app/motion/space/body_learn.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/quantile.h"
#include "app/motion/geometry/align.h"
#include "app/motion/space/bodies_file.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// Statistics of a distance, without the few frames in which points were swapped.
struct Spread {
  double mean = 0, sd = 0, stated = 0, least = 0, most = 0;
  size_t frames = 0;
  bool rigid = false;
};

Spread spreadOf(const std::vector<float>& distances, double variance,
                const BodyLearnOptions& options) {
  Spread spread;
  spread.frames = distances.size();
  if (distances.size() < options.minFrames) return spread;
  spread.stated = std::sqrt(variance / static_cast<double>(distances.size()));
  const double median = base::medianOf(distances);
  std::vector<float> off;
  for (const float d : distances) off.push_back(static_cast<float>(std::abs(d - median)));
  const double usual = 1.4826 * base::medianOf(std::move(off)) + 1e-3;
  double sum = 0, squares = 0, count = 0;
  for (const float d : distances) {
    if (std::abs(d - median) > options.outside * usual) continue;
    sum += d - median, squares += (d - median) * (d - median), count += 1;
  }
  spread.mean = median + sum / count;
  spread.sd = std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
  const auto [least, most] = std::minmax_element(distances.begin(), distances.end());
  spread.least = *least, spread.most = *most;
  spread.rigid = spread.sd < options.room * spread.stated + options.roomMm &&
                 count > (1 - options.maxOutside) * static_cast<double>(distances.size());
  return spread;
}

// The points that count, by frame, and the statistics of each distance between two of them.
class Distances {
 public:
  // If `only` is not empty, only points with these ids are used.
  Distances(std::span<const LearnPoint> points, std::span<const uint64_t> only,
            const BodyLearnOptions& options)
      : options_(options) {
    std::map<uint64_t, size_t> numbers, counts;
    for (const LearnPoint& point : points) ++counts[point.id];
    for (const auto& [id, count] : counts)
      if (only.empty() ? count >= options.minFrames
                       : std::find(only.begin(), only.end(), id) != only.end()) {
        numbers.emplace(id, ids_.size());
        ids_.push_back(id);
      }
    for (const LearnPoint& point : points)
      if (const auto number = numbers.find(point.id); number != numbers.end())
        frames_[point.frame].push_back({number->second, &point});
    measure(strideOf(counts));
  }

  const std::vector<uint64_t>& ids() const { return ids_; }
  const Spread& between(size_t a, size_t b) const {
    // The result for points that were never seen together.
    static const Spread kNever;
    const auto found = spreads_.find(keyOf(a, b));
    return found == spreads_.end() ? kNever : found->second;
  }
  // Returns the points that keep their distance to point `a`, in ascending order.
  const std::vector<size_t>& rigidWith(size_t a) const { return rigid_[a]; }
  using Seen = std::pair<size_t, const LearnPoint*>;
  const std::map<uint64_t, std::vector<Seen>>& frames() const { return frames_; }

 private:
  uint64_t keyOf(size_t a, size_t b) const {
    return uint64_t{std::min(a, b)} * ids_.size() + std::max(a, b);
  }

  // Returns n such that one frame in n is used. It is chosen so that about `maxFrames` frames of a
  // point's life are used, however long the recording is.
  size_t strideOf(const std::map<uint64_t, size_t>& counts) const {
    std::vector<size_t> lives;
    for (const uint64_t id : ids_) lives.push_back(counts.at(id));
    std::sort(lives.begin(), lives.end(), std::greater());
    // The third longest life counts, because a body needs three points.
    return (lives.size() < 3 ? 0 : lives[2]) / options_.maxFrames + 1;
  }

  void measure(size_t stride) {
    // A long recording has thousands of points, but few pairs of them are seen together.
    struct Pair {
      std::vector<float> distances;
      double variance = 0;
    };
    std::unordered_map<uint64_t, Pair> pairs;
    size_t number = 0;
    for (const auto& [frame, seen] : frames_) {
      if (number++ % stride != 0) continue;
      for (const auto& [a, one] : seen)
        for (const auto& [b, other] : seen) {
          if (a >= b) continue;
          const Eigen::Vector3d off = other->at - one->at;
          const double distance = off.norm();
          Pair& pair = pairs[keyOf(a, b)];
          pair.distances.push_back(static_cast<float>(distance));
          if (distance > 0)
            pair.variance +=
                off.dot((one->covariance + other->covariance) * off) / (distance * distance);
        }
    }
    rigid_.resize(ids_.size());
    for (auto& [key, pair] : pairs) {
      const Spread spread = spreadOf(pair.distances, pair.variance, options_);
      spreads_.emplace(key, spread);
      if (!spread.rigid) continue;
      const size_t a = key / ids_.size(), b = key % ids_.size();
      rigid_[a].push_back(b);
      rigid_[b].push_back(a);
    }
    for (auto& partners : rigid_) std::sort(partners.begin(), partners.end());
  }

  const BodyLearnOptions& options_;
  std::vector<uint64_t> ids_;
  std::map<uint64_t, std::vector<Seen>> frames_;
  std::unordered_map<uint64_t, Spread> spreads_;  // The key is that of keyOf().
  std::vector<std::vector<size_t>> rigid_;
};

// The mean shape of a group of points. The points of each frame are fitted onto the shape, and
// their mean is the new shape; this is repeated.
class Shape {
 public:
  Shape(const Distances& distances, const std::vector<size_t>& members,
        const BodyLearnOptions& options)
      : distances_(distances), members_(members), options_(options), at_(members.size()) {
    for (int round = 0; round < options.rounds; ++round) turn();
    centre();
  }

  bool complete() const {
    return std::all_of(at_.begin(), at_.end(), [](const auto& at) { return at.has_value(); });
  }

  LearnedBody body() const {
    LearnedBody learned;
    const auto frames = static_cast<double>(std::max<size_t>(frames_, 1));
    learned.residual = std::sqrt(squares_ / std::max(1.0, freedom_));
    learned.stated = std::sqrt(stated_ / std::max(1.0, coordinates_));
    learned.body.sigma =
        std::ceil(1e3 * std::max(options_.minSigma,
                                 learned.residual * std::sqrt(options_.sharedFrames / frames))) /
        1e3;
    learned.frames = frames_;
    learned.moved = moved_;
    for (size_t m = 0; m < members_.size(); ++m) {
      const uint64_t id = distances_.ids()[members_[m]];
      learned.points.push_back(id);
      learned.body.markers.push_back({std::to_string(id), (1e4 * *at_[m]).array().round() / 1e4});
    }
    for (size_t a = 0; a < members_.size(); ++a)
      for (size_t b = a + 1; b < members_.size(); ++b) {
        const Spread& spread = distances_.between(members_[a], members_[b]);
        learned.distances.push_back({a, b, spread.mean, spread.sd, spread.stated, spread.frames});
      }
    return learned;
  }

 private:
  // Fits each frame onto the present shape, and takes the mean as the new one. The first frame is
  // the first shape.
  void turn() {
    std::vector<Eigen::Vector3d> sums(members_.size(), Eigen::Vector3d::Zero()), least, most;
    std::vector<double> counts(members_.size());
    squares_ = freedom_ = stated_ = coordinates_ = moved_ = 0;
    frames_ = 0;
    least.assign(members_.size(), Eigen::Vector3d::Constant(1e9));
    most.assign(members_.size(), Eigen::Vector3d::Constant(-1e9));
    for (const auto& [frame, seen] : distances_.frames()) {
      std::vector<std::pair<size_t, const LearnPoint*>> own;
      for (const auto& [number, point] : seen) {
        const auto member = std::find(members_.begin(), members_.end(), number);
        if (member != members_.end())
          own.push_back({static_cast<size_t>(member - members_.begin()), point});
      }
      if (own.size() < 3) continue;
      if (!begun_)
        for (const auto& [m, point] : own) at_[m] = point->at;
      begun_ = true;
      std::vector<Eigen::Vector3d> from, to;
      for (const auto& [m, point] : own)
        if (at_[m]) from.push_back(point->at), to.push_back(*at_[m]);
      const auto laid = alignRigid(from, to);
      if (!laid) continue;
      if (laid->rms > options_.wrong * (1 + std::sqrt(own.front().second->covariance.trace())))
        continue;
      ++frames_;
      freedom_ += 3 * static_cast<double>(to.size()) - 6;
      for (const auto& [m, point] : own) {
        const Eigen::Vector3d at = laid->motion.apply(point->at);
        sums[m] += at, counts[m] += 1;
        if (at_[m]) squares_ += (at - *at_[m]).squaredNorm();
        stated_ += point->covariance.trace(), coordinates_ += 3;
        least[m] = least[m].cwiseMin(point->at), most[m] = most[m].cwiseMax(point->at);
        moved_ = std::max(moved_, (most[m] - least[m]).norm());
      }
    }
    for (size_t m = 0; m < members_.size(); ++m)
      if (counts[m] >= 1) at_[m] = sums[m] / counts[m];
  }

  void centre() {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto& at : at_)
      if (at) sum += *at / static_cast<double>(at_.size());
    for (auto& at : at_)
      if (at) *at -= sum;
  }

  const Distances& distances_;
  const std::vector<size_t>& members_;
  const BodyLearnOptions& options_;
  std::vector<std::optional<Eigen::Vector3d>> at_;
  bool begun_ = false;
  double squares_ = 0, freedom_ = 0, stated_ = 0, coordinates_ = 0, moved_ = 0;
  size_t frames_ = 0;
};

// Returns the largest group that point `seed` belongs to. It is built greedily, beginning with the
// points that agree with most others, so a larger one may be missed.
std::vector<size_t> groupOf(const Distances& all, size_t seed, const std::vector<char>& used) {
  std::vector<size_t> members{seed}, partners;
  for (const size_t k : all.rigidWith(seed))
    if (!used[k]) partners.push_back(k);
  const auto ties = [&](size_t k) {
    return std::count_if(partners.begin(), partners.end(),
                         [&](size_t other) { return other != k && all.between(k, other).rigid; });
  };
  std::vector<std::pair<std::ptrdiff_t, size_t>> order;
  for (const size_t k : partners) order.push_back({-ties(k), k});
  std::sort(order.begin(), order.end());
  for (const auto& [tied, k] : order)
    if (std::all_of(members.begin(), members.end(),
                    [&](size_t m) { return all.between(m, k).rigid; }))
      members.push_back(k);
  std::sort(members.begin(), members.end());
  return members;
}

// Returns the first few ids of the points as text.
std::string namesOf(std::span<const uint64_t> points) {
  // Maximum number of points that are named in a message.
  constexpr size_t kNamed = 10;
  const auto named = points.first(std::min(points.size(), kNamed));
  return fmt::format("{}{}", fmt::join(named, " "), points.size() > kNamed ? " ..." : "");
}

}  // namespace

std::vector<std::string> linesOf(const LearnedBody& learned, const std::string& from) {
  std::vector<std::string> lines{fmt::format("learned from {}, {} frames", from, learned.frames)};
  for (const auto& d : learned.distances)
    lines.push_back(fmt::format("{} - {}: {:.3f} mm, sd {:.3f}", learned.points[d.a],
                                learned.points[d.b], d.mean, d.sd));
  return lines;
}

LearnedBodies learnBodies(std::span<const LearnPoint> points, const BodyLearnOptions& options) {
  const Distances all(points, {}, options);
  std::vector<char> used(all.ids().size());
  LearnedBodies found;
  while (true) {
    std::vector<size_t> best;
    for (size_t k = 0; k < used.size(); ++k) {
      if (used[k]) continue;
      auto group = groupOf(all, k, used);
      if (group.size() > best.size()) best = std::move(group);
    }
    if (best.size() < 3) return found;
    for (const size_t k : best) used[k] = 1;
    const Shape shape(all, best, options);
    if (!shape.complete()) continue;
    LearnedBody learned = shape.body();
    learned.body.name = fmt::format("body{}", found.bodies.size() + 1);
    if (const std::string problem = problemOf(learned.body); !problem.empty())
      found.leftOut.push_back(
          fmt::format("points {} keep their distances, but {}", namesOf(learned.points), problem));
    else
      found.bodies.push_back(std::move(learned));
  }
}

LearnedBody learnBody(std::span<const LearnPoint> points, std::span<const uint64_t> ids,
                      const BodyLearnOptions& options) {
  const Distances all(points, ids, options);
  for (const uint64_t id : ids)
    if (std::find(all.ids().begin(), all.ids().end(), id) == all.ids().end())
      throw Error(fmt::format("there is no measured point {}", id));
  const Spread* worst = nullptr;
  size_t first = 0, second = 0;
  for (size_t a = 0; a < all.ids().size(); ++a)
    for (size_t b = a + 1; b < all.ids().size(); ++b) {
      const Spread& spread = all.between(a, b);
      if (spread.frames < options.minFrames)
        throw Error(
            fmt::format("points {} and {} are measured together in {} frames; {} are needed",
                        all.ids()[a], all.ids()[b], spread.frames, options.minFrames));
      if (spread.rigid || (worst != nullptr && worst->sd > spread.sd)) continue;
      worst = &spread, first = a, second = b;
    }
  if (worst != nullptr)
    throw Error(fmt::format(
        "points {} and {} do not keep their distance: {:.1f} to {:.1f} mm, sd {:.2f} mm "
        "where {:.2f} mm are stated",
        all.ids()[first], all.ids()[second], worst->least, worst->most, worst->sd, worst->stated));
  std::vector<size_t> members(all.ids().size());
  std::iota(members.begin(), members.end(), size_t{0});
  const Shape shape(all, members, options);
  LearnedBody learned = shape.complete() ? shape.body() : LearnedBody();
  learned.body.name = "body1";
  if (const std::string problem = problemOf(learned.body); !problem.empty()) throw Error(problem);
  return learned;
}

}  // namespace glint::motion
