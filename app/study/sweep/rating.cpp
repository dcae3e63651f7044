#include "app/study/sweep/rating.h"

#include <cmath>

namespace glint::study {
namespace {

double square(uint64_t count) {
  return static_cast<double>(count) * static_cast<double>(count);
}

}  // namespace

void Rater::add(uint16_t camera, const motion::TrackRow& row) {
  if (row.state != motion::TrackState::measured) return;
  Path& path = paths_[{camera, row.track}];
  const uint64_t frame = row.frame.value();
  if (path.measured > 0) path.missing += frame - path.last - 1;
  const bool follows = path.measured > 0 && frame == path.last + 1;
  bool whole = follows;
  if (follows && path.consecutive >= 2) {
    const double residual =
        std::hypot(path.x - (path.beforeX + row.x) / 2, path.y - (path.beforeY + row.y) / 2);
    residuals_.add(residual);
    if (residual > kJump) {
      ++jumps_;
      whole = false;
    }
  }
  if (!whole) path.squares += path.stretch * path.stretch;
  path.stretch = whole ? path.stretch + 1 : 1;
  path.consecutive = follows ? path.consecutive + 1 : 1;
  ++path.measured;
  path.beforeX = path.x;
  path.beforeY = path.y;
  path.x = row.x;
  path.y = row.y;
  path.last = frame;
  if (rows_.size() <= camera) rows_.resize(camera + size_t{1});
  if (rows_[camera].size() <= frame) rows_[camera].resize(frame + 1);
  ++rows_[camera][frame];
}

Rating Rater::finish(const std::vector<uint64_t>& frames) {
  Rating rating{.tracks = paths_.size(), .residual = residuals_.quantile(0.5), .jumps = jumps_};
  double squares = 0, missing = 0;
  for (auto& [key, path] : paths_) {
    path.squares += path.stretch * path.stretch;
    rating.rows += path.measured;
    squares += square(path.measured);
    missing += static_cast<double>(path.missing);
    const uint64_t all = key.first < frames.size() ? frames[key.first] : 0;
    if (all > 0) rating.lasting += static_cast<double>(path.squares) / square(all);
  }
  if (rating.rows == 0) return rating;
  const auto rows = static_cast<double>(rating.rows);
  rating.length = squares / rows;
  rating.gaps = missing / (missing + rows);
  // The mean number of rows per frame in each half, summed over the cameras.
  double first = 0, second = 0;
  for (size_t camera = 0; camera < rows_.size(); ++camera) {
    const uint64_t all = camera < frames.size() ? frames[camera] : 0, half = all / 2;
    for (uint64_t frame = 0; frame < rows_[camera].size(); ++frame) {
      const double count = rows_[camera][frame];
      if (frame < half)
        first += count / static_cast<double>(half);
      else
        second += count / static_cast<double>(std::max<uint64_t>(all - half, 1));
    }
  }
  rating.halves = 1 - std::abs(first - second) / (first + second);
  return rating;
}

}  // namespace glint::study
