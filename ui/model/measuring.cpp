#include "ui/model/measuring.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace glint::ui {
namespace {

output::MeasureKind kindOf(MeasureTool tool) {
  return tool == MeasureTool::angle ? output::MeasureKind::angle : output::MeasureKind::distance;
}

double rounded(double value) {
  return std::round(value * 1e3) / 1e3;
}

}  // namespace

void Measuring::take(MeasureTool tool, std::optional<Selection> first) {
  const bool puts = tool == tool_ && !first;
  stop();
  if (puts) return;
  tool_ = tool;
  if (first) add(first->camera, pointOn(*first));
}

void Measuring::stop() {
  tool_ = MeasureTool::none;
  begun_.reset();
}

std::optional<double> Measuring::scale(size_t camera) const {
  const auto& scales = editor_.edits().mmPerPx;
  const auto found = scales.find(CameraIndex(camera));
  return found == scales.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the point at which a track is, as an anchor. If the track is not found, returns a point
/// that stays in its place, (0, 0).
output::MeasurePoint Measuring::pointOn(const Selection& one) {
  const CameraIndex camera(one.camera);
  const auto moving = [&](const output::TrackAnchor& at) {
    clicked_[{camera, at.frame, at.x, at.y}] = one.track;
    return output::MeasurePoint{at.x, at.y, at.frame};
  };
  const auto& cameras = tracks_.cameras();
  const motion::TrackRow* row =
      one.camera < cameras.size() ? cameras[one.camera].row(one.track) : nullptr;
  const shell::TrackSummary* known = editor_.track(one.track);
  if (row && (row->state == motion::TrackState::measured || !known))
    return moving(shell::anchorAt(camera, *row));
  return known ? moving(known->anchor) : output::MeasurePoint();
}

void Measuring::click(size_t camera, ImagePoint at, std::optional<TrackId> track) {
  if (!on()) return;
  if (begun_ && begun_->camera != CameraIndex(camera))
    return messages_.say("all points of a measure are in the view of one camera");
  if (!track) return add(camera, {rounded(at.x), rounded(at.y)});
  add(camera, pointOn({camera, *track}));
}

void Measuring::add(size_t camera, output::MeasurePoint point) {
  if (!begun_)
    begun_ =
        output::ImageMeasure{.kind = kindOf(tool_), .camera = CameraIndex(camera), .points = {}};
  // The second click of a double click.
  if (!begun_->points.empty() && begun_->points.back() == point) return;
  begun_->points.push_back(point);
  find(*begun_);
  if (begun_->points.size() == output::pointsOf(begun_->kind)) finish();
}

void Measuring::finish() {
  output::ImageMeasure made = *std::exchange(begun_, std::nullopt);
  if (std::exchange(tool_, MeasureTool::none) == MeasureTool::scale) {
    line_ = std::move(made);
    return;
  }
  output::TrackEdits next = editor_.edits();
  next.measures.push_back(made);
  change(std::move(next), made);
}

void Measuring::change(output::TrackEdits edits, const output::ImageMeasure& made) {
  const char* what = made.kind == output::MeasureKind::angle ? "the angle" : "from";
  editor_.become(std::move(edits), fmt::format("measure {} {}", what, between(made)));
  follow();
}

std::optional<Measuring::End> Measuring::endAt(size_t camera, const View& view, Point at,
                                               float reach) const {
  std::optional<End> nearest;
  for (size_t m = 0; m < std::min(measures().size(), readings_.size()); ++m) {
    if (measures()[m].camera != CameraIndex(camera)) continue;
    for (size_t p = 0; p < readings_[m].places.size(); ++p) {
      const auto& place = readings_[m].places[p];
      if (!place) continue;
      const Point seen = view.toScreen({place->x, place->y});
      const float away = std::hypot(seen.x - at.x, seen.y - at.y);
      if (away >= reach) continue;
      reach = away;
      nearest = End{m, p};
    }
  }
  return nearest;
}

void Measuring::drop(std::optional<TrackId> track) {
  const auto held = std::exchange(held_, std::nullopt);
  const auto dragged = std::exchange(dragged_, std::nullopt);
  if (!held || !dragged || held->measure >= measures().size()) return;
  output::TrackEdits next = editor_.edits();
  output::ImageMeasure& measure = next.measures[held->measure];
  if (held->point >= measure.points.size()) return;  // the measure was undone meanwhile
  const output::MeasurePoint point =
      track ? pointOn({measure.camera.value(), *track})
            : output::MeasurePoint{rounded(dragged->x), rounded(dragged->y)};
  // Both ends would be the same point.
  if (std::ranges::count(measure.points, point) > 0) return follow();
  measure.points[held->point] = point;
  find(measure);
  const output::ImageMeasure made = measure;
  change(std::move(next), made);
}

void Measuring::remove(size_t measure) {
  if (measure >= measures().size()) return;
  output::TrackEdits next = editor_.edits();
  next.measures.erase(next.measures.begin() + static_cast<ptrdiff_t>(measure));
  editor_.become(std::move(next), "remove a measure");
  follow();
}

std::optional<double> Measuring::asksLength() const {
  return line_ ? output::valueOf(output::MeasureKind::distance, places(*line_)) : std::nullopt;
}

void Measuring::setLength(double mm) {
  const auto length = asksLength();
  if (length && *length > 0) editor_.setScale(lineCamera(), mm / *length);
  line_.reset();
}

std::optional<TrackId> Measuring::trackOf(CameraIndex camera,
                                          const output::MeasurePoint& point) const {
  if (!point.frame) return std::nullopt;
  const Key key{camera, *point.frame, point.x, point.y};
  for (const auto* known : {&found_, &clicked_})
    if (const auto track = known->find(key); track != known->end()) return track->second;
  return std::nullopt;
}

std::vector<std::optional<output::MeasurePlace>> Measuring::places(
    const output::ImageMeasure& measure) const {
  std::vector<std::optional<output::MeasurePlace>> all;
  for (const output::MeasurePoint& point : measure.points) {
    if (!point.frame) {
      all.emplace_back(output::MeasurePlace{point.x, point.y});
      continue;
    }
    all.emplace_back();
    const auto track = trackOf(measure.camera, point);
    const size_t camera = measure.camera.value();
    if (!track || camera >= tracks_.cameras().size()) continue;
    if (const motion::TrackRow* row = tracks_.cameras()[camera].row(*track))
      all.back() = output::MeasurePlace{row->x, row->y};
  }
  return all;
}

std::string Measuring::between(const output::ImageMeasure& measure) const {
  std::string words;
  const std::string apart = measure.kind == output::MeasureKind::angle ? ", " : " to ";
  for (const output::MeasurePoint& point : measure.points) {
    const auto track = trackOf(measure.camera, point);
    words += words.empty() ? "" : apart;
    if (point.frame)
      words += track ? editor_.nameOf(*track) : std::string("a track that is not found");
    else
      words += fmt::format("{:.0f}, {:.0f}", point.x, point.y);
  }
  return words;
}

/// Finds the tracks that the points of a measure move with, after the edits.
void Measuring::find(const output::ImageMeasure& measure) {
  const auto& history = editor_.known();
  if (!history) return;
  for (const output::MeasurePoint& point : measure.points) {
    if (!point.frame) continue;
    const output::TrackAnchor at{measure.camera, *point.frame, point.x, point.y};
    const Key key{measure.camera, *point.frame, point.x, point.y};
    found_.erase(key);
    const auto track = shell::trackFoundAt(*history, at);
    if (!track) continue;
    const TrackId edited = editor_.applied() ? editor_.applied()->of(*track, at.frame) : *track;
    if (edited != TrackId()) found_[key] = edited;
  }
}

void Measuring::follow() {
  const uint64_t revision = editor_.revision(), made = editor_.history().revision();
  if (revision != revision_ || made != madeRevision_) {
    revision_ = revision;
    madeRevision_ = made;
    for (const output::ImageMeasure& measure : measures()) find(measure);
  }
  readings_.clear();
  for (const output::ImageMeasure& measure : measures()) {
    MeasureReading reading{.places = places(measure), .value = {}, .words = {}};
    const bool held = held_ && dragged_ && held_->measure == readings_.size() &&
                      held_->point < reading.places.size();
    if (held) reading.places[held_->point] = output::MeasurePlace{dragged_->x, dragged_->y};
    reading.value = output::valueOf(measure.kind, reading.places);
    reading.words =
        reading.value ? output::wordsOf(measure.kind, *reading.value, scale(measure.camera.value()))
                      : std::string("not in this frame");
    readings_.push_back(std::move(reading));
  }
}

}  // namespace glint::ui
