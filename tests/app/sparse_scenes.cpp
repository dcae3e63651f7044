#include "tests/app/sparse_scenes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <tuple>

#include "tests/numbers.h"

namespace glint::test {
namespace {

constexpr double kPlaceNoise = 0.03;  // The noise of each coordinate, px.

// A source of random numbers. std::uniform_real_distribution is not used because it differs between
// libraries.
class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  double uniform(double a, double b) {
    return a + (b - a) * static_cast<double>(random_() >> 11) / 9007199254740992.0;
  }
  double normal() {
    const double angle = uniform(0, 2 * std::numbers::pi);
    return std::sqrt(-2 * std::log(uniform(1e-12, 1))) * std::cos(angle);
  }

 private:
  std::mt19937_64 random_;
};

struct Place {
  double x = 0, y = 0;
};

/// A recording to which frames are added.
class Film {
 public:
  explicit Film(uint64_t seed, double fps = 30) : dice(seed), fps_(fps) {}

  void show(const std::vector<Place>& places, double brightness = 1, double missed = 0,
            double clutter = 0) {
    const auto frame = static_cast<uint32_t>(recording.frames.size());
    start(frame);
    std::vector<motion::Observation>& seen = recording.frames.emplace_back();
    for (size_t m = 0; m < places.size(); ++m) {
      recording.truth.push_back({places[m].x, places[m].y, m + 1, frame, 0, true});
      if (dice.uniform(0, 1) < missed) continue;
      seen.push_back(observe(places[m], (1000 + 300 * static_cast<double>(m)) * brightness));
    }
    for (; dice.uniform(0, 1) < clutter; clutter -= 1)
      seen.push_back(observe({dice.uniform(0, 1000), dice.uniform(0, 700)}, 700));
  }

  /// Adds the last frame again, with the small changes that an encoder makes.
  void again() {
    const auto frame = static_cast<uint32_t>(recording.frames.size());
    start(frame);
    std::vector<motion::Observation> seen = recording.frames.back();
    for (motion::Observation& o : seen) {
      o.x += dice.uniform(-0.005, 0.005);
      o.y += dice.uniform(-0.005, 0.005);
      o.mass *= dice.uniform(0.998, 1.002);
    }
    recording.frames.push_back(seen);
    const size_t before = recording.truth.size();
    for (size_t i = 0; i < before; ++i) {
      motion::Sample sample = recording.truth[i];
      if (sample.frame + 1 != frame) continue;
      sample.frame = frame;
      recording.truth.push_back(sample);
    }
  }

  Recording recording;
  Dice dice;

 private:
  void start(uint32_t frame) {
    recording.numbers.push_back(frame);
    recording.times.push_back(frame / fps_);
  }

  motion::Observation observe(const Place& place, double mass) {
    motion::Observation o;
    o.x = place.x + kPlaceNoise * dice.normal();
    o.y = place.y + kPlaceNoise * dice.normal();
    o.sigmaX = o.sigmaY = kPlaceNoise;
    o.mass = mass * std::exp(0.05 * dice.normal());
    o.radius = 4;
    o.peak = 200;
    return o;
  }

  double fps_;
};

// Returns hip, knee and ankle, `apart` px from each other. Their steps vary up to `most` px. Some
// frames are shown twice, some of these after a frame that was left out.
Recording walk(uint64_t seed, double apart, double most, int frames) {
  Film film(seed);
  double phase = 0;
  for (int f = 0; f < frames; ++f) {
    if (f > 0 && film.dice.uniform(0, 1) < 0.45) {
      film.again();
      continue;
    }
    phase += film.dice.uniform(0.03, 0.45);
    std::vector<Place> joints;
    for (int j = 0; j < 3; ++j) {
      const double reach = most * (j + 1) / 3 / 0.45;
      joints.push_back({450 + reach * std::sin(phase - 0.5 * j),
                        150 + apart * j - 0.2 * reach * std::cos(2 * phase)});
    }
    film.show(joints);
  }
  return film.recording;
}

// Returns twelve dots in three rows on a card that is thrown about by up to `most` px, and turned a
// little each time.
Recording card(uint64_t seed, double apart, double most, int frames) {
  Film film(seed);
  Place at{400, 300};
  double angle = 0;
  for (int f = 0; f < frames; ++f) {
    if (f > 0) {
      const double way = film.dice.uniform(0, 2 * std::numbers::pi);
      const double far = film.dice.uniform(0, most);
      at.x = std::clamp(at.x + far * std::cos(way), 250.0, 600.0);
      at.y = std::clamp(at.y + far * std::sin(way), 200.0, 450.0);
      angle += film.dice.uniform(-0.01, 0.01);
    }
    std::vector<Place> dots;
    for (int n = 0; n < 12; ++n) {
      const double x = apart * (n % 4 - 1.5), y = apart * (n / 4 - 1.0);
      dots.push_back({at.x + x * std::cos(angle) - y * std::sin(angle),
                      at.y + x * std::sin(angle) + y * std::cos(angle)});
    }
    film.show(dots);
  }
  return film.recording;
}

// Returns the lights of a device that is turned by hand. In every other frame they are 2.6 times as
// bright.
Recording lights(uint64_t seed, int frames) {
  Film film(seed);
  for (int f = 0; f < frames; ++f) {
    std::vector<Place> places;
    for (int n = 0; n < 15; ++n) {
      const double angle = 0.4 * n + 0.03 * f;
      const double away = 80 + 45.0 * (n % 3);
      places.push_back({320 + 2.0 * f + away * std::cos(angle), 240 + away * std::sin(angle)});
    }
    film.show(places, f % 2 == 0 ? 1 : 2.6);
  }
  return film.recording;
}

// Returns four markers that rest and are pushed all at once now and then.
Recording rests(uint64_t seed, int frames) {
  Film film(seed);
  const std::vector<Place> homes{{200, 200}, {500, 210}, {220, 500}, {520, 480}};
  std::vector<Place> places = homes;
  for (int f = 0; f < frames; ++f) {
    if (f % 20 > 15) {
      for (size_t n = 0; n < homes.size(); ++n)
        places[n] = {homes[n].x + film.dice.uniform(-30, 30),
                     homes[n].y + film.dice.uniform(-30, 30)};
    }
    film.show(places);
  }
  return film.recording;
}

// Returns five markers that jump. Some are missed, and now and then there is clutter.
Recording flicker(uint64_t seed, int frames) {
  Film film(seed);
  std::vector<Place> places;
  for (int f = 0; f < frames; ++f) {
    places.clear();
    for (int n = 0; n < 5; ++n)
      places.push_back({200 + 170.0 * (n % 3) + film.dice.uniform(-22, 22),
                        200 + 200.0 * (n / 3) + film.dice.uniform(-22, 22)});
    film.show(places, 1, 0.01, 0.1);
  }
  return film.recording;
}

}  // namespace

std::vector<SparseScene> sparseScenes() {
  return {{"walk, many frames twice", walk(1, 200, 50, 152), 3},
          {"walk, near and fast", walk(2, 130, 60, 243), 3},
          {"walk, small and slow", walk(3, 60, 8, 200), 3},
          {"card thrown 55 px", card(4, 120, 55, 51), 12},
          {"card thrown 55 px, dense", card(5, 80, 55, 51), 12},
          {"lights, 2.6 times as bright", lights(6, 40), 15},
          {"rest and push", rests(7, 120), 4},
          {"jumps, misses and clutter", flicker(8, 200), 8, 0.97, 0.9},
          {"walk at 15 px, far apart", walk(9, 250, 15, 150), 3}};
}

Followed followNearest(const Recording& recording, double reach) {
  constexpr size_t kMemory = 5;  // frames
  struct Known {
    double x, y;
    size_t frame;
  };
  Followed followed;
  std::vector<Known> known;
  for (size_t f = 0; f < recording.frames.size(); ++f) {
    const auto& seen = recording.frames[f];
    std::vector<std::tuple<double, size_t, size_t>> pairs;
    for (size_t k = 0; k < known.size(); ++k)
      for (size_t o = 0; o < seen.size(); ++o) {
        const double away = std::hypot(seen[o].x - known[k].x, seen[o].y - known[k].y);
        if (f - known[k].frame <= kMemory && away <= reach) pairs.emplace_back(away, k, o);
      }
    std::sort(pairs.begin(), pairs.end());
    constexpr size_t kNone = SIZE_MAX;
    std::vector<size_t> owner(seen.size(), kNone);
    for (const auto& [away, k, o] : pairs)
      if (owner[o] == kNone && known[k].frame != f) {
        owner[o] = k;
        known[k] = {seen[o].x, seen[o].y, f};
      }
    for (size_t o = 0; o < seen.size(); ++o) {
      if (owner[o] == kNone) {
        owner[o] = known.size();
        known.push_back({seen[o].x, seen[o].y, f});
      }
      motion::TrackRow row;
      row.frame = FrameNumber(recording.numbers[f]);
      row.track = TrackId(owner[o] + 1);
      row.x = seen[o].x;
      row.y = seen[o].y;
      followed.rows.push_back(row);
    }
  }
  return followed;
}

}  // namespace glint::test
