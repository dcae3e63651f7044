#include "tests/space/rough_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>

#include <fmt/format.h>

#include "app/motion/space/point_tracker.h"
#include "app/motion/track/assignment.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

const Eigen::Vector3d kWalls(1200, 1200, 800);  // The distance of the walls from the middle, mm.
constexpr double kGravity = 9810;               // mm/s^2
constexpr int kStepsOfFrame = 40;

double evenly(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Eigen::Vector3d withinWalls(std::mt19937& random, double share) {
  const double x = evenly(random, -share, share), y = evenly(random, -share, share),
               z = evenly(random, -share, share);
  return kWalls.cwiseProduct(Eigen::Vector3d(x, y, z));
}

bool isWithinWalls(const Eigen::Vector3d& at) {
  return (at.cwiseAbs().array() <= kWalls.array()).all();
}

// A marker that flies through the volume, waits outside for a while, and comes again.
struct Flight {
  size_t marker = 0;
  Eigen::Vector3d at{0, 0, 0}, velocity{0, 0, 0};
  uint64_t waits = 0;  // frames
  bool inside = false;
};

void begin(Flight& flight, const RoughOptions& options, size_t& markers, std::mt19937& random) {
  const Eigen::Vector3d through = withinWalls(random, 0.5);
  const Eigen::Vector3d along = normalVector(random).normalized();
  flight.velocity = options.fastSpeed * along;
  flight.at = through;
  const double step = 0.5 / options.rate;
  while (isWithinWalls(flight.at)) flight.at -= step * flight.velocity;
  // The marker crosses the border at a random time between two frames.
  flight.at += step * (1 + 2 * evenly(random, 0, 1)) * flight.velocity;
  flight.marker = markers++;
  flight.inside = true;
}

// A marker that bounces off the walls and stops now and then.
struct Bouncer {
  size_t marker = 0;
  Eigen::Vector3d at, velocity;
  double rests = 0;  // The time until it starts again, s.
};

void move(Bouncer& bouncer, const RoughOptions& options, size_t& impacts, std::mt19937& random) {
  const double dt = 1 / options.rate / kStepsOfFrame;
  for (int step = 0; step < kStepsOfFrame; ++step) {
    if (bouncer.rests > 0) {
      bouncer.rests -= dt;
      if (bouncer.rests <= 0) ++impacts;  // The marker starts again.
      continue;
    }
    bouncer.at += dt * bouncer.velocity;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(bouncer.at[k]) <= kWalls[k] || bouncer.at[k] * bouncer.velocity[k] < 0) continue;
      bouncer.velocity[k] = -bouncer.velocity[k];
      ++impacts;
    }
    if (evenly(random, 0, 1) >= options.stops * dt) continue;
    bouncer.velocity = bouncer.velocity.norm() * normalVector(random).normalized();
    bouncer.rests = 0.1;
    ++impacts;
  }
}

// Returns the places of two markers that swing through the same place and pass each other at a
// distance of 10 mm.
std::pair<Eigen::Vector3d, Eigen::Vector3d> passing(const Eigen::Vector3d& middle, double phase,
                                                    double time) {
  const double angle = 2 * std::numbers::pi * time + phase;
  const Eigen::Vector3d swing(300 * std::sin(angle), 150 * std::sin(angle), 0);
  const Eigen::Vector3d aside(0, 0, 5);
  return {middle + swing + aside, middle - swing - aside};
}

double shareFound(size_t missed, size_t due) {
  return due > 0 ? 1 - static_cast<double>(missed) / static_cast<double>(due) : 1;
}

// The first frame in which a camera sees a marker again after a burst, by marker and camera.
using HiddenUntil = std::map<std::pair<size_t, size_t>, uint64_t>;

motion::SpaceSet seen(const RoughOptions& options, const motion::Rig& rig, uint64_t frame,
                      std::vector<TrueMarker>& markers, HiddenUntil& hidden, std::mt19937& random) {
  const double time = static_cast<double>(frame) / options.rate;
  const double stated = std::sqrt(
      std::max(1e-4, options.sigma * options.sigma - motion::kSharedNoise * motion::kSharedNoise));
  motion::SpaceSet set{frame, {}};
  for (size_t c = 0; c < rig.cameras.size(); ++c) {
    const motion::RigCamera& camera = rig.cameras[c];
    motion::SpaceView& view = set.views.emplace_back();
    view.time = time;
    for (TrueMarker& one : markers) {
      const motion::Projection image = motion::project(camera.lens, camera.pose, one.at);
      const Eigen::Vector3d noise = normalVector(random, options.sigma);
      const bool missing = evenly(random, 0, 1) < options.unseen;
      uint64_t& until = hidden[{one.marker, c}];
      if (evenly(random, 0, 1) < options.bursts / options.rate)
        until = frame + static_cast<uint64_t>(evenly(random, 5, 20));
      if (missing || frame < until || image.depth <= 0 || image.pixel.x() < 0 ||
          image.pixel.y() < 0 || image.pixel.x() > camera.width - 1 ||
          image.pixel.y() > camera.height - 1)
        continue;
      view.dots.push_back({image.pixel + noise.head<2>(), {stated, stated}});
      ++one.dots;
    }
    for (size_t k = 0; k < options.clutter; ++k) {
      const double x = evenly(random, 0, camera.width - 1),
                   y = evenly(random, 0, camera.height - 1);
      view.dots.push_back({{x, y}, {stated, stated}});
    }
    if (options.merged > 0) mergeDots(view, options.merged);
    std::shuffle(view.dots.begin(), view.dots.end(), random);
  }
  return set;
}

}  // namespace

void mergeDots(motion::SpaceView& view, double reach) {
  std::vector<motion::SpaceDot> merged;
  for (const motion::SpaceDot& dot : view.dots) {
    const auto near = std::find_if(
        merged.begin(), merged.end(),
        [&](const motion::SpaceDot& other) { return (other.at - dot.at).norm() < reach; });
    if (near == merged.end())
      merged.push_back(dot);
    else
      near->at = (near->at + dot.at) / 2;
  }
  view.dots = std::move(merged);
}

RoughScene roughScene(const RoughOptions& options) {
  std::mt19937 random(options.seed);
  RoughScene scene{.rig = ringRig(static_cast<int>(options.cameras)), .sets = {}, .truth = {}};
  const Swarm swarm(options.slow, random);
  scene.markers = options.slow;
  std::vector<Flight> flights(options.fast);
  for (size_t i = 0; i < flights.size(); ++i) flights[i].waits = 3 * i;
  std::vector<Bouncer> bouncers;
  for (size_t i = 0; i < options.bouncing; ++i) {
    const Eigen::Vector3d at = withinWalls(random, 0.95);
    bouncers.push_back(
        {scene.markers++, at, options.bounceSpeed * normalVector(random).normalized()});
  }
  std::vector<std::pair<Eigen::Vector3d, double>> pairs;
  for (size_t i = 0; i < options.pairs; ++i) {
    const Eigen::Vector3d middle = withinWalls(random, 0.7);
    pairs.emplace_back(middle, evenly(random, 0, 6));
  }
  const size_t firstOfPairs = scene.markers;
  scene.markers += 2 * options.pairs;
  HiddenUntil hidden;
  for (uint64_t f = 0; f < options.frames; ++f) {
    const double time = static_cast<double>(f) / options.rate;
    std::vector<TrueMarker> now;
    const Places slow = swarm.at(time);
    for (size_t m = 0; m < slow.size(); ++m) now.push_back({m, slow[m]});
    for (Bouncer& bouncer : bouncers) {
      now.push_back({bouncer.marker, bouncer.at});
      move(bouncer, options, scene.impacts, random);
    }
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto [a, b] = passing(pairs[i].first, pairs[i].second, time);
      now.push_back({firstOfPairs + 2 * i, a});
      now.push_back({firstOfPairs + 2 * i + 1, b});
    }
    for (Flight& flight : flights) {
      if (!flight.inside && flight.waits > 0) {
        --flight.waits;
        continue;
      }
      if (!flight.inside) begin(flight, options, scene.markers, random);
      now.push_back({.marker = flight.marker, .at = flight.at, .flying = true});
      const double dt = 1 / options.rate;
      flight.at += dt * flight.velocity;
      if (options.ballistic) {
        flight.at.z() -= kGravity * dt * dt / 2;
        flight.velocity.z() -= kGravity * dt;
      }
      flight.inside = isWithinWalls(flight.at);
      if (!flight.inside) flight.waits = 10;
    }
    scene.sets.push_back(seen(options, scene.rig, f, now, hidden, random));
    scene.truth.push_back(std::move(now));
  }
  return scene;
}

double RoughScore::recall() const {
  return shareFound(missed, due);
}

double RoughScore::flyingRecall() const {
  return shareFound(flyingMissed, flyingDue);
}

std::string RoughScore::text() const {
  std::string text = fmt::format("recall {:.3f} % of {}", 100 * recall(), due);
  if (flyingDue > 0)
    text += fmt::format(", flying {:.1f} % of {}", 100 * flyingRecall(), flyingDue);
  return text + fmt::format(", ghosts {}, duplicates {} of {} rows, switches {}, ids {}", ghosts,
                            duplicates, rows, switches, ids);
}

RoughScore judge(const RoughScene& scene, const std::vector<motion::SpaceRow>& rows) {
  constexpr double kReach = 20;  // mm
  std::vector<std::vector<const motion::SpaceRow*>> measured(scene.truth.size());
  RoughScore score;
  std::set<uint64_t> ids;
  for (const motion::SpaceRow& row : rows) {
    ids.insert(row.point);
    if (row.state == motion::TrackState::measured) measured.at(row.frame).push_back(&row);
  }
  score.ids = ids.size();
  std::map<size_t, uint64_t> idOf;  // The id that each marker had last.
  for (size_t f = 0; f < scene.truth.size(); ++f) {
    const auto& truth = scene.truth[f];
    std::vector<motion::AllowedPair> pairs;
    std::vector<size_t> near(measured[f].size());  // The number of markers near each row.
    for (size_t m = 0; m < truth.size(); ++m)
      for (size_t r = 0; r < measured[f].size(); ++r) {
        const double square = (truth[m].at - measured[f][r]->at).squaredNorm();
        if (square >= kReach * kReach) continue;
        ++near[r];
        pairs.push_back({static_cast<int>(m), static_cast<int>(r), square - kReach * kReach});
      }
    const auto chosen =
        motion::assign(static_cast<int>(truth.size()), static_cast<int>(measured[f].size()), pairs);
    std::vector<bool> taken(measured[f].size());
    for (size_t m = 0; m < truth.size(); ++m) {
      const bool due = truth[m].dots >= 3, missed = due && chosen[m] < 0;
      score.due += due;
      score.missed += missed;
      if (truth[m].flying) score.flyingDue += due, score.flyingMissed += missed;
      if (chosen[m] < 0) continue;
      const auto r = static_cast<size_t>(chosen[m]);
      taken[r] = true;
      if (near[r] > 1) continue;
      const uint64_t id = measured[f][r]->point;
      const auto [known, isNew] = idOf.emplace(truth[m].marker, id);
      score.switches += !isNew && known->second != id;
      known->second = id;
    }
    score.rows += measured[f].size();
    for (size_t r = 0; r < near.size(); ++r) {
      score.ghosts += near[r] == 0;
      score.duplicates += near[r] > 0 && !taken[r];
    }
  }
  return score;
}

std::vector<motion::SpaceRow> rowsOf(const motion::Rig& rig,
                                     const std::vector<motion::SpaceSet>& sets,
                                     const motion::PointTrackerOptions& options) {
  motion::PointTracker tracker(std::make_shared<const motion::SpaceRig>(rig), Settings().track,
                               false, false, nullptr, options);
  std::vector<motion::SpaceRow> rows;
  const auto take = [&] {
    for (motion::SpaceRow& row : tracker.takeFinalised()) rows.push_back(std::move(row));
  };
  for (const motion::SpaceSet& set : sets) {
    tracker.update(set);
    take();
  }
  tracker.finish();
  take();
  return rows;
}

}  // namespace glint::test
