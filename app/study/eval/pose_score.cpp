#include "app/study/eval/pose_score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/csv_reader.h"
#include "app/motion/track/sorted_once.h"
#include "app/study/eval/errors.h"
#include "app/study/eval/figures.h"
#include "config/error.h"

namespace glint::study {
namespace {

std::vector<PoseSample> posesByFrame(std::vector<PoseSample> samples, const std::string& path) {
  return motion::sortedOnce(
      std::move(samples), path, [](const PoseSample& s) { return std::tie(s.frame, s.body); },
      [](const PoseSample& s) {
        return fmt::format("frame {} has the body '{}'", s.frame, s.body);
      });
}

constexpr std::array<std::string_view, 12> kPoseColumns{"frame", "body",  "x_mm",     "y_mm",
                                                        "z_mm",  "qx",    "qy",       "qz",
                                                        "qw",    "state", "sigma_mm", "sigma_deg"};
// The truth has only the first of them.
constexpr size_t kTruthColumns = 9;

/// Reads the columns that poses and their truth have in common.
PoseSample poseOf(const base::CsvReader& csv) {
  constexpr double kUnit = 1e-3;  // The length of a quaternion may differ from 1 by this.
  PoseSample s;
  s.frame = csv.value<uint64_t>(0);
  s.body = csv.text(1);
  for (int k = 0; k < 3; ++k) s.at[k] = csv.value<double>(2 + static_cast<size_t>(k));
  for (int k = 0; k < 4; ++k)
    s.attitude.coeffs()[k] = csv.value<double>(5 + static_cast<size_t>(k));
  if (!(std::abs(s.attitude.norm() - 1) < kUnit)) csv.refuse(8);
  s.attitude.normalize();
  return s;
}

double degreesBetween(const PoseSample& a, const PoseSample& b) {
  return a.attitude.angularDistance(b.attitude) * 180 / std::numbers::pi;
}

/// Returns the mean of chi squared over three coordinates that are equally exact and together have
/// the deviation `sigma`; NaN if none was stated.
double chi2Of(double error, double sigma) {
  return sigma > 0 ? error * error / (sigma * sigma) : std::numeric_limits<double>::quiet_NaN();
}

// The counts and errors of one body, or of all bodies together.
struct BodySum {
  PoseScore counts;
  Errors places{1}, turns{1};

  void add(const BodySum& other) {
    counts.truth += other.counts.truth, counts.rows += other.counts.rows;
    counts.found += other.counts.found, counts.missed += other.counts.missed;
    counts.swapped += other.counts.swapped, counts.wrong += other.counts.wrong;
    places.add(other.places);
    turns.add(other.turns);
  }

  PoseScore score(const std::string& name) const {
    PoseScore s = counts;
    s.body = name;
    s.recall = ratio(static_cast<double>(s.found), static_cast<double>(s.truth));
    s.rmse = places.rms(), s.turnRmse = turns.rms();
    s.medianError = places.median(), s.turnMedian = turns.median();
    s.errorOverSigma = places.overSigma(), s.turnOverSigma = turns.overSigma();
    s.within95 = places.within95(), s.turnWithin95 = turns.within95();
    return s;
  }
};

/// The poses of one frame, by the names of the bodies.
using FramePoses = std::map<std::string_view, const PoseSample*>;

std::map<uint64_t, FramePoses> framesOf(const std::vector<PoseSample>& samples) {
  std::map<uint64_t, FramePoses> frames;
  for (const PoseSample& sample : samples) frames[sample.frame][sample.body] = &sample;
  return frames;
}

// Counts a row of a frame as found, swapped or wrong. `truth`: all true poses of the frame.
void judge(const PoseSample& row, const FramePoses& truth, double radius, BodySum& sum) {
  ++sum.counts.rows;
  const auto own = truth.find(row.body);
  if (own != truth.end()) {
    const double off = (row.at - own->second->at).norm();
    const double turn = degreesBetween(row, *own->second);
    if (off <= radius && turn <= kPoseTurn) {
      ++sum.counts.found;
      if (row.measured) {
        sum.places.add(off * off, chi2Of(off, row.sigma));
        sum.turns.add(turn * turn, chi2Of(turn, row.sigmaAngle));
      }
      return;
    }
  }
  const bool other = std::ranges::any_of(truth, [&](const auto& one) {
    return one.first != row.body && (row.at - one.second->at).norm() <= radius;
  });
  ++(other ? sum.counts.swapped : sum.counts.wrong);
}

Figures figuresOf(const PoseScore& s) {
  return {{"truth", "truth", double(s.truth), 0},
          {"rows", "rows", double(s.rows), 0},
          {"found", "found", double(s.found), 0},
          {"missed", "missed", double(s.missed), 0},
          {"swapped", "swapped", double(s.swapped), 0},
          {"wrong", "wrong", double(s.wrong), 0},
          {"recall", "recall", s.recall, 4},
          {"rmse_mm", "RMSE mm", s.rmse, 3},
          {"median_error_mm", "median mm", s.medianError, 3},
          {"error_over_sigma", "err/sigma", s.errorOverSigma, 3},
          {"within_95", "in 95 %", s.within95, 4},
          {"rmse_deg", "RMSE deg", s.turnRmse, 3},
          {"median_error_deg", "median deg", s.turnMedian, 3},
          {"turn_over_sigma", "err/sigma", s.turnOverSigma, 3},
          {"turn_within_95", "in 95 %", s.turnWithin95, 4}};
}

}  // namespace

bool holdsPoses(const std::string& path) {
  constexpr std::array<std::string_view, 2> kOwn{"body", "qw"};
  const base::CsvReader csv(path, {}, kOwn);
  return csv.has(0) && csv.has(1);
}

std::vector<PoseSample> readPoses(const std::string& path) {
  base::CsvReader csv(path, kPoseColumns);
  std::vector<PoseSample> samples;
  while (csv.next()) {
    PoseSample& s = samples.emplace_back(poseOf(csv));
    s.measured = csv.text(9) == "measured";
    if (!s.measured && csv.text(9) != "partial" && csv.text(9) != "predicted") csv.refuse(9);
    s.sigma = csv.value<double>(10);
    s.sigmaAngle = csv.value<double>(11);
    if (s.sigma < 0) csv.refuse(10);
    if (s.sigmaAngle < 0) csv.refuse(11);
  }
  return posesByFrame(std::move(samples), path);
}

std::vector<PoseSample> readPosesTruth(const std::string& path) {
  base::CsvReader csv(path, std::span(kPoseColumns).first<kTruthColumns>());
  std::vector<PoseSample> samples;
  while (csv.next()) samples.push_back(poseOf(csv));
  return posesByFrame(std::move(samples), path);
}

std::vector<PoseScore> scorePoses(const std::vector<PoseSample>& poses,
                                  const std::vector<PoseSample>& truth, double radius) {
  std::map<std::string, BodySum> bodies;
  for (const PoseSample& one : truth) ++bodies[one.body].counts.truth;
  const auto isKnown = [&](const PoseSample& row) { return bodies.contains(row.body); };
  if (!poses.empty() && std::ranges::none_of(poses, isKnown))
    throw Error("the truth has no body '{}': track with the bodies of `glint synth --bodies`",
                poses.front().body);
  auto frames = framesOf(poses);
  const auto real = framesOf(truth);
  for (const auto& [frame, own] : real)
    for (const auto& [name, pose] : own)
      if (!frames[frame].contains(name)) ++bodies[std::string(name)].counts.missed;
  const FramePoses nothing;
  for (const auto& [frame, rows] : frames) {
    const auto known = real.find(frame);
    for (const auto& [name, row] : rows)
      judge(*row, known == real.end() ? nothing : known->second, radius, bodies[std::string(name)]);
  }
  BodySum all;
  std::vector<PoseScore> scores;
  for (const auto& [name, sum] : bodies) {
    all.add(sum);
    scores.push_back(sum.score(name));
  }
  scores.push_back(all.score("all"));
  return scores;
}

std::string toTable(const std::vector<PoseScore>& scores) {
  std::vector<std::pair<std::string, Figures>> lines;
  for (const PoseScore& score : scores) lines.emplace_back(score.body, figuresOf(score));
  return figureTable("body", lines);
}

std::string toJson(const std::vector<PoseScore>& scores, double radius) {
  nlohmann::ordered_json json{{"radius_mm", radius}, {"turn_deg", kPoseTurn}};
  for (const PoseScore& score : scores) {
    const bool isAll = &score == &scores.back();
    nlohmann::ordered_json own;
    if (!isAll) own["body"] = score.body;
    addFigures(own, figuresOf(score));
    if (isAll)
      json["all"] = std::move(own);
    else
      json["bodies"].push_back(std::move(own));
  }
  return json.dump(2) + '\n';
}

}  // namespace glint::study
