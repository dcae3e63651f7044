#include "ui/draw/overlay.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/style.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

// Lengths count in points: unit() px of the screen each.
constexpr float kLeastRadius = 4;  // smaller ones would hide their marker
constexpr float kTrailStep = 4;    // shorter pieces cost more and look the same
constexpr size_t kMostLabels = 150;
constexpr double kReach = 12;  // about the cursor

ImVec2 at(const View& view, double x, double y) {
  const Point p = view.toScreen({x, y});
  return {p.x, p.y};
}

float radiusOf(const View& view, double radius) {
  return std::max(kLeastRadius * unit(), static_cast<float>(radius * view.zoom()) + 1.5F * unit());
}

/// Of a line, so that one of a whole number of px is as wide everywhere.
float thick(float points) {
  return std::max(1.0F, std::round(points * unit()));
}

/// ImGui adds half a px to the ends of lines.
void addLine(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
  list.AddLine({from.x - 0.5F, from.y - 0.5F}, {to.x - 0.5F, to.y - 0.5F}, colour, thickness);
}

void drawCross(ImDrawList& list, ImVec2 p, float reach, ImU32 colour) {
  addLine(list, {p.x - reach, p.y}, {p.x + reach, p.y}, colour, thick(1));
  addLine(list, {p.x, p.y - reach}, {p.x, p.y + reach}, colour, thick(1));
}

void drawDashedCircle(ImDrawList& list, ImVec2 p, float radius, ImU32 colour) {
  constexpr int kDashes = 8;
  constexpr float kTurn = 6.2831853F;
  for (int i = 0; i < kDashes; ++i) {
    const float from = kTurn * static_cast<float>(i) / kDashes;
    list.PathArcTo(p, radius, from, from + kTurn / kDashes * 0.55F, 4);
    list.PathStroke(colour, 0, thick(2));
  }
}

void drawTrail(ImDrawList& list, const View& view, const std::vector<TrailPoint>& trail,
               ImU32 colour, float opacity) {
  if (trail.empty()) return;
  ImVec2 from = at(view, trail[0].x, trail[0].y);
  for (size_t i = 1; i < trail.size(); ++i) {
    const ImVec2 to = at(view, trail[i].x, trail[i].y);
    const bool gap = !trail[i].joined;
    const bool last = i + 1 == trail.size() || !trail[i + 1].joined;
    const bool near = std::hypot(to.x - from.x, to.y - from.y) < kTrailStep * unit();
    if (!gap && near && !last) continue;
    const float age = static_cast<float>(i) / static_cast<float>(trail.size());
    if (!gap) addLine(list, from, to, withAlpha(colour, age * 0.8F * opacity), thick(1));
    from = to;
  }
}

/// Of a circle that is round; ImGui gives large ones 48. 0: as ImGui does.
int sidesOf(float radius) {
  constexpr float kOff = 0.3F, kSmall = 100;  // px
  if (radius < kSmall) return 0;
  return std::min(512, static_cast<int>(std::ceil(3.1416F / std::acos(1 - kOff / radius))));
}

void drawTracked(ImDrawList& list, const View& view, const TrackRow& row, bool chosen,
                 float opacity) {
  const ImVec2 p = at(view, row.x, row.y);
  const ImU32 colour = withAlpha(colourOfTrack(row.track), opacity);
  const float radius = radiusOf(view, row.seen.radius);
  if (row.state == TrackState::measured) {
    list.AddCircle(p, radius, colour, sidesOf(radius), thick(chosen ? 3 : 2));
    drawCross(list, p, std::min(3.0F * unit(), radius), colour);
  } else {
    drawDashedCircle(list, p, radius, withAlpha(colour, 0.8F));
  }
  if (chosen)
    list.AddCircle(p, radius + 5 * unit(), IM_COL32(255, 255, 255, 200), 0, thick(2));
}

/// Numbers keep away from each other: beside their circle at one of four corners, and faint where
/// all are taken.
class LabelPlaces {
 public:
  struct Place {
    Rect rect;
    bool isFree = true;
  };
  Place take(ImVec2 middle, float radius, ImVec2 size) {
    const float away = radius * 0.8F + 2 * unit();
    const float right = middle.x + away, left = middle.x - away - size.x;
    const float above = middle.y - radius * 0.8F - 12 * unit(), below = middle.y + radius * 0.5F;
    const auto at = [&](float x, float y) {
      return Rect{std::round(x), std::round(y), size.x, size.y * 0.8F};
    };
    for (const Rect& rect : {at(right, above), at(right, below), at(left, above), at(left, below)}) {
      if (std::any_of(taken_.begin(), taken_.end(),
                      [&](const Rect& other) { return meet(rect, other); }))
        continue;
      taken_.push_back(rect);
      return {rect, true};
    }
    return {at(right, above), false};
  }

 private:
  static bool meet(const Rect& a, const Rect& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
  }
  std::vector<Rect> taken_;
};

void drawLabel(ImDrawList& list, const View& view, const TrackRow& row,
               const CameraTracks& tracks, float opacity, LabelPlaces& places) {
  const std::string name = tracks.edits ? tracks.edits->name(row.track) : std::string();
  const std::string text =
      name.empty() ? fmt::format("{}{}", tracks.provisional ? "~" : "", row.track) : name;
  const LabelPlaces::Place place =
      places.take(at(view, row.x, row.y), radiusOf(view, row.seen.radius),
                  ImGui::CalcTextSize(text.c_str()));
  constexpr float kFaded = 0.3F;
  if (!place.isFree) opacity *= kFaded;
  const ImVec2 corner{place.rect.x, place.rect.y};
  if (place.isFree)
    list.AddText({corner.x + 1, corner.y + 1}, IM_COL32(0, 0, 0, 200), text.c_str());
  list.AddText(corner, withAlpha(colourOfTrack(row.track), opacity), text.c_str());
  namePlace(fmt::format("{}:{}", place.isFree ? "number" : "faded", row.track), place.rect);
}

/// Not of a confirmed track: four corners about it.
void drawUntracked(ImDrawList& list, const View& view, const shared::Detection& seen,
                   float opacity) {
  const ImVec2 p = at(view, seen.x, seen.y);
  const float r = radiusOf(view, seen.radius) + unit();
  const float side = std::max(2.0F * unit(), r * 0.45F);
  const ImU32 colour = withAlpha(kUntracked, 0.8F * opacity);
  for (const float x : {-1.0F, 1.0F}) {
    for (const float y : {-1.0F, 1.0F}) {
      const ImVec2 corner{p.x + x * r, p.y + y * r};
      addLine(list, corner, {corner.x - x * side, corner.y}, colour, thick(1));
      addLine(list, corner, {corner.x, corner.y - y * side}, colour, thick(1));
    }
  }
}

void drawRejected(ImDrawList& list, const View& view, const Rejected& rejected, float opacity) {
  const auto [x, y] = placeOf(rejected);
  const ImVec2 p = at(view, x, y);
  const ImU32 colour = withAlpha(kRejected, opacity);
  const float reach = 3.5F * unit(), thickness = 1.5F * unit();
  addLine(list, {p.x - reach, p.y - reach}, {p.x + reach, p.y + reach}, colour, thickness);
  addLine(list, {p.x - reach, p.y + reach}, {p.x + reach, p.y - reach}, colour, thickness);
}

/// An ellipse along the axes.
void drawUncertainty(ImDrawList& list, const View& view, const TrackRow& row, double enlarged,
                     float opacity) {
  constexpr double kTurn = 6.283185307179586;
  const double radius = enlarged * std::max(row.seen.sigmaX, row.seen.sigmaY) * view.zoom();
  const int corners = std::max(24, sidesOf(static_cast<float>(radius)));
  for (int i = 0; i < corners; ++i) {
    const double angle = kTurn * i / corners;
    list.PathLineTo(at(view, row.x + enlarged * row.seen.sigmaX * std::cos(angle),
                       row.y + enlarged * row.seen.sigmaY * std::sin(angle)));
  }
  list.PathStroke(IM_COL32(255, 255, 255, static_cast<int>(150 * opacity)), ImDrawFlags_Closed,
                  thick(1));
}

void drawGate(ImDrawList& list, const View& view, const shared::Prediction& gate,
              double enlarged) {
  const ImVec2 place = at(view, static_cast<double>(gate.x), static_cast<double>(gate.y));
  const ImU32 colour = colourOfTrack(TrackId(gate.track));
  const auto radius =
      static_cast<float>(enlarged * static_cast<double>(gate.gate) * view.zoom());
  list.AddCircleFilled(place, radius, withAlpha(colour, 0.15F), sidesOf(radius));
  list.AddCircle(place, radius, withAlpha(colour, 0.9F), sidesOf(radius), thick(1));
  drawCross(list, place, 2 * unit(), withAlpha(IM_COL32_WHITE, 0.8F));
}

template <class T>
T medianOf(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Those in the view that are numbered: where they are many, the nearest to the cursor.
std::vector<const TrackRow*> labelledRows(const View& view, const CameraTracks& tracks,
                                          std::optional<TrackId> selected) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Rect& area = view.area();
  const Point cursor{mouse.x, mouse.y};
  const Point middle = area.contains(cursor) ? cursor : area.centre();
  std::vector<std::pair<double, const TrackRow*>> all;
  for (const TrackRow& row : tracks.rows) {
    const Point p = view.toScreen({row.x, row.y});
    if (!area.contains(p)) continue;
    const double away = std::hypot(p.x - middle.x, p.y - middle.y);
    all.emplace_back(selected == row.track ? 0 : away, &row);
  }
  if (all.size() > kMostLabels) {
    std::nth_element(all.begin(), all.begin() + kMostLabels, all.end());
    all.resize(kMostLabels);
  }
  std::vector<const TrackRow*> rows;
  for (const auto& [away, row] : all) rows.push_back(row);
  // The selected one, then the oldest: these keep their places.
  std::sort(rows.begin(), rows.end(), [&](const TrackRow* a, const TrackRow* b) {
    return std::pair(selected != a->track, a->track) < std::pair(selected != b->track, b->track);
  });
  return rows;
}

bool isTracked(const CameraTracks& tracks, const shared::Detection& seen) {
  if (tracks.gone.contains({double{seen.x}, double{seen.y}})) return true;
  return std::any_of(tracks.rows.begin(), tracks.rows.end(), [&](const TrackRow& row) {
    return row.state == TrackState::measured && static_cast<float>(row.seen.x) == seen.x &&
           static_cast<float>(row.seen.y) == seen.y;
  });
}

double distance(const View& view, double x, double y, Point cursor) {
  const ImVec2 p = at(view, x, y);
  return std::hypot(p.x - cursor.x, p.y - cursor.y);
}

}  // namespace

void drawRings(ImDrawList& list, const View& view, const CameraTracks& tracks,
               const std::vector<Selection>& chosen, size_t camera) {
  for (const Selection& one : chosen)
    for (const TrackRow& row : tracks.rows)
      if (one.camera == camera && row.track == one.track)
        list.AddCircle(at(view, row.x, row.y), radiusOf(view, row.seen.radius) + 5 * unit(),
                       IM_COL32(255, 255, 255, 140), 0, thick(1));
}

std::vector<TrackId> drawOverlay(ImDrawList& list, const View& view, const CameraTracks& tracks,
                                 const OverlayOptions& options, std::optional<TrackId> selected,
                                 bool stale) {
  const float opacity = stale || tracks.provisional ? 0.45F : 1.0F;
  const ImDrawListFlags before = list.Flags;
  if (!options.smoothLines) list.Flags &= ~ImDrawListFlags_AntiAliasedLines;
  if (options.trails) {
    for (const auto& [track, trail] : tracks.trails)
      drawTrail(list, view, trail, colourOfTrack(track), opacity);
  }
  list.Flags = before;
  if (options.markers) {
    for (const shared::Detection& seen : tracks.measured->markers)
      if (!isTracked(tracks, seen)) drawUntracked(list, view, seen, opacity);
    for (const TrackRow& row : tracks.rows)
      drawTracked(list, view, row, selected == row.track, opacity);
  }
  if (options.gates)
    for (const shared::Prediction& gate : tracks.gates)
      drawGate(list, view, gate, options.gatesEnlarged);
  if (options.rejected) {
    for (const Rejected& rejected : tracks.measured->rejected)
      if (!isPartOfMarker(*tracks.measured, rejected)) drawRejected(list, view, rejected, opacity);
  }
  if (options.uncertainty) {
    for (const TrackRow& row : tracks.rows)
      drawUncertainty(list, view, row, options.enlarged, opacity);
  }
  std::vector<TrackId> labels;
  if (!options.ids) return labels;
  LabelPlaces places;
  for (const TrackRow* row : labelledRows(view, tracks, selected)) {
    drawLabel(list, view, *row, tracks, opacity, places);
    labels.push_back(row->track);
  }
  return labels;
}

namespace {

/// Sizes and circles in px of the screen.
double enlargementOf(const std::vector<double>& sizes, const std::vector<double>& circles,
                     double before) {
  constexpr double kLeast = 1.3, kMost = 6, kWanted = 2;  // times the marker's circle
  if (sizes.empty() || circles.empty()) return before;
  const double least = medianOf(circles) / medianOf(sizes);
  if (before >= kLeast * least && before <= kMost * least) return before;
  const double wanted = std::clamp(kWanted * least, 1.0, 1e6);
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= wanted) return step * power;
  return 10 * power;
}

}  // namespace

void enlarge(const View& view, const CameraTracks& tracks, OverlayOptions& options) {
  std::vector<double> sigmas, gates, circles;
  for (const TrackRow& row : tracks.rows) {
    const double sigma = std::max(row.seen.sigmaX, row.seen.sigmaY);
    if (row.state != TrackState::measured || !(sigma > 0)) continue;
    sigmas.push_back(sigma * view.zoom());
    circles.push_back(static_cast<double>(radiusOf(view, row.seen.radius)));
  }
  for (const shared::Prediction& gate : tracks.gates)
    gates.push_back(std::max(1e-3, static_cast<double>(gate.gate) * view.zoom()));
  if (options.uncertainty) options.enlarged = enlargementOf(sigmas, circles, options.enlarged);
  if (options.gates) options.gatesEnlarged = enlargementOf(gates, circles, options.gatesEnlarged);
}

std::pair<double, double> placeOf(const Rejected& rejected) {
  if (rejected.measured) return {rejected.seen.x, rejected.seen.y};
  return {rejected.seen.peakX, rejected.seen.peakY};
}

bool isPartOfMarker(const LayerMeasurement& measured, const Rejected& rejected) {
  if (rejected.reason != Rejection::tooNear) return false;
  const auto [x, y] = placeOf(rejected);
  for (const shared::Detection& seen : measured.markers) {
    const double dx = x - static_cast<double>(seen.x), dy = y - static_cast<double>(seen.y);
    if (std::hypot(dx, dy) <= static_cast<double>(seen.radius) + 1) return true;
  }
  return false;
}

std::optional<TrackId> trackAt(const View& view, const CameraTracks& tracks, Point cursor) {
  std::optional<TrackId> nearest;
  double least = 0;
  for (const TrackRow& row : tracks.rows) {
    const double away = distance(view, row.x, row.y, cursor);
    const double reach = std::max(kReach * unit(), double{radiusOf(view, row.seen.radius)});
    if (away >= reach || (nearest && away >= least)) continue;
    least = away;
    nearest = row.track;
  }
  return nearest;
}

const Rejected* rejectedAt(const View& view, const CameraTracks& tracks, Point cursor) {
  const Rejected* nearest = nullptr;
  double least = kReach * unit();
  for (const Rejected& rejected : tracks.measured->rejected) {
    const auto [x, y] = placeOf(rejected);
    const double away = distance(view, x, y, cursor);
    if (away >= least || isPartOfMarker(*tracks.measured, rejected)) continue;
    least = away;
    nearest = &rejected;
  }
  return nearest;
}

}  // namespace glint::ui
