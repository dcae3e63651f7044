#include "app/study/eval/score.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/motion/track/assignment.h"
#include "app/study/eval/errors.h"
#include "app/study/eval/figures.h"
#include "app/study/eval/frame_rows.h"
#include "app/study/eval/identity.h"
#include "config/error.h"

namespace glint::study {
namespace {

// The counts and errors of one camera, or of all cameras together.
struct Tally {
  Score counts;
  std::vector<float> errors;  // The distances of matched pairs, px.
  double squares = 0;
  IdentityCounts identity;

  void add(const Tally& other) {
    Score& c = counts;
    const Score& o = other.counts;
    c.frames += o.frames, c.truth += o.truth, c.rows += o.rows, c.ignored += o.ignored;
    c.matched += o.matched, c.missed += o.missed, c.spurious += o.spurious;
    c.switches += o.switches, c.fragments += o.fragments;
    errors.insert(errors.end(), other.errors.begin(), other.errors.end());
    squares += other.squares;
    identity.add(other.identity);
  }

  Score finish() {
    Score s = counts;
    const double truth = static_cast<double>(s.truth), matched = static_cast<double>(s.matched);
    s.recall = ratio(matched, truth);
    s.precision = ratio(matched, static_cast<double>(s.rows));
    s.mota = 1 - ratio(static_cast<double>(s.missed + s.spurious + s.switches), truth);
    s.idf1 = identity.idf1();
    s.hota = identity.hota();
    s.rmse = std::sqrt(ratio(squares, matched));
    s.medianError = medianOrNan(std::move(errors));
    return s;
  }
};

// Compares the frames of one camera, which are added in their order.
class CameraScorer {
 public:
  explicit CameraScorer(double radius) : radius_(radius) {}

  void addFrame(std::span<const motion::Sample> tracks, std::span<const motion::Sample> truth) {
    std::vector<motion::Sample> visible, hidden;
    for (const motion::Sample& marker : truth)
      (marker.visible ? visible : hidden).push_back(marker);
    samples_ += tracks.size() + truth.size();
    const std::vector<Near> near = pairsWithin(visible, tracks);
    pairs_ += near.size();
    if (pairs_ > kManyPairs + kPairsOfSample * samples_) refuse(visible.front());
    const std::vector<int> match = matchFrame(visible, tracks, near);
    tallyMatches(visible, tracks, match);

    std::vector<bool> counts(tracks.size(), true);
    std::vector<bool> matched(tracks.size(), false);
    for (const int r : match)
      if (r >= 0) matched[static_cast<size_t>(r)] = true;
    for (const Near& pair : pairsWithin(hidden, tracks))
      if (!matched[static_cast<size_t>(pair.row)]) counts[static_cast<size_t>(pair.row)] = false;
    tallyRows(visible, matched, counts);
    addIdentity(visible, tracks, near, counts);
  }

  Tally take() {
    tally_.identity = identity_.count();
    return std::move(tally_);
  }

 private:
  // A marker and a row within the radius of each other.
  struct Near {
    int marker = 0, row = 0;  // Indices in the frame.
    double distance = 0;
  };
  // The last match of a marker.
  struct Past {
    uint64_t track = 0;            // The track of that match.
    std::optional<uint64_t> seen;  // The frame of that match; empty if there was none.
    // True if the marker was visible without a match since then.
    bool missedSince = false;
  };

  // The largest number of pairs in one frame. Matching more pairs takes minutes and gigabytes, and
  // the result says nothing.
  static constexpr size_t kMostPairsOfFrame = 250'000;
  // The largest number of pairs in all frames is kManyPairs, plus kPairsOfSample for each marker
  // and row, for the same reason.
  static constexpr uint64_t kManyPairs = 1'000'000, kPairsOfSample = 64;

  [[noreturn]] void refuse(const motion::Sample& at) const {
    throw Error(
        "camera {}, frame {}: too many markers and tracks are within {} px of each "
        "other to be told apart; give a smaller --radius",
        at.camera, at.frame, radius_);
  }

  // Returns all pairs within the radius, sorted by marker, then by row. The rows are first sorted
  // into squares as wide as the radius. So all rows near a marker are in the square of the marker
  // and the eight squares around it.
  std::vector<Near> pairsWithin(std::span<const motion::Sample> markers,
                                std::span<const motion::Sample> rows) const {
    using Square = std::pair<int64_t, int64_t>;
    std::vector<std::pair<Square, int>> places;
    for (size_t r = 0; r < rows.size(); ++r)
      places.emplace_back(Square{squareOf(rows[r].x), squareOf(rows[r].y)}, static_cast<int>(r));
    std::ranges::sort(places);
    std::vector<Near> pairs;
    for (size_t m = 0; m < markers.size(); ++m) {
      const size_t first = pairs.size();
      const int64_t x = squareOf(markers[m].x), y = squareOf(markers[m].y);
      for (int64_t column = x - 1; column <= x + 1; ++column) {
        constexpr int kFirst = -1;  // Less than the index of every row.
        auto place = std::lower_bound(places.begin(), places.end(),
                                      std::pair(Square{column, y - 1}, kFirst));
        for (; place != places.end() && place->first <= Square{column, y + 1}; ++place)
          addNear(pairs, markers[m], static_cast<int>(m), rows, place->second);
      }
      if (pairs.size() > kMostPairsOfFrame) refuse(markers[m]);
      std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(first), pairs.end(),
                [](const Near& a, const Near& b) { return a.row < b.row; });
    }
    return pairs;
  }

  int64_t squareOf(double place) const {
    // Beyond this, a double is too coarse to number the squares.
    constexpr double kFarthest = 1e15;
    return static_cast<int64_t>(std::clamp(std::floor(place / radius_), -kFarthest, kFarthest));
  }

  void addNear(std::vector<Near>& pairs, const motion::Sample& marker, int m,
               std::span<const motion::Sample> rows, int r) const {
    const motion::Sample& row = rows[static_cast<size_t>(r)];
    const double dx = marker.x - row.x, dy = marker.y - row.y;
    const double square = dx * dx + dy * dy;
    if (square <= radius_ * radius_) pairs.push_back({m, r, std::sqrt(square)});
  }

  // Returns the index of the row that each marker is matched to, or -1. Pairs that were matched in
  // the frame before are taken out first. For the others, each pair gets a bonus larger than any
  // sum of distances, so that the number of pairs comes before their distances.
  std::vector<int> matchFrame(std::span<const motion::Sample> markers,
                              std::span<const motion::Sample> rows, std::span<const Near> near) {
    std::vector<int> kept(markers.size(), -1);
    std::vector<bool> taken(rows.size(), false);
    for (const Near& pair : near) {
      const size_t m = static_cast<size_t>(pair.marker), r = static_cast<size_t>(pair.row);
      const Past& past = past_[markers[m].id];
      if (past.seen != lastFrame_ || !past.seen || past.track != rows[r].id) continue;
      kept[m] = pair.row;
      taken[r] = true;
    }
    const double bonus = radius_ * static_cast<double>(markers.size() + 1);
    std::vector<motion::AllowedPair> pairs;
    for (const Near& pair : near)
      if (kept[static_cast<size_t>(pair.marker)] < 0 && !taken[static_cast<size_t>(pair.row)])
        pairs.push_back({pair.marker, pair.row, pair.distance - bonus});
    std::vector<int> match =
        motion::assign(static_cast<int>(markers.size()), static_cast<int>(rows.size()), pairs);
    for (size_t m = 0; m < kept.size(); ++m)
      if (kept[m] >= 0) match[m] = kept[m];
    return match;
  }

  void tallyMatches(std::span<const motion::Sample> markers, std::span<const motion::Sample> rows,
                    std::span<const int> match) {
    const uint64_t frame = tally_.counts.frames++;
    for (size_t m = 0; m < markers.size(); ++m) {
      Past& past = past_[markers[m].id];
      if (match[m] < 0) {
        past.missedSince = true;
        continue;
      }
      const motion::Sample& row = rows[static_cast<size_t>(match[m])];
      if (past.seen && past.track != row.id) ++tally_.counts.switches;
      if (past.seen && past.missedSince) ++tally_.counts.fragments;
      past = {row.id, frame, false};
      ++tally_.counts.matched;
      const double distance = std::hypot(row.x - markers[m].x, row.y - markers[m].y);
      tally_.squares += distance * distance;
      tally_.errors.push_back(static_cast<float>(distance));
    }
    lastFrame_ = frame;
  }

  void tallyRows(std::span<const motion::Sample> markers, const std::vector<bool>& matched,
                 const std::vector<bool>& counts) {
    const auto right = static_cast<uint64_t>(std::ranges::count(matched, true));
    const auto rows = static_cast<uint64_t>(std::ranges::count(counts, true));
    tally_.counts.truth += markers.size();
    tally_.counts.rows += rows;
    tally_.counts.ignored += counts.size() - rows;
    tally_.counts.missed += markers.size() - right;
    tally_.counts.spurious += rows - right;
  }

  void addIdentity(std::span<const motion::Sample> markers, std::span<const motion::Sample> rows,
                   std::span<const Near> near, const std::vector<bool>& counts) {
    std::vector<uint32_t> truth, tracks, place(rows.size(), 0);
    for (const motion::Sample& marker : markers) truth.push_back(truthNumbers_.of(marker.id));
    for (size_t r = 0; r < rows.size(); ++r) {
      place[r] = static_cast<uint32_t>(tracks.size());
      if (counts[r]) tracks.push_back(trackNumbers_.of(rows[r].id));
    }
    std::vector<SimilarPair> pairs;
    for (const Near& pair : near) {
      const size_t r = static_cast<size_t>(pair.row);
      if (counts[r])
        pairs.push_back({static_cast<uint32_t>(pair.marker), place[r],
                         static_cast<float>(1 - pair.distance / radius_)});
    }
    identity_.addFrame(truth, tracks, pairs);
  }

  double radius_;
  uint64_t samples_ = 0, pairs_ = 0;
  Tally tally_;
  IdentityCounter identity_;
  Trajectories truthNumbers_, trackNumbers_;
  std::unordered_map<uint64_t, Past> past_;  // The past of each marker, by its id in the truth.
  std::optional<uint64_t> lastFrame_;        // The last frame, by its number in `tally_`.
};

Tally scoreCamera(std::span<const motion::Sample> tracks, std::span<const motion::Sample> truth,
                  double radius) {
  CameraScorer scorer(radius);
  forEachFrame(tracks, truth,
               [&](const auto& rows, const auto& markers) { scorer.addFrame(rows, markers); });
  return scorer.take();
}

Figures figuresOf(const Score& s) {
  return {{"frames", "frames", double(s.frames), 0},
          {"truth", "truth", double(s.truth), 0},
          {"rows", "rows", double(s.rows), 0},
          {"ignored", "ignored", double(s.ignored), 0},
          {"matched", "TP", double(s.matched), 0},
          {"missed", "FN", double(s.missed), 0},
          {"spurious", "FP", double(s.spurious), 0},
          {"switches", "switch", double(s.switches), 0},
          {"fragments", "frag", double(s.fragments), 0},
          {"recall", "recall", s.recall, 4},
          {"precision", "precis", s.precision, 4},
          {"mota", "MOTA", s.mota, 4},
          {"idf1", "IDF1", s.idf1, 4},
          {"hota", "HOTA", s.hota, 4},
          {"rmse", "RMSE px", s.rmse, 3},
          {"median_error", "median px", s.medianError, 3}};
}

}  // namespace

Scores score(std::span<const motion::Sample> tracks, std::span<const motion::Sample> truth,
             const ScoreOptions& options) {
  if (!(options.radius >= kLeastRadius && options.radius <= kMostRadius))
    throw UsageError("a radius of {} px is outside {} to {}", options.radius, kLeastRadius,
                     kMostRadius);
  Scores scores{.options = options, .tracked = {}, .cameras = {}, .all = {}};
  Tally all;
  while (!tracks.empty() || !truth.empty()) {
    uint16_t camera = std::numeric_limits<uint16_t>::max();
    if (!tracks.empty()) camera = tracks.front().camera;
    if (!truth.empty()) camera = std::min(camera, truth.front().camera);
    const auto same = [camera](const motion::Sample& s) { return s.camera == camera; };
    const auto rows = takeFront(tracks, same);
    Tally tally = scoreCamera(rows, takeFront(truth, same), options.radius);
    all.add(tally);
    scores.cameras.push_back({camera, tally.finish()});
  }
  scores.all = all.finish();
  return scores;
}

Scores scoreTracked(std::span<const motion::Sample> tracks, std::span<const motion::Sample> truth,
                    TrackedFrames tracked, const ScoreOptions& options) {
  std::vector<motion::Sample> counted;
  std::ranges::copy_if(truth, std::back_inserter(counted), [&](const motion::Sample& sample) {
    return tracked.has(sample.camera, sample.frame);
  });
  Scores scores = score(tracks, counted, options);
  scores.leftOut = truth.size() - counted.size();
  scores.tracked = std::move(tracked);
  return scores;
}

std::string toTable(const Scores& scores) {
  std::vector<std::pair<std::string, Figures>> lines;
  for (const CameraScore& camera : scores.cameras)
    lines.emplace_back(fmt::format("{}", camera.camera), figuresOf(camera.score));
  if (scores.cameras.size() != 1) lines.emplace_back("all", figuresOf(scores.all));
  std::string table = figureTable("camera", lines);
  if (scores.leftOut > 0)
    table += fmt::format("{} rows of the truth are of frames that were not tracked: {}\n",
                         scores.leftOut, scores.tracked.words());
  return table;
}

std::string toJson(const Scores& scores) {
  nlohmann::ordered_json json{{"radius", scores.options.radius},
                              {"truth_left_out", scores.leftOut},
                              {"tracked_known_from", nullptr}};
  if (scores.tracked.source != TrackedFrames::Source::none)
    json["tracked_known_from"] =
        scores.tracked.source == TrackedFrames::Source::record ? "record" : "tracks";
  addFigures(json["all"], figuresOf(scores.all));
  json["cameras"] = nlohmann::ordered_json::array();
  for (const CameraScore& camera : scores.cameras) {
    nlohmann::ordered_json object{{"camera", camera.camera}};
    addFigures(object, figuresOf(camera.score));
    json["cameras"].push_back(std::move(object));
  }
  return json.dump(2) + '\n';
}

}  // namespace glint::study
