// Measures the figures of docs/calibration.md on accuracy, starts, covariance and time with many
// random rigs. This program is not a test.
// calibration_study KIND [SEEDS [FIRST]], where KIND is one of those that the usage message of
// run() lists.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/solve.h"
#include "app/motion/geometry/triangulate.h"
#include "config/error.h"
#include "tests/calibrate/waving.h"

namespace {

using namespace glint;
using namespace glint::test;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

motion::CalibrationOptions optionsOf(const Waving& waving) {
  motion::CalibrationOptions options;
  options.target = waving.target;
  return options;
}

/// Returns the options of a recording. If the lights stay in a plane, the lenses are given, because
/// a plane alone is only enough for cameras with known lenses.
motion::CalibrationOptions optionsOf(const Waving& waving, const motion::Rig& truth) {
  motion::CalibrationOptions options = optionsOf(waving);
  options.fixIntrinsics = waving.planar;
  for (const motion::RigCamera& camera : truth.cameras)
    if (waving.planar) options.intrinsics.push_back(camera.lens);
  return options;
}

/// Calibrates the recordings of many seeds and prints one row: the number of seeds, and the median
/// and the worst of each figure. A rig counts with its worst focal length.
void judge(const char* name, Waving waving, unsigned first, unsigned seeds) {
  std::vector<double> ratios, rms, trueRms, lengthRatios, lengthMeans, focals, focalSigmas, offsets,
      seconds, walls;
  // The sum of the squared errors of focal lengths in standard deviations, and their number.
  double focalSquares = 0, lenses = 0;
  unsigned refused = 0, wrong = 0;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    waving.seed = seed;
    const Waved waved = wave(waving);
    try {
      const std::clock_t start = std::clock();
      const auto begin = std::chrono::steady_clock::now();
      const motion::Calibration found =
          motion::calibrate(waved.recording, optionsOf(waving, waved.truth));
      walls.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
      const bool point = !waving.target.isWand();
      const auto exact = spaceError(waved, waved.truth, waving.sigma);
      const auto error = spaceError(waved, found.rig, waving.sigma, point);
      ratios.push_back(error.rms / exact.rms);
      rms.push_back(error.rms);
      trueRms.push_back(exact.rms);
      lengthRatios.push_back(error.lengthSigma / exact.lengthSigma);
      lengthMeans.push_back(point ? 0 : std::abs(error.lengthMean - 500));
      focals.push_back(0);
      for (size_t c = 0; c < found.rig.cameras.size(); ++c) {
        const double off = std::abs(found.rig.cameras[c].lens.fx - waved.truth.cameras[c].lens.fx);
        focals.back() = std::max(focals.back(), off);
        focalSigmas.push_back(found.cameras[c].focalSigma);
        if (!waving.planar) focalSquares += std::pow(off / focalSigmas.back(), 2), ++lenses;
      }
      if (waving.lateCamera >= 0)
        offsets.push_back(
            1e3 * std::abs(found.rig.cameras[static_cast<size_t>(waving.lateCamera)].timeOffset -
                           waving.late));
      if (error.rms > 3 * exact.rms) {
        ++wrong;
        std::printf("seed %u: wrong: %.2f mm for %.2f\n", seed, error.rms, exact.rms);
      }
    } catch (const Error& error) {
      ++refused;
      std::printf("seed %u: refused: %s\n", seed, error.what());
    }
  }
  std::printf(
      "%s: %u seeds, refused %u, wrong %u | 3D rms %.3f mm, true %.3f, ratio median %.3f worst "
      "%.3f | "
      "wand sd ratio %.3f worst %.3f, mean off %.3f worst %.3f mm | f off %.3f worst %.3f px, "
      "sigma %.3f worst %.3f, %.2f of them rms | "
      "offset off %.2f worst %.2f ms | CPU %.2f worst %.2f s, wall %.2f\n",
      name, seeds, refused, wrong, median(rms), median(trueRms), median(ratios), largest(ratios),
      median(lengthRatios), largest(lengthRatios), median(lengthMeans), largest(lengthMeans),
      median(focals), largest(focals), median(focalSigmas), largest(focalSigmas),
      std::sqrt(focalSquares / std::max(1.0, lenses)), median(offsets), largest(offsets),
      median(seconds), largest(seconds), median(walls));
  std::fflush(stdout);
}

/// Returns how well `rig`, which was calibrated from every second moment, fits the other moments:
/// the mean distance (px) of the dots within a gate of 3 px, and the share of those dots.
std::pair<double, double> seenAgain(const Waved& waved, const motion::Rig& rig) {
  constexpr double kGate = 3;  // px
  double sum = 0, near = 0, all = 0;
  for (size_t m = 1; m < waved.recording.moments.size(); m += 2) {
    std::vector<motion::Sighting> sightings;
    const auto& views = waved.recording.moments[m].views;
    for (size_t c = 0; c < views.size(); ++c)
      if (views[c].dots.size() == 1) sightings.push_back({c, views[c].dots[0].at, {1, 1}});
    const auto point = motion::triangulate(rig, sightings);
    if (!point) continue;
    for (const motion::Sighting& s : sightings) {
      const motion::RigCamera& camera = rig.cameras[s.camera];
      const double off =
          (motion::project(camera.lens, camera.pose, point->at).pixel - s.pixel).norm();
      ++all;
      if (off < kGate) ++near, sum += off;
    }
  }
  return {sum / std::max(near, 1.0), near / std::max(all, 1.0)};
}

/// Calibrates recordings like public ones of a single light: few cameras, lenses of any strength,
/// gaps, and no times.
void likeness(unsigned first, unsigned seeds) {
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    Waving waving{.cameras = 3 + static_cast<int>(seed % 2),
                  .frames = 450 + static_cast<int>(seed * 97 % 700),
                  .fps = 25,
                  .target = {},
                  .sigma = std::array{0.1, 0.2, 0.35}[seed % 3],
                  .clutter = 0.01 * (seed % 4),
                  .missing = 0.1 + 0.1 * (seed % 3),
                  .randomRig = true,
                  .strongLenses = seed % 5 < 2,
                  .bare = true,
                  .seed = seed};
    const Waved waved = wave(waving);
    Waved even = waved;
    even.recording.moments.clear();
    for (size_t m = 0; m < waved.recording.moments.size(); m += 2)
      even.recording.moments.push_back(waved.recording.moments[m]);
    try {
      const std::clock_t start = std::clock();
      const motion::Calibration found = motion::calibrate(waved.recording, optionsOf(waving));
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      const auto exact = seenAgain(waved, waved.truth);
      const auto again = seenAgain(waved, motion::calibrate(even.recording, optionsOf(waving)).rig);
      double dots = 0, offered = 0, mean = 0, focal = 0;
      for (size_t c = 0; c < found.cameras.size(); ++c)
        focal = std::max(focal,
                         std::abs(found.rig.cameras[c].lens.fx - waved.truth.cameras[c].lens.fx) /
                             found.cameras[c].focalSigma);
      for (const motion::CameraFigures& f : found.cameras)
        dots += double(f.dots), offered += double(f.offered), mean += f.mean * double(f.dots);
      std::printf(
          "%3u: %d cameras, %4d frames, sigma %.2f, clutter %.2f, missing %.1f, strong %d | all: "
          "%.3f px, %.1f %% of dots | odd: %.3f px %.1f %% (true rig %.3f, %.1f %%) | 3D %.2f mm "
          "(true %.2f) | f %.1f sigma off | CPU %.1f s\n",
          seed, waving.cameras, waving.frames, waving.sigma, waving.clutter, waving.missing,
          waving.strongLenses, mean / dots, 100 * dots / offered, again.first, 100 * again.second,
          exact.first, 100 * exact.second, spaceError(waved, found.rig, waving.sigma, true).rms,
          spaceError(waved, waved.truth, waving.sigma, true).rms, focal, seconds);
    } catch (const Error& error) {
      std::printf("%3u: %d cameras, %d frames, strong %d: refused: %s\n", seed, waving.cameras,
                  waving.frames, waving.strongLenses, error.what());
    }
    std::fflush(stdout);
  }
}

/// Calibrates random rigs with lenses of webcams. Prints the largest error of a number in its
/// stated standard deviations, and the share of points in space within their stated 95 %
/// ellipsoids.
void lenses(unsigned first, unsigned seeds) {
  double within = 0, points = 0, over = 0, runs = 0;
  std::vector<double> worst;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    const Waving waving{.cameras = 3 + static_cast<int>(seed % 4),
                        .frames = 400,
                        .fps = 40,
                        .randomRig = true,
                        .webcams = true,
                        .seed = seed};
    const Waved waved = wave(waving);
    try {
      const motion::Rig rig = motion::calibrate(waved.recording, optionsOf(waving)).rig;
      worst.push_back(largestError(waved, rig));
      over += worst.back() > 3.5;
      const Coverage one = ellipsoidsOf(waved, rig, waving.sigma);
      within += static_cast<double>(one.within);
      points += static_cast<double>(one.all);
      ++runs;
    } catch (const Error& error) {
      std::printf("seed %u: refused: %s\n", seed, error.what());
    }
  }
  std::printf(
      "lenses of webcams, any rig of 3 to 6: %.0f of %u runs | largest error of a number: "
      "median %.2f, worst %.2f sigma, above 3.5 in %.0f | points within their ellipsoids: "
      "%.2f %% of %.0f\n",
      runs, seeds, median(worst), largest(worst), over, 100 * within / points, points);
}

/// Returns a recording of a random rig of 2 to 6 cameras, one of which is pushed by about 0.5 to 30
/// px at a random moment.
Waving pushedWaving(unsigned seed) {
  std::mt19937 random(seed + 5000);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Waving waving{.cameras = 2 + static_cast<int>(seed % 5),
                .frames = 200 + static_cast<int>(random() % 400),
                .fps = random() % 2 == 0 ? 30.0 : 60.0,
                .sigma = std::array{0.05, 0.1, 0.2}[random() % 3],
                .strays = random() % 4 == 0 ? 1 : 0,
                .missing = random() % 2 == 0 ? 0.1 : 0,
                .randomRig = true,
                .webcams = true,
                .seed = seed};
  waving.pushedCamera = static_cast<int>(random() % static_cast<unsigned>(waving.cameras));
  waving.pushedAt = static_cast<int>(uniform(0.06, 0.94) * waving.frames);
  const double size = std::pow(10, uniform(-1.3, 0.3));
  const auto kind = random() % 3;
  std::normal_distribution<double> normal;
  for (int i = 0; i < 3; ++i) {
    if (kind != 1) waving.push.rotation[i] = 0.01 * size * normal(random);
    if (kind != 0) waving.push.translation[i] = 15 * size * normal(random);
  }
  return waving;
}

/// Calibrates recordings in which a camera is pushed, and counts what is said about the push.
void pushes(unsigned first, unsigned seeds) {
  unsigned named = 0, wrong = 0, far = 0, silent = 0, lies = 0, refused = 0;
  std::vector<double> ratios;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    const Waving waving = pushedWaving(seed);
    const Waved waved = wave(waving);
    Waving resting = waving;
    resting.pushedCamera = -1;
    const motion::Rig before = wave(resting).truth;
    try {
      const motion::Calibration found = motion::calibrate(waved.recording, optionsOf(waving));
      const double exact = spaceError(waved, waved.truth, waving.sigma).rms;
      const double error = spaceError(waved, found.rig, waving.sigma).rms;
      const std::string grade = motion::gradeOf(found, waving.target).word;
      if (found.disturbed) {
        ++named;
        ratios.push_back(error / exact);
        const bool other = waving.cameras > 2 &&
                           found.disturbed->camera != static_cast<size_t>(waving.pushedCamera);
        wrong += other;
        far += ratios.back() > 3;
        if (other || ratios.back() > 3)
          std::printf(
              "seed %u: %d cameras, camera %d at %d, named %zu at %.2f s, %s, %.2f mm for "
              "%.2f\n",
              seed, waving.cameras, waving.pushedCamera, waving.pushedAt, found.disturbed->camera,
              found.disturbed->time, grade.c_str(), error, exact);
        continue;
      }
      ++silent;
      Waved unmoved = waved;
      unmoved.truth = before;
      const double least =
          std::min(error, spaceError(unmoved, found.rig, waving.sigma).rms) / exact;
      if (least < 3) continue;
      lies += grade == "excellent" || grade == "good";
      std::printf("seed %u: %d cameras, camera %d at %d, none named, %s, %.1f times the error\n",
                  seed, waving.cameras, waving.pushedCamera, waving.pushedAt, grade.c_str(), least);
    } catch (const Error& error) {
      ++refused;
      std::printf("seed %u: refused: %s\n", seed, error.what());
    }
    std::fflush(stdout);
  }
  std::printf(
      "a camera is pushed, any rig of 2 to 6: %u seeds | named %u, of these another camera "
      "%u, rig off %u, rms ratio median %.3f worst %.3f | not named %u, of these good or "
      "excellent and off %u | refused %u\n",
      seeds, named, wrong, far, median(ratios), largest(ratios), silent, lies, refused);
}

void covariance(unsigned first, unsigned seeds) {
  Coverage sum;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    const Waving waving{.cameras = 3, .frames = 200, .fps = 20, .seed = seed};
    const Waved waved = wave(waving);
    const Coverage one =
        coverageOf(waved, motion::calibrate(waved.recording, optionsOf(waving)).rig);
    sum.within += one.within;
    sum.all += one.all;
  }
  std::printf("covariance: %zu of %zu numbers, %.2f %%, of %u runs within their 95 %%\n",
              sum.within, sum.all,
              100.0 * static_cast<double>(sum.within) / static_cast<double>(sum.all), seeds);
}

/// Returns a rig that differs from the true one at random, as its covariance says. `root` is a
/// square root of that covariance.
motion::Rig drawn(const motion::Rig& truth, const Eigen::MatrixXd& root, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd numbers(root.cols());
  for (double& number : numbers) number = normal(random);
  const Eigen::VectorXd off = root * numbers;
  motion::Rig rig = truth;
  for (size_t c = 0; c < rig.cameras.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c) * motion::kCameraNumbers;
    motion::RigCamera& camera = rig.cameras[c];
    camera.lens = motion::Lens::of(camera.lens.numbers() + off.segment<motion::Lens::kNumbers>(at));
    camera.pose.rotation += off.segment<3>(at + motion::Lens::kNumbers);
    camera.pose.translation += off.segment<3>(at + motion::Lens::kNumbers + 3);
  }
  return rig;
}

/// Compares the errors of calibrated rigs with what the Cramer-Rao bound allows. For that it draws
/// rigs about the true one from the covariance, which is the inverse of the information in all
/// dots.
void bound(const char* name, Waving waving, unsigned first, unsigned seeds) {
  constexpr int kDrawn = 60;
  std::vector<double> found, allowed, ranks;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    waving.seed = seed;
    const Waved waved = wave(waving);
    const motion::Rig rig = motion::calibrate(waved.recording, optionsOf(waving)).rig;
    const motion::Rig truth = truthLike(waved, rig);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(motion::fullCovariance(rig));
    const Eigen::MatrixXd root =
        solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
    const double exact = spaceError(waved, waved.truth, waving.sigma).rms;
    found.push_back(spaceError(waved, rig, waving.sigma).rms / exact);
    std::mt19937 random(seed);
    double above = 0;
    for (int i = 0; i < kDrawn; ++i) {
      allowed.push_back(spaceError(waved, drawn(truth, root, random), waving.sigma).rms / exact);
      above += allowed.back() < found.back();
    }
    ranks.push_back(above / kDrawn);
  }
  const auto mean = [](const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  };
  const auto share = [](std::vector<double> all, double part) {
    std::sort(all.begin(), all.end());
    return all[static_cast<size_t>(part * static_cast<double>(all.size() - 1))];
  };
  std::printf(
      "%s: %u seeds | found: mean %.3f, median %.3f, 95 %% %.3f, worst %.3f | allowed: mean %.3f, "
      "median %.3f, 95 %% %.3f, 99.5 %% %.3f | mean rank of those found among those allowed %.2f\n",
      name, seeds, mean(found), share(found, 0.5), share(found, 0.95), largest(found),
      mean(allowed), share(allowed, 0.5), share(allowed, 0.95), share(allowed, 0.995), mean(ranks));
}

int run(const std::vector<std::string>& args) {
  const auto number = [&](size_t i, unsigned otherwise) {
    return i < args.size() ? static_cast<unsigned>(std::atoi(args[i].c_str())) : otherwise;
  };
  const unsigned seeds = number(1, 3), first = number(2, 1);
  const auto has = [&](const char* word) { return std::count(args.begin(), args.end(), word) > 0; };
  const std::string kind = args.empty() ? "" : args[0];
  const auto circle = [&](int cameras, int frames) {
    return Waving{.cameras = cameras, .frames = frames, .fps = frames / 10.0};
  };
  if (kind == "circle4")
    judge("circle of 4, 500 frames", circle(4, 500), first, seeds);
  else if (kind == "circle8")
    judge("circle of 8, 500 frames", circle(8, 500), first, seeds);
  else if (kind == "short4")
    judge("circle of 4, 100 frames", circle(4, 100), first, seeds);
  else if (kind == "short8")
    judge("circle of 8, 100 frames", circle(8, 100), first, seeds);
  else if (kind == "bound4")
    bound("circle of 4, 100 frames", circle(4, 100), first, seeds);
  else if (kind == "bound8")
    bound("circle of 8, 100 frames", circle(8, 100), first, seeds);
  else if (kind == "hard4" || kind == "hard8") {
    Waving waving = circle(kind == "hard4" ? 4 : 8, 500);
    waving.clutter = has("noclutter") ? 0 : 0.05;
    waving.missing = has("nomissing") ? 0 : 0.1;
    waving.lateCamera = 2;
    waving.late = has("nolate") ? 0 : 0.008;
    judge("5 % clutter, 10 % missing, one 8 ms late", waving, first, seeds);
  } else if (kind == "clutter1" || kind == "clutter5") {
    Waving waving = circle(4, 500);
    waving.strays = kind == "clutter1" ? 1 : 5;
    waving.missing = has("missing") ? 0.2 : 0;
    judge((std::to_string(waving.strays) + " stray lights in each image").c_str(), waving, first,
          seeds);
  } else if (kind == "webcams4" || kind == "webcams8") {
    Waving waving = circle(kind == "webcams4" ? 4 : 8, 500);
    waving.webcams = true;
    judge("lenses of webcams", waving, first, seeds);
  } else if (kind == "lenses")
    lenses(first, seeds);
  else if (kind == "pushes")
    pushes(first, seeds);
  else if (kind == "starts") {
    for (int cameras = 2; cameras <= 8; ++cameras) {
      Waving waving{.cameras = cameras, .frames = 400, .fps = 40, .randomRig = true};
      judge(("any rig of " + std::to_string(cameras)).c_str(), waving,
            first + 100 * static_cast<unsigned>(cameras), seeds);
    }
  } else if (kind == "point") {
    for (const int cameras : {3, 4, 8}) {
      Waving waving = circle(cameras, 800);
      waving.target = {};
      judge(("a single light, circle of " + std::to_string(cameras)).c_str(), waving, first, seeds);
    }
  } else if (kind == "plane") {
    for (const bool light : {false, true})
      for (const int cameras : {2, 3, 5}) {
        Waving waving{
            .cameras = cameras, .frames = 300, .fps = 30, .randomRig = true, .planar = true};
        if (light) waving.target = {};
        judge((std::string(light ? "a light" : "a wand") +
               " in a plane, known lenses, any rig of " + std::to_string(cameras))
                  .c_str(),
              waving, first + 100 * static_cast<unsigned>(cameras), seeds);
      }
  } else if (kind == "three") {
    Waving waving = circle(4, 500);
    waving.target = {{0, 0.3, 1}, 500};
    judge("a wand of three", waving, first, seeds);
  } else if (kind == "likeness")
    likeness(first, seeds);
  else if (kind == "covariance")
    covariance(first, seeds);
  else if (kind == "time8")
    judge("8 cameras, 1000 frames", {.cameras = 8, .frames = 1000}, first, seeds);
  else if (kind == "time16")
    judge("16 cameras, 4000 frames", {.cameras = 16, .frames = 4000}, first, seeds);
  else {
    std::fprintf(stderr,
                 "usage: calibration_study "
                 "circle4|circle8|short4|short8|bound4|bound8|hard4|hard8|starts|point|likeness|"
                 "plane|three|covariance|clutter1|clutter5|webcams4|webcams8|lenses|pushes|"
                 "time8|time16 [SEEDS [FIRST]]\n");
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
