#include "app/study/eval/space_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <Eigen/Cholesky>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/csv_reader.h"
#include "app/motion/track/assignment.h"
#include "app/motion/track/sorted_once.h"
#include "app/study/eval/errors.h"
#include "app/study/eval/figures.h"
#include "app/study/eval/frame_rows.h"
#include "app/study/eval/identity.h"
#include "config/error.h"

namespace glint::study {
namespace {

std::vector<SpaceSample> byFrame(std::vector<SpaceSample> samples, const std::string& path,
                                 std::string_view id) {
  return motion::sortedOnce(
      std::move(samples), path, [](const SpaceSample& s) { return std::tie(s.frame, s.id); },
      [&](const SpaceSample& s) { return fmt::format("frame {} has {} {}", s.frame, id, s.id); });
}

/// Reads the first five columns, which points and their truth have in common.
SpaceSample spaceSampleOf(const base::CsvReader& csv) {
  SpaceSample s;
  s.frame = csv.value<uint64_t>(0);
  s.id = csv.value<uint64_t>(1);
  for (size_t k = 0; k < 3; ++k) s.at[k] = csv.value<double>(2 + k);
  return s;
}

double distance2Of(const SpaceSample& a, const SpaceSample& b) {
  double sum = 0;
  for (size_t k = 0; k < 3; ++k) sum += (a.at[k] - b.at[k]) * (a.at[k] - b.at[k]);
  return sum;
}

/// Returns chi squared of the error according to the stated covariance, with three degrees of
/// freedom; NaN if no covariance was stated.
double chi2Of(const SpaceSample& point, const SpaceSample& marker) {
  const auto& c = point.covariance;
  Eigen::Matrix3d covariance;
  covariance << c[0], c[3], c[4], c[3], c[1], c[5], c[4], c[5], c[2];
  const Eigen::LLT<Eigen::Matrix3d> solver(covariance);
  if (solver.info() != Eigen::Success) return std::numeric_limits<double>::quiet_NaN();
  const Eigen::Vector3d off = Eigen::Vector3d(point.at.data()) - Eigen::Vector3d(marker.at.data());
  return off.dot(solver.solve(off));
}

// Compares the frames, which are added in their order.
class SpaceScorer {
 public:
  explicit SpaceScorer(double radius) : radius_(radius) {}

  void addFrame(std::span<const SpaceSample> points, std::span<const SpaceSample> truth) {
    // Matching more pairs takes minutes, and the result says nothing.
    constexpr size_t kMostTogether = 25'000'000;
    if (points.size() * truth.size() > kMostTogether)
      throw Error("frame {} has too many points and markers to tell them apart",
                  truth.front().frame);
    std::vector<motion::AllowedPair> pairs;
    std::vector<SimilarPair> similar;
    for (size_t m = 0; m < truth.size(); ++m) {
      for (size_t p = 0; p < points.size(); ++p) {
        const double distance = std::sqrt(distance2Of(truth[m], points[p]));
        if (distance > radius_) continue;
        // One more pair outweighs all distances.
        const double most = 2.0 * static_cast<double>(std::min(points.size(), truth.size()));
        pairs.push_back({static_cast<int>(m), static_cast<int>(p), distance / radius_ - most});
        similar.push_back({static_cast<uint32_t>(m), static_cast<uint32_t>(p),
                           static_cast<float>(1 - distance / radius_)});
      }
    }
    const auto chosen =
        motion::assign(static_cast<int>(truth.size()), static_cast<int>(points.size()), pairs);
    ++score_.frames;
    score_.truth += truth.size();
    score_.rows += points.size();
    for (size_t m = 0; m < truth.size(); ++m)
      if (chosen[m] >= 0) match(points[static_cast<size_t>(chosen[m])], truth[m]);
    std::vector<uint32_t> markers, rows;
    for (const SpaceSample& s : truth) markers.push_back(markers_.of(s.id));
    for (const SpaceSample& s : points) rows.push_back(points_.of(s.id));
    identity_.addFrame(markers, rows, similar);
  }

  SpaceScore finish() {
    SpaceScore s = score_;
    s.missed = s.truth - s.matched;
    s.spurious = s.rows - s.matched;
    s.recall = ratio(static_cast<double>(s.matched), static_cast<double>(s.truth));
    s.precision = ratio(static_cast<double>(s.matched), static_cast<double>(s.rows));
    s.idf1 = identity_.count().idf1();
    s.rmse = errors_.rms();
    s.medianError = errors_.median();
    s.errorOverSigma = errors_.overSigma();
    s.within95 = errors_.within95();
    return s;
  }

 private:
  void match(const SpaceSample& point, const SpaceSample& marker) {
    ++score_.matched;
    const auto [last, isNew] = lastPoint_.emplace(marker.id, point.id);
    score_.switches += !isNew && last->second != point.id;
    last->second = point.id;
    if (!point.measured) return;
    errors_.add(distance2Of(point, marker), chi2Of(point, marker));
  }

  double radius_;
  SpaceScore score_;
  IdentityCounter identity_;
  Trajectories markers_, points_;
  // The last point that each marker was matched to.
  std::unordered_map<uint64_t, uint64_t> lastPoint_;
  Errors errors_{3};
};

Figures figuresOf(const SpaceScore& s) {
  return {{"frames", "frames", double(s.frames), 0},
          {"truth", "truth", double(s.truth), 0},
          {"rows", "rows", double(s.rows), 0},
          {"matched", "TP", double(s.matched), 0},
          {"missed", "FN", double(s.missed), 0},
          {"spurious", "FP", double(s.spurious), 0},
          {"switches", "switch", double(s.switches), 0},
          {"recall", "recall", s.recall, 4},
          {"precision", "precis", s.precision, 4},
          {"idf1", "IDF1", s.idf1, 4},
          {"rmse_mm", "RMSE mm", s.rmse, 3},
          {"median_error_mm", "median mm", s.medianError, 3},
          {"error_over_sigma", "err/sigma", s.errorOverSigma, 3},
          {"within_95", "in 95 %", s.within95, 4}};
}

}  // namespace

bool holdsPoints(const std::string& path) {
  constexpr std::array<std::string_view, 2> kOwn{"point", "x_mm"};
  const base::CsvReader csv(path, {}, kOwn);
  return csv.has(0) && csv.has(1);
}

std::vector<SpaceSample> readSpacePoints(const std::string& path) {
  constexpr std::array<std::string_view, 12> kColumns{"frame",   "point",  "x_mm",    "y_mm",
                                                      "z_mm",    "state",  "sigma_x", "sigma_y",
                                                      "sigma_z", "cov_xy", "cov_xz",  "cov_yz"};
  base::CsvReader csv(path, kColumns);
  std::vector<SpaceSample> samples;
  while (csv.next()) {
    SpaceSample& s = samples.emplace_back(spaceSampleOf(csv));
    s.measured = csv.text(5) == "measured";
    if (!s.measured && csv.text(5) != "predicted") csv.refuse(5);
    for (size_t k = 0; k < 3; ++k) {
      const auto sigma = csv.value<double>(6 + k);
      if (sigma < 0) csv.refuse(6 + k);
      s.covariance[k] = sigma * sigma;
      s.covariance[3 + k] = csv.value<double>(9 + k);
    }
  }
  return byFrame(std::move(samples), path, "point");
}

std::vector<SpaceSample> readSpaceTruth(const std::string& path) {
  constexpr std::array<std::string_view, 5> kColumns{"frame", "marker", "x_mm", "y_mm", "z_mm"};
  base::CsvReader csv(path, kColumns);
  std::vector<SpaceSample> samples;
  while (csv.next()) samples.push_back(spaceSampleOf(csv));
  return byFrame(std::move(samples), path, "marker");
}

SpaceScore scoreSpace(const std::vector<SpaceSample>& points, const std::vector<SpaceSample>& truth,
                      double radius) {
  SpaceScorer scorer(radius);
  forEachFrame(std::span(points), std::span(truth),
               [&](const auto& rows, const auto& markers) { scorer.addFrame(rows, markers); });
  return scorer.finish();
}

std::string toTable(const SpaceScore& score) {
  return figureTable("", {{"", figuresOf(score)}});
}

std::string toJson(const SpaceScore& score, double radius) {
  nlohmann::ordered_json json{{"radius_mm", radius}};
  addFigures(json, figuresOf(score));
  return json.dump(2) + '\n';
}

}  // namespace glint::study
