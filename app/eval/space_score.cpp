#include "app/eval/space_score.h"

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
#include "app/eval/identity.h"
#include "app/eval/ratio.h"
#include "app/eval/sorted_once.h"
#include "app/track/assignment.h"
#include "config/error.h"

namespace glint {
namespace {

std::vector<SpaceSample> byFrame(std::vector<SpaceSample> samples, const std::string& path,
                                 std::string_view id) {
  return sortedOnce(
      std::move(samples), path, [](const SpaceSample& s) { return std::tie(s.frame, s.id); },
      [&](const SpaceSample& s) { return fmt::format("frame {} has {} {}", s.frame, id, s.id); });
}

/// The rows of the next frame of both.
std::span<const SpaceSample> ofFrame(std::span<const SpaceSample>& rest, uint64_t frame) {
  size_t count = 0;
  while (count < rest.size() && rest[count].frame == frame) ++count;
  const auto front = rest.first(count);
  rest = rest.subspan(count);
  return front;
}

double distance2Of(const SpaceSample& a, const SpaceSample& b) {
  double sum = 0;
  for (size_t k = 0; k < 3; ++k) sum += (a.at[k] - b.at[k]) * (a.at[k] - b.at[k]);
  return sum;
}

/// chi squared of the error by the stated covariance; three degrees are free. NaN where it is none.
double chi2Of(const SpaceSample& point, const SpaceSample& marker) {
  const auto& c = point.covariance;
  Eigen::Matrix3d covariance;
  covariance << c[0], c[3], c[4], c[3], c[1], c[5], c[4], c[5], c[2];
  const Eigen::LLT<Eigen::Matrix3d> solver(covariance);
  if (solver.info() != Eigen::Success) return std::numeric_limits<double>::quiet_NaN();
  const Eigen::Vector3d off = Eigen::Vector3d(point.at.data()) - Eigen::Vector3d(marker.at.data());
  return off.dot(solver.solve(off));
}

class SpaceScorer {
 public:
  explicit SpaceScorer(double radius) : radius_(radius) {}

  void addFrame(std::span<const SpaceSample> points, std::span<const SpaceSample> truth) {
    constexpr size_t kMostTogether = 25'000'000;  // more take minutes, and say nothing
    if (points.size() * truth.size() > kMostTogether)
      throw Error(fmt::format("frame {} has too many points and markers to tell them apart",
                              truth.front().frame));
    std::vector<AllowedPair> pairs;
    std::vector<SimilarPair> similar;
    for (size_t m = 0; m < truth.size(); ++m) {
      for (size_t p = 0; p < points.size(); ++p) {
        const double distance = std::sqrt(distance2Of(truth[m], points[p]));
        if (distance > radius_) continue;
        // A pair more outweighs all distances.
        const double most = 2.0 * static_cast<double>(std::min(points.size(), truth.size()));
        pairs.push_back({static_cast<int>(m), static_cast<int>(p), distance / radius_ - most});
        similar.push_back({static_cast<uint32_t>(m), static_cast<uint32_t>(p),
                           static_cast<float>(1 - distance / radius_)});
      }
    }
    const auto chosen =
        assign(static_cast<int>(truth.size()), static_cast<int>(points.size()), pairs);
    ++score_.frames;
    score_.truth += truth.size();
    score_.rows += points.size();
    for (size_t m = 0; m < truth.size(); ++m)
      if (chosen[m] >= 0) match(points[static_cast<size_t>(chosen[m])], truth[m]);
    std::vector<uint32_t> markers, rows;
    for (const SpaceSample& s : truth) markers.push_back(numberOf(markers_, s.id));
    for (const SpaceSample& s : points) rows.push_back(numberOf(points_, s.id));
    identity_.addFrame(markers, rows, similar);
  }

  SpaceScore finish() {
    SpaceScore s = score_;
    s.missed = s.truth - s.matched;
    s.spurious = s.rows - s.matched;
    s.recall = ratio(static_cast<double>(s.matched), static_cast<double>(s.truth));
    s.precision = ratio(static_cast<double>(s.matched), static_cast<double>(s.rows));
    s.idf1 = identity_.count().idf1();
    const auto measured = static_cast<double>(errors_.size());
    s.rmse = std::sqrt(ratio(squares_, measured));
    s.medianError = std::numeric_limits<double>::quiet_NaN();
    if (!errors_.empty()) {
      const auto middle = errors_.begin() + static_cast<std::ptrdiff_t>(errors_.size() / 2);
      std::nth_element(errors_.begin(), middle, errors_.end());
      s.medianError = *middle;
    }
    s.errorOverSigma = std::sqrt(ratio(chi2_ / 3, stated_));
    s.within95 = ratio(within_, stated_);
    return s;
  }

 private:
  static uint32_t numberOf(std::unordered_map<uint64_t, uint32_t>& numbers, uint64_t id) {
    return numbers.emplace(id, static_cast<uint32_t>(numbers.size())).first->second;
  }

  void match(const SpaceSample& point, const SpaceSample& marker) {
    constexpr double kLimit = 7.814728;  // chi squared of three degrees of freedom, 95 %
    ++score_.matched;
    const auto [last, isNew] = lastPoint_.emplace(marker.id, point.id);
    score_.switches += !isNew && last->second != point.id;
    last->second = point.id;
    if (!point.measured) return;
    squares_ += distance2Of(point, marker);
    errors_.push_back(std::sqrt(distance2Of(point, marker)));
    const double chi2 = chi2Of(point, marker);
    if (std::isnan(chi2)) return;
    chi2_ += chi2;
    stated_ += 1;
    within_ += chi2 < kLimit;
  }

  double radius_;
  SpaceScore score_;
  IdentityCounter identity_;
  std::unordered_map<uint64_t, uint32_t> markers_, points_;
  std::unordered_map<uint64_t, uint64_t> lastPoint_;  // of each marker
  std::vector<double> errors_;
  double squares_ = 0, chi2_ = 0, stated_ = 0, within_ = 0;
};

/// Each figure once: its key in JSON, its heading and decimals in the table.
void spaceFigures(const SpaceScore& s, auto&& visit) {
  visit("frames", "frames", double(s.frames), 0);
  visit("truth", "truth", double(s.truth), 0);
  visit("rows", "rows", double(s.rows), 0);
  visit("matched", "TP", double(s.matched), 0);
  visit("missed", "FN", double(s.missed), 0);
  visit("spurious", "FP", double(s.spurious), 0);
  visit("switches", "switch", double(s.switches), 0);
  visit("recall", "recall", s.recall, 4);
  visit("precision", "precis", s.precision, 4);
  visit("idf1", "IDF1", s.idf1, 4);
  visit("rmse_mm", "RMSE mm", s.rmse, 3);
  visit("median_error_mm", "median mm", s.medianError, 3);
  visit("error_over_sigma", "err/sigma", s.errorOverSigma, 3);
  visit("within_95", "in 95 %", s.within95, 4);
}

}  // namespace

bool holdsPoints(const std::string& path) {
  constexpr std::array<std::string_view, 2> kOwn{"point", "x_mm"};
  const CsvReader csv(path, {}, kOwn);
  return csv.has(0) && csv.has(1);
}

std::vector<SpaceSample> readSpacePoints(const std::string& path) {
  constexpr std::array<std::string_view, 12> kColumns{"frame",   "point",  "x_mm",    "y_mm",
                                                      "z_mm",    "state",  "sigma_x", "sigma_y",
                                                      "sigma_z", "cov_xy", "cov_xz",  "cov_yz"};
  CsvReader csv(path, kColumns);
  std::vector<SpaceSample> samples;
  while (csv.next()) {
    SpaceSample s;
    s.frame = csv.value<uint64_t>(0);
    s.id = csv.value<uint64_t>(1);
    for (size_t k = 0; k < 3; ++k) s.at[k] = csv.value<double>(2 + k);
    s.measured = csv.text(5) == "measured";
    if (!s.measured && csv.text(5) != "predicted") csv.refuse(5);
    for (size_t k = 0; k < 3; ++k) {
      const auto sigma = csv.value<double>(6 + k);
      if (sigma < 0) csv.refuse(6 + k);
      s.covariance[k] = sigma * sigma;
      s.covariance[3 + k] = csv.value<double>(9 + k);
    }
    samples.push_back(s);
  }
  return byFrame(std::move(samples), path, "point");
}

std::vector<SpaceSample> readSpaceTruth(const std::string& path) {
  constexpr std::array<std::string_view, 5> kColumns{"frame", "marker", "x_mm", "y_mm", "z_mm"};
  CsvReader csv(path, kColumns);
  std::vector<SpaceSample> samples;
  while (csv.next()) {
    SpaceSample s;
    s.frame = csv.value<uint64_t>(0);
    s.id = csv.value<uint64_t>(1);
    for (size_t k = 0; k < 3; ++k) s.at[k] = csv.value<double>(2 + k);
    samples.push_back(s);
  }
  return byFrame(std::move(samples), path, "marker");
}

SpaceScore scoreSpace(const std::vector<SpaceSample>& points, const std::vector<SpaceSample>& truth,
                      double radius) {
  SpaceScorer scorer(radius);
  std::span<const SpaceSample> found(points), real(truth);
  while (!found.empty() || !real.empty()) {
    uint64_t frame = std::numeric_limits<uint64_t>::max();
    if (!found.empty()) frame = std::min(frame, found.front().frame);
    if (!real.empty()) frame = std::min(frame, real.front().frame);
    const auto now = ofFrame(found, frame);
    scorer.addFrame(now, ofFrame(real, frame));
  }
  return scorer.finish();
}

std::string toTable(const SpaceScore& score) {
  std::string headings, line;
  spaceFigures(score, [&](const char*, std::string_view heading, double value, int decimals) {
    const int width = std::max(8, static_cast<int>(heading.size())) + (headings.empty() ? 0 : 1);
    headings += fmt::format("{:>{}}", heading, width);
    line += fmt::format("{:>{}}", std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals),
                        width);
  });
  return headings + '\n' + line + '\n';
}

std::string toJson(const SpaceScore& score, double radius) {
  nlohmann::ordered_json json{{"radius_mm", radius}};
  spaceFigures(score, [&](const char* key, std::string_view, double value, int decimals) {
    if (decimals == 0)
      json[key] = static_cast<uint64_t>(value);
    else
      json[key] = value;
  });
  return json.dump(2) + '\n';
}

}  // namespace glint
