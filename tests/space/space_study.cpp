// Measures the figures of docs/space.md on accuracy, ghosts and time with simulated markers. This
// program is not a test.
// space_study KIND [SETS [SEED]]
// KIND: rms | crowd | poses | naive | swarm | time | bodies | particles | hidden | rough
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <vector>

#include <Eigen/LU>
#include <fmt/format.h>

#include "app/motion/geometry/rotation.h"
#include "app/motion/geometry/triangulate.h"
#include "app/motion/space/point_tracker.h"
#include "tests/geometry/rigs.h"
#include "tests/space/hidden_markers.h"
#include "tests/space/rough_scene.h"
#include "tests/space/simulation.h"

namespace {

using namespace glint;
using namespace glint::test;

/// Returns the processor time of this thread, s. Other programs do not add to it.
double coreTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void rms(int sets, unsigned seed) {
  for (const int cameras : {4, 8}) {
    for (const double sigma : {0.1, 0.3}) {
      std::mt19937 random(seed);
      const motion::Rig rig = ringRig(cameras);
      const motion::SpaceRig space(rig);
      const motion::NoiseFloor floor(space.size());
      double squares = 0, bound = 0;
      int points = 0;
      for (const Eigen::Vector3d& at : anywhere(static_cast<size_t>(sets) * 50, random)) {
        const motion::DotIndex dots(space, floor, viewOf(rig, {at}, {.sigma = sigma}, random));
        std::vector<motion::Sight> sights;

        for (size_t c = 0; c < space.size(); ++c) {
          if (dots.of(c).empty()) continue;
          sights.push_back(dots.sight(c, 0));
        }
        if (sights.size() < space.size()) continue;
        const auto point = motion::estimate(space, sights, at);
        squares += (point->at - at).squaredNorm();
        Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
        for (const motion::Sight& sight : sights) {
          const auto seen = space[sight.camera].see(at);
          information += seen->slope.transpose() * seen->slope / (sigma * sigma);
        }
        bound += information.inverse().trace();
        ++points;
      }
      std::printf("rms: %d cameras, %.1f px: %.3f mm, %.3f of the bound, %d points that all see\n",
                  cameras, sigma, std::sqrt(squares / points), std::sqrt(squares / bound), points);
    }
  }
}

/// Returns the points of a set, and lets the noise floor learn from them. The time that this took
/// (s) is added to `seconds`.
Places placesIn(const motion::SpaceRig& space, motion::NoiseFloor& floor,
                const motion::SpaceSet& set, bool twoRays, double& seconds) {
  const double start = coreTime();
  motion::DotIndex dots(space, floor, set);
  Places found;
  for (const motion::RayGroup& group : motion::correspond(space, dots, {.twoRays = twoRays})) {
    found.push_back(group.estimate.at);
    motion::teach(floor, space, group.sights, group.estimate);
  }
  floor.learn();
  seconds += coreTime() - start;
  return found;
}

void crowd(int sets, unsigned seed, double degrees, double mm) {
  for (const int cameras : {4, 8}) {
    for (const bool twoRays : {false, true}) {
      std::mt19937 random(seed);
      const motion::Rig truth = ringRig(cameras);
      Agreement sum;
      size_t wantedCount = 0;
      double seconds = 0;
      for (int rig = 0; rig < 10; ++rig) {
        const motion::SpaceRig space(disturbed(truth, degrees, mm, random));
        motion::NoiseFloor floor(space.size());
        for (int s = 0; s < sets / 10; ++s) {
          const Places markers = anywhere(50, random);
          std::vector<int> counts;
          const motion::SpaceSet set = viewOf(truth, markers, {.unseen = 0.1}, random, &counts);
          const Places found = placesIn(space, floor, set, twoRays, seconds);
          std::vector<bool> wanted;
          for (const int count : counts) wanted.push_back(count >= (twoRays ? 2 : 3));
          for (const bool is : wanted) wantedCount += is;
          const Agreement one = agreement(found, markers, wanted, 20);
          sum.right += one.right, sum.ghosts += one.ghosts, sum.missed += one.missed;
          sum.squares += one.squares;
        }
      }
      std::printf(
          "crowd: %d cameras, 50 markers, %.2f degrees %.0f mm off, %s rays: found %.3f %%, ghosts "
          "%zu of %zu, rms %.2f mm, %.2f ms a set without tracks\n",
          cameras, degrees, mm, twoRays ? "two" : "three",
          100 - 100 * static_cast<double>(sum.missed) / static_cast<double>(wantedCount),
          sum.ghosts, sum.right, std::sqrt(sum.squares / static_cast<double>(sum.right)),
          1e3 * seconds / sets);
    }
  }
}

void naive(int sets, unsigned seed) {
  std::mt19937 random(seed);
  const motion::Rig rig = ringRig(4);
  Agreement sum;
  for (int s = 0; s < sets; ++s) {
    const Places markers = anywhere(50, random);
    const motion::SpaceSet set = viewOf(rig, markers, {.unseen = 0.1}, random);
    const Agreement one =
        agreement(naivePoints(rig, set), markers, std::vector<bool>(markers.size()));
    sum.right += one.right, sum.ghosts += one.ghosts;
  }
  std::printf("naive: 4 cameras, 50 markers: right %.1f, ghosts %.1f a set\n",
              double(sum.right) / sets, double(sum.ghosts) / sets);
}

/// Follows a swarm, and prints how pure the ids are, how many rows lie in their 95 % ellipsoids,
/// and the time per set.
void swarm(size_t cameras, size_t count, int sets, unsigned seed, double degrees, double mm) {
  std::mt19937 random(seed);
  const motion::Rig truth = ringRig(static_cast<int>(cameras));
  motion::PointTracker tracker(
      std::make_shared<const motion::SpaceRig>(disturbed(truth, degrees, mm, random)),
      Settings().track);
  const Swarm markers(count, random);
  std::map<uint64_t, std::map<size_t, size_t>> owners;
  size_t rows = 0, ghosts = 0, within = 0, counted = 0, due = 0, found = 0;
  double first = 0, worst = 0, seconds = 0, squares = 0;
  const auto take = [&] {
    for (const motion::SpaceRow& row : tracker.takeFinalised()) {
      const Places at = markers.at(row.time);
      size_t nearest = 0;
      for (size_t m = 0; m < at.size(); ++m)
        if ((at[m] - row.at).norm() < (at[nearest] - row.at).norm()) nearest = m;
      const Eigen::Vector3d off = row.at - at[nearest];
      ++rows;
      if (off.norm() > 20) {
        ++ghosts;
        continue;
      }
      ++owners[row.point][nearest];
      if (row.state != motion::TrackState::measured) continue;
      ++found;
      squares += off.squaredNorm();
      if (row.frame < 10) continue;
      ++counted;
      within += off.dot(row.covariance.inverse() * off) < 7.814728;
    }
  };
  for (int f = 0; f < sets; ++f) {
    const double time = f / 100.0;
    std::vector<int> counts;
    const motion::SpaceSet set =
        viewOf(truth, markers.at(time), {.unseen = 0.1, .time = time, .frame = uint64_t(f)}, random,
               &counts);
    for (const int n : counts) due += n >= 2;
    const double start = coreTime();
    tracker.update(set);
    const double taken = coreTime() - start;
    if (f == 0)
      first = taken;
    else
      seconds += taken, worst = std::max(worst, taken);
    take();
  }
  tracker.finish();
  take();
  size_t pure = 0, all = 0;
  for (const auto& [id, of] : owners) {
    size_t most = 0;
    for (const auto& [marker, n] : of) most = std::max(most, n), all += n;
    pure += most;
  }
  std::printf(
      "swarm: %zu cameras x %zu markers, %.2f degrees %.0f mm off: ids %zu, rows with their id's "
      "marker %.3f %%, found %.2f %%, wrong rows %zu of %zu, rms %.2f mm, in 95 %% ellipsoids %.1f "
      "%% | %.3f ms a set, worst %.3f, the first %.2f\n",
      cameras, count, degrees, mm, owners.size(), 100.0 * double(pure) / double(all),
      100.0 * double(found) / double(due), ghosts, rows, std::sqrt(squares / double(found)),
      100.0 * double(within) / double(counted), 1e3 * seconds / (sets - 1), 1e3 * worst,
      1e3 * first);
}

/// Tracks a body among other markers, and compares the errors of poses that all cameras see with
/// the Cramer-Rao bound of their rays.
void bodies(size_t cameras, int sets, unsigned seed) {
  std::mt19937 random(seed);
  const motion::Rig rig = ringRig(static_cast<int>(cameras));
  const auto shared = std::make_shared<const motion::SpaceRig>(rig);
  const motion::Body body = fourMarkers();
  const motion::CentredBody centred(body);
  const Swarm others(20, random);
  motion::PointTracker tracker(
      shared, Settings().track, false, false,
      std::make_shared<const std::vector<motion::Body>>(std::vector<motion::Body>{body}));
  double squares = 0, turns = 0, placeBound = 0, turnBound = 0, seconds = 0;
  size_t count = 0, within = 0, found = 0;
  for (int f = 0; f < 20 * sets; ++f) {
    const double time = f / 100.0;
    const Eigen::Vector3d place(700 * std::sin(0.9 * time), 600 * std::cos(0.7 * time),
                                300 * std::sin(0.5 * time));
    const BodyPose pose{motion::rotationOf({std::sin(time), 1.5 * std::sin(1.3 * time), 2 * time}),
                        place};
    Places all = others.at(time);
    const Places own = placesOf(body, pose);
    all.insert(all.end(), own.begin(), own.end());
    const motion::SpaceSet set = viewOf(rig, all, {.time = time, .frame = uint64_t(f)}, random);
    const double start = coreTime();
    tracker.update(set);
    seconds += coreTime() - start;
    for (const motion::PoseRow& row : tracker.takeFrame().poses) {
      ++found;
      if (row.state != motion::PoseState::measured || f < 200) continue;
      motion::BodyPlace truth{pose.rotation, pose * body.centre(), motion::Matrix6::Zero()};
      motion::Matrix6 information = motion::Matrix6::Zero();
      size_t rays = 0;
      for (const Eigen::Vector3d& marker : centred.markers)
        for (size_t c = 0; c < cameras; ++c) {
          const auto seen = (*shared)[c].see(truth.apply(marker));
          if (!seen || !(*shared)[c].holds(seen->pixel, 0)) continue;
          ++rays;
          Eigen::Matrix<double, 2, 6> slope;
          slope << seen->slope, -seen->slope * motion::crossMatrix(truth.rotation * marker);
          information += slope.transpose() * slope / 0.01;
        }
      if (rays < 4 * cameras || row.markers < 4) continue;
      Eigen::Matrix<double, 6, 1> off;
      off << row.at - pose.place,
          motion::rodriguesOf(row.attitude.toRotationMatrix() * pose.rotation.transpose());
      within += off.dot(row.covariance.inverse() * off) < 12.59159;
      const Eigen::Vector3d middle = row.at + row.attitude * body.centre() - truth.centre;
      squares += middle.squaredNorm();
      turns += off.tail<3>().squaredNorm();
      const motion::Matrix6 bound = information.inverse();
      placeBound += bound.topLeftCorner<3, 3>().trace();
      turnBound += bound.bottomRightCorner<3, 3>().trace();
      ++count;
    }
  }
  const auto n = static_cast<double>(count);
  std::printf(
      "bodies: %zu cameras, four markers among 20 others, 0.1 px: found %.2f %%, rms %.3f mm and "
      "%.3f degrees, %.3f and %.3f of the bound, in 95 %% ellipsoids %.1f %%, %zu that all see | "
      "%.3f ms a set\n",
      cameras, 100.0 * double(found) / (20.0 * sets), std::sqrt(squares / n),
      std::sqrt(turns / n) * 57.2958, std::sqrt(squares / placeBound), std::sqrt(turns / turnBound),
      100.0 * double(within) / n, count, 1e3 * seconds / (20.0 * sets));
}

/// Returns four cameras with long lenses that look into a tank from a distance of 600 mm, about 25
/// degrees to each side.
motion::Rig tankRig() {
  constexpr double kAway = 600, kAside = 0.44, kFocal = 10148;
  motion::Rig rig;
  for (const auto& [x, z] :
       {std::pair(-1, -1), std::pair(1, -1), std::pair(-1, 1), std::pair(1, 1)}) {
    const Eigen::Vector3d along(kAside * x, -1, kAside * z);
    rig.cameras.push_back({"cam", 1024, 1024, motion::Lens{kFocal, kFocal, 511.5, 511.5},
                           lookingAt(kAway * along.normalized(), Eigen::Vector3d::Zero()), 0});
  }
  return rig;
}

/// Measures tracer particles in a cube of 40 mm, with a noise of 0.1 px, in sets that have nothing
/// to do with each other.
void particles(size_t count, double touching, int sets, unsigned seed) {
  std::mt19937 random(seed);
  const motion::Rig rig = tankRig();
  const motion::SpaceRig space(rig);
  motion::NoiseFloor floor(space.size());
  Agreement sum;
  double seconds = 0;
  for (int s = 0; s < sets; ++s) {
    Places all = anywhere(count, random);  // The places fill a box of 3 x 3 x 2 m.
    for (Eigen::Vector3d& at : all) at = Eigen::Vector3d(at.x() / 75, at.y() / 75, at.z() / 50);
    motion::SpaceSet set = viewOf(rig, all, {}, random);
    for (motion::SpaceView& view : set.views) mergeDots(view, touching);
    const Places found = placesIn(space, floor, set, false, seconds);
    const Agreement one = agreement(found, all, std::vector<bool>(count, true), 0.5);
    if (s == 0) continue;  // The noise floor is not known yet.
    sum.right += one.right, sum.ghosts += one.ghosts, sum.squares += one.squares;
  }
  std::printf(
      "particles: 4 cameras, f 10148 px, %zu in 40 mm, one dot within %.0f px: right %.2f, ghosts "
      "%.3f a set, rms %.4f mm, %.1f ms a set\n",
      count, touching, double(sum.right) / (sets - 1), double(sum.ghosts) / (sets - 1),
      std::sqrt(sum.squares / double(sum.right)), 1e3 * seconds / sets);
}

/// Hides each marker from one camera at a time, in rigs of four and eight cameras, and counts the
/// tracks that keep their ids.
void hidden(int sets, unsigned seed) {
  for (const size_t cameras : {4, 8})
    for (const uint64_t gap : {20, 40, 100})
      for (const double stitchGap : {0.0, Settings().track.stitchGap}) {
        Hiding hiding{.cameras = cameras,
                      .markers = 30,
                      .frames = uint64_t(std::max(sets, 300)),
                      .hidden = gap,
                      .predictedPlaces = false,
                      .stitchGap = stitchGap,
                      .seed = seed};
        const KeptIds alone = keptIds(hiding);
        hiding.predictedPlaces = true;
        const KeptIds guided = keptIds(hiding);
        std::printf(
            "hidden: %zu cameras, %llu frames, stitching %s: ids kept %zu of %zu, with points %zu; "
            "another marker's %zu, with points %zu\n",
            cameras, static_cast<unsigned long long>(gap), stitchGap > 0 ? "on" : "off", alone.kept,
            alone.gaps, guided.kept, alone.swapped, guided.swapped);
      }
}

/// Measures markers that move roughly: fast ones alone and among slow ones, impacts, clutter, and
/// passes.
void rough(int sets, unsigned seed) {
  const auto frames = static_cast<uint64_t>(sets);
  const auto print = [&](const char* name, RoughOptions options) {
    options.frames = frames;
    options.seed = seed;
    const RoughScene scene = roughScene(options);
    const double start = coreTime();
    const auto rows = rowsOf(scene.rig, scene.sets);
    const double seconds = coreTime() - start;
    std::printf("rough: %s: %s; %zu markers, %zu impacts | %.3f ms a set\n", name,
                judge(scene, rows).text().c_str(), scene.markers, scene.impacts,
                1e3 * seconds / sets);
  };
  for (const auto& [rate, speed] : {std::pair(240, 60), std::pair(100, 40), std::pair(60, 20)})
    for (const bool ballistic : {false, true})
      for (const size_t slow : {0, 20})
        print(fmt::format("{} m/s at {} Hz, {}, {} slow ones around", speed, rate,
                          ballistic ? "falling" : "straight", slow)
                  .c_str(),
              {.rate = double(rate),
               .slow = slow,
               .fast = 1,
               .fastSpeed = 1e3 * speed,
               .ballistic = ballistic,
               .unseen = slow > 0 ? 0.05 : 0});
  print("12 markers of 3 m/s between walls", {.bouncing = 12, .bounceSpeed = 3000});
  print("50 markers of 3 m/s between walls, stops, 5 % unseen",
        {.bouncing = 50, .bounceSpeed = 3000, .stops = 0.5, .unseen = 0.05});
  print("50 markers of 3 m/s between walls, 4 cameras",
        {.cameras = 4, .bouncing = 50, .bounceSpeed = 3000, .unseen = 0.05});
  print("the same with bursts, clutter, and dots that touch", {.bouncing = 50,
                                                               .bounceSpeed = 3000,
                                                               .stops = 0.5,
                                                               .unseen = 0.05,
                                                               .bursts = 1,
                                                               .clutter = 5,
                                                               .merged = 3});
  print("8 pairs that pass at 10 mm, dots that touch", {.pairs = 8, .merged = 3});
  print("50 slow markers, bursts, 10 dots of clutter",
        {.slow = 50, .bursts = 1, .clutter = 10, .merged = 3});
}

}  // namespace

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "";
  const int sets = argc > 2 ? std::atoi(argv[2]) : 100;
  const auto seed = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 1);
  const auto is = [&](const char* name) { return std::strcmp(kind, name) == 0; };
  if (is("rms")) return rms(sets, seed), 0;
  if (is("crowd")) return crowd(sets, seed, 0, 0), 0;
  if (is("poses")) return crowd(sets, seed, 0.02, 1), 0;
  if (is("naive")) return naive(sets, seed), 0;
  if (is("swarm")) {
    swarm(4, 50, sets, seed, 0, 0);
    swarm(8, 50, sets, seed, 0, 0);
    swarm(8, 50, sets, seed, 0.02, 1);
    return 0;
  }
  if (is("bodies")) {
    for (const size_t cameras : {4, 8}) bodies(cameras, sets, seed);
    return 0;
  }
  if (is("particles")) {
    for (const size_t count : {500, 1000})
      for (const double touching : {0, 3}) particles(count, touching, std::max(sets, 2), seed);
    return 0;
  }
  if (is("hidden")) return hidden(sets, seed), 0;
  if (is("rough")) return rough(sets, seed), 0;
  if (is("time")) {
    swarm(4, 50, sets, seed, 0, 0);
    swarm(8, 50, sets, seed, 0, 0);
    swarm(16, 200, sets, seed, 0, 0);
    return 0;
  }
  std::fprintf(
      stderr,
      "space_study rms|crowd|poses|naive|swarm|time|bodies|particles|hidden|rough [SETS [SEED]]\n");
  return 2;
}
