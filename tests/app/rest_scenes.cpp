#include "tests/app/rest_scenes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>

#include "app/motion/track/assignment.h"
#include "tests/numbers.h"

namespace glint::test {
namespace {

// The sigma of the spots (px) and the noise of the picture (counts).
constexpr double kSigma = 0.9, kNoise = 1.2;
constexpr double kFaint = 70, kSwitching = 0.04;
constexpr double kSeparation = 6;  // The default of detect.separation, px.

/// A marker of the simulated sky.
struct Star {
  double x, y, amplitude;
  bool on;
  double way;  // The direction in which a star that starts moves, radians.
};

/// A simulation of a star field.
class Sky {
 public:
  explicit Sky(const StarField& field) : field_(field), random_(field.seed) {
    for (int s = 0; s < field.stars; ++s) {
      const double amplitude = 32 * std::pow(200.0 / 32, uniform());
      stars_.push_back({field.width * uniform(), field.height * uniform(), amplitude,
                        amplitude >= kFaint || uniform() < 0.5, 2 * std::numbers::pi * uniform()});
    }
  }

  Recording record() {
    Recording recording;
    for (int f = 0; f < field_.frames; ++f) {
      recording.numbers.push_back(static_cast<uint64_t>(f));
      recording.times.push_back(f / 30.0);
      recording.frames.emplace_back();
      for (size_t s = 0; s < stars_.size(); ++s) {
        const bool seen = stars_[s].on && !outshone(s);
        recording.truth.push_back({stars_[s].x, stars_[s].y, s, static_cast<uint32_t>(f), 0, seen});
        if (seen) recording.frames.back().push_back(observe(stars_[s]));
      }
      for (size_t s = 0; s < stars_.size(); ++s) move(s, f);
    }
    return recording;
  }

 private:
  double uniform() { return static_cast<double>(random_() >> 11) / 9007199254740992.0; }
  double normal() {
    const double angle = 2 * std::numbers::pi * uniform();
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(angle);
  }

  void move(size_t s, int frame) {
    Star& star = stars_[s];
    if (star.amplitude < kFaint && uniform() < kSwitching) star.on = !star.on;
    star.x += field_.drift;
    const int since = frame - field_.frames / 2;
    if (static_cast<int>(s) >= field_.starts || since < 0 || since >= 60) return;
    const double step = field_.startsStep * std::sin(std::numbers::pi * (since + 1) / 61);
    star.x += step * std::cos(star.way);
    star.y += step * std::sin(star.way);
  }

  bool outshone(size_t s) const {
    return std::any_of(stars_.begin(), stars_.end(), [&](const Star& other) {
      return other.on && other.amplitude > stars_[s].amplitude &&
             std::hypot(other.x - stars_[s].x, other.y - stars_[s].y) < kSeparation;
    });
  }

  motion::Observation observe(const Star& star) {
    // The Cramer-Rao bound of a Gaussian spot's position in white noise, for pixels of 1 px.
    const double sigma = std::sqrt(2 / std::numbers::pi) * kNoise / star.amplitude;
    motion::Observation o;
    o.x = star.x + sigma * normal();
    o.y = star.y + sigma * normal();
    o.sigmaX = o.sigmaY = sigma;
    // The noise of its height, relative to the height.
    const double noise = 2 * kNoise / star.amplitude;
    o.mass = 2 * std::numbers::pi * kSigma * kSigma * star.amplitude * std::exp(noise * normal());
    o.radius = 2 * kSigma * std::exp(noise * normal());
    o.peak = star.amplitude;
    return o;
  }

  StarField field_;
  std::mt19937_64 random_;
  std::vector<Star> stars_;
};

}  // namespace

Recording starField(const StarField& field) {
  return Sky(field).record();
}

Wander wanderOf(const Followed& followed, const Recording& recording, double radius) {
  // The true places, by frame and star.
  std::map<std::pair<uint64_t, uint64_t>, const motion::Sample*> places;
  std::map<uint64_t, std::vector<const motion::Sample*>> byFrame;
  for (const motion::Sample& star : recording.truth) {
    places[{star.frame, star.id}] = &star;
    byFrame[star.frame].push_back(&star);
  }
  std::map<uint64_t, std::vector<const motion::TrackRow*>> tracks;
  for (const motion::TrackRow& row : followed.rows) tracks[row.track.value()].push_back(&row);
  Wander result{.tracks = tracks.size(), .rows = followed.rows.size()};
  for (auto& [id, rows] : tracks) {
    const auto away = [](const motion::TrackRow& row, const motion::Sample& star) {
      return std::hypot(row.x - star.x, row.y - star.y);
    };
    std::sort(rows.begin(), rows.end(), [](const motion::TrackRow* a, const motion::TrackRow* b) {
      return a->frame.value() < b->frame.value();
    });
    const auto& first = byFrame[rows.front()->frame.value()];
    const motion::Sample* own = *std::min_element(
        first.begin(), first.end(), [&](const motion::Sample* a, const motion::Sample* b) {
          return away(*rows.front(), *a) < away(*rows.front(), *b);
        });
    double farthest = 0;
    for (const motion::TrackRow* row : rows)
      farthest = std::max(farthest, away(*row, *places[{row->frame.value(), own->id}]));
    result.left += farthest > radius;
    result.farthest = std::max(result.farthest, farthest);
  }
  return result;
}

Followed followHungarian(const Recording& recording, double gate, size_t memory) {
  struct Known {
    double x, y;
    size_t frame, track;
  };
  std::vector<Known> known;
  std::map<size_t, std::vector<motion::TrackRow>> tracks;
  for (size_t f = 0; f < recording.frames.size(); ++f) {
    std::erase_if(known, [&](const Known& one) { return f - one.frame > memory + 1; });
    const auto& seen = recording.frames[f];
    std::vector<motion::AllowedPair> pairs;
    for (size_t k = 0; k < known.size(); ++k)
      for (size_t o = 0; o < seen.size(); ++o) {
        const double away = std::hypot(seen[o].x - known[k].x, seen[o].y - known[k].y);
        if (away < gate)
          pairs.push_back({static_cast<int>(k), static_cast<int>(o), away * away - gate * gate});
      }
    const std::vector<int> owned =
        motion::assign(static_cast<int>(known.size()), static_cast<int>(seen.size()), pairs);
    std::vector<size_t> owner(seen.size(), known.size());
    for (size_t k = 0; k < owned.size(); ++k)
      if (owned[k] >= 0) owner[static_cast<size_t>(owned[k])] = k;
    const size_t before = known.size();
    for (size_t o = 0; o < seen.size(); ++o) {
      const bool fresh = owner[o] == before;
      if (fresh) owner[o] = known.size();
      if (fresh) known.push_back({0, 0, f, tracks.size() + 1});
      Known& one = known[owner[o]];
      one = {seen[o].x, seen[o].y, f, one.track};
      motion::TrackRow row;
      row.frame = FrameNumber(recording.numbers[f]);
      row.track = TrackId(one.track);
      row.x = seen[o].x;
      row.y = seen[o].y;
      tracks[one.track].push_back(row);
    }
  }
  Followed followed;
  for (const auto& [id, rows] : tracks)
    if (rows.size() >= 3) followed.rows.insert(followed.rows.end(), rows.begin(), rows.end());
  return followed;
}

}  // namespace glint::test
