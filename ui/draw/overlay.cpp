#include "ui/draw/overlay.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "ui/draw/marks.h"
#include "ui/draw/style.h"
#include "ui/draw/widgets.h"
#include "ui/model/rejections.h"

namespace glint::ui {
namespace {

constexpr size_t kMostLabels = 150;

/// Places of numbers that do not overlap: at one of four corners beside their circle, and faint if
/// all corners are taken.
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
    for (const Rect& rect :
         {at(right, above), at(right, below), at(left, above), at(left, below)}) {
      if (!std::ranges::all_of(taken_,
                               [&](const Rect& other) { return meet(rect, other).empty(); }))
        continue;
      taken_.push_back(rect);
      return {rect, true};
    }
    ++faded_;
    return {at(right, above), false};
  }
  /// Returns the opacity of the last number that found no free place. The more such numbers there
  /// are, the fainter they are, or they would cover everything.
  float faintness() const {
    constexpr float kFaded = 0.3F, kFew = 10;
    return kFaded * std::min(1.0F, kFew / static_cast<float>(faded_));
  }

 private:
  std::vector<Rect> taken_;
  size_t faded_ = 0;
};

void drawLabel(ImDrawList& list, const View& view, const motion::TrackRow& row,
               const CameraTracks& tracks, float opacity, LabelPlaces& places) {
  const std::string name = tracks.edits ? tracks.edits->name(row.track) : std::string();
  const std::string text =
      name.empty() ? fmt::format("{}{}", tracks.provisional ? "~" : "", row.track) : name;
  const LabelPlaces::Place place =
      places.take(onScreen(view, row.x, row.y), circleRadius(view, row.seen.radius),
                  ImGui::CalcTextSize(text.c_str()));
  if (!place.isFree) opacity *= places.faintness();
  const ImVec2 corner{place.rect.x, place.rect.y};
  if (place.isFree)
    list.AddText({corner.x + 1, corner.y + 1}, IM_COL32(0, 0, 0, 200), text.c_str());
  list.AddText(corner, withAlpha(colourOfTrack(tracks.colouredAs(row.track)), opacity),
               text.c_str());
  namePlace(fmt::format("{}:{}", place.isFree ? "number" : "faded", row.track), place.rect);
}

/// Returns the tracks in the view whose numbers are drawn. If they are many, returns the nearest to
/// the cursor.
std::vector<const motion::TrackRow*> labelledRows(const View& view, const CameraTracks& tracks,
                                                  std::optional<TrackId> selected) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Rect& area = view.area();
  const Point cursor{mouse.x, mouse.y};
  const Point middle = area.contains(cursor) ? cursor : area.centre();
  std::vector<std::pair<double, const motion::TrackRow*>> all;
  for (const motion::TrackRow& row : tracks.rows) {
    const Point p = view.toScreen({row.x, row.y});
    if (!area.contains(p)) continue;
    const double away = std::hypot(p.x - middle.x, p.y - middle.y);
    all.emplace_back(selected == row.track ? 0 : away, &row);
  }
  if (all.size() > kMostLabels) {
    std::nth_element(all.begin(), all.begin() + kMostLabels, all.end());
    all.resize(kMostLabels);
  }
  std::vector<const motion::TrackRow*> rows;
  for (const auto& [away, row] : all) rows.push_back(row);
  // Puts the selected track first, then the oldest, so that their numbers keep their places.
  std::sort(rows.begin(), rows.end(), [&](const motion::TrackRow* a, const motion::TrackRow* b) {
    return std::pair(selected != a->track, a->track) < std::pair(selected != b->track, b->track);
  });
  return rows;
}

bool isTracked(const CameraTracks& tracks, const shared::Detection& seen) {
  if (tracks.gone.contains({double{seen.x}, double{seen.y}})) return true;
  return std::any_of(tracks.rows.begin(), tracks.rows.end(), [&](const motion::TrackRow& row) {
    return row.state == motion::TrackState::measured && static_cast<float>(row.seen.x) == seen.x &&
           static_cast<float>(row.seen.y) == seen.y;
  });
}

}  // namespace

void drawRings(ImDrawList& list, const View& view, const CameraTracks& tracks,
               const std::vector<Selection>& chosen, size_t camera) {
  for (const Selection& one : chosen)
    for (const motion::TrackRow& row : tracks.rows)
      if (one.camera == camera && row.track == one.track)
        list.AddCircle(onScreen(view, row.x, row.y),
                       circleRadius(view, row.seen.radius) + 5 * unit(),
                       IM_COL32(255, 255, 255, 140), 0, lineWidth(1));
}

std::vector<TrackId> drawOverlay(ImDrawList& list, const View& view, const CameraTracks& tracks,
                                 const OverlayOptions& options, std::optional<TrackId> selected,
                                 bool stale) {
  const float opacity = stale || tracks.provisional ? 0.45F : 1.0F;
  const ImDrawListFlags before = list.Flags;
  if (!options.smoothLines) list.Flags &= ~ImDrawListFlags_AntiAliasedLines;
  if (options.trails) {
    for (const auto& [track, trail] : tracks.trails)
      drawTrail(list, view, trail, colourOfTrack(tracks.colouredAs(track)), opacity);
  }
  list.Flags = before;
  if (options.markers) {
    for (const shared::Detection& seen : tracks.measured->markers)
      if (!isTracked(tracks, seen)) drawUntracked(list, view, seen, opacity);
    for (const motion::TrackRow& row : tracks.rows)
      drawTracked(list, view, row, colourOfTrack(tracks.colouredAs(row.track)),
                  selected == row.track, opacity);
  }
  if (options.gates)
    for (const shared::Prediction& gate : tracks.gates)
      drawGate(list, view, gate, colourOfTrack(tracks.colouredAs(TrackId(gate.track))),
               options.gatesEnlarged);
  if (options.rejected) {
    for (const gpu::Rejected& rejected : tracks.measured->rejected)
      if (!isPartOfMarker(*tracks.measured, rejected)) drawRejected(list, view, rejected, opacity);
  }
  if (options.uncertainty) {
    for (const motion::TrackRow& row : tracks.rows)
      drawUncertainty(list, view, row, options.enlarged, opacity);
  }
  std::vector<TrackId> labels;
  if (!options.ids) return labels;
  LabelPlaces places;
  for (const motion::TrackRow* row : labelledRows(view, tracks, selected)) {
    drawLabel(list, view, *row, tracks, opacity, places);
    labels.push_back(row->track);
  }
  return labels;
}

namespace {

/// Returns the factor by which sizes are enlarged, given the sizes and circles of markers in px of
/// the screen, and the factor before.
double enlargementOf(const std::vector<double>& sizes, const std::vector<double>& circles,
                     double before) {
  // Factors of the marker's circle: the smallest and largest at which the factor is kept, and that
  // of a new one.
  constexpr double kLeast = 1.3, kMost = 6, kWanted = 2;
  if (sizes.empty() || circles.empty()) return before;
  const double least = base::medianOf(circles) / base::medianOf(sizes);
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
  for (const motion::TrackRow& row : tracks.rows) {
    const double sigma = std::max(row.seen.sigmaX, row.seen.sigmaY);
    if (row.state != motion::TrackState::measured || !(sigma > 0)) continue;
    sigmas.push_back(sigma * view.zoom());
    circles.push_back(static_cast<double>(circleRadius(view, row.seen.radius)));
  }
  for (const shared::Prediction& gate : tracks.gates)
    gates.push_back(std::max(1e-3, static_cast<double>(gate.gate) * view.zoom()));
  if (options.uncertainty) options.enlarged = enlargementOf(sigmas, circles, options.enlarged);
  if (options.gates) options.gatesEnlarged = enlargementOf(gates, circles, options.gatesEnlarged);
}

}  // namespace glint::ui
