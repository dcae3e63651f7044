#include "ui/panels/selected.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "ui/draw/scene.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

// Heights of the magnified view and of the curves, in font sizes.
constexpr float kPatch = 10, kCurves = 4;

/// Returns the distance between the parts of the card, px.
float cardPad() {
  return wholePx(6);
}
float cardEdge() {
  return wholePx(10);
}

/// Draws the surroundings of the marker with large pixels, the refined centre, and the enlarged
/// uncertainty.
void drawPatch(Context& context, const Rect& place, const motion::TrackRow& row) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  const size_t camera = viewState.selected->camera;
  const gpu::ImageFormat& format = model.format(camera);
  View view;
  view.place(place, format.width, format.height);
  view.showAt({row.x, row.y}, place.width / std::clamp(4 * row.seen.radius, 8.0, 64.0));
  constexpr double kEnlarged = 10;
  const Point p = view.toScreen({row.x, row.y});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (const auto image = imageOf(model, viewState, camera, view, context.scene))
    addInset(list, context.scene, *image);
  list.PushClipRect(upperLeft(place), lowerRight(place), true);
  const ImU32 colour = colourOfTrack(model.tracks.colouredAs(*viewState.selected));
  list.AddCircle({p.x, p.y}, static_cast<float>(row.seen.radius * view.zoom()), colour, 0,
                 1.5F * unit());
  const float arm = 6 * unit();
  list.AddLine({p.x - arm, p.y}, {p.x + arm, p.y}, colour, unit());
  list.AddLine({p.x, p.y - arm}, {p.x, p.y + arm}, colour, unit());
  const auto sigma =
      static_cast<float>(kEnlarged * std::max(row.seen.sigmaX, row.seen.sigmaY) * view.zoom());
  if (sigma > 1) list.AddCircle({p.x, p.y}, sigma, IM_COL32(255, 255, 255, 120), 0, unit());
  list.PopClipRect();
  list.AddRect(upperLeft(place), lowerRight(place), IM_COL32(90, 98, 112, 255));
}

void drawCurve(const Rect& place, const std::vector<TrailPoint>& path, const char* name,
               float TrailPoint::*value, ImU32 colour) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(upperLeft(place), lowerRight(place), IM_COL32(14, 16, 20, 255), 3);
  if (path.size() < 2) {
    list.AddText({place.x + wholePx(4), place.y + wholePx(1)}, kFaint,
                 fmt::format("{}  no path yet", name).c_str());
    return;
  }
  float least = path.front().*value, most = least;
  for (const TrailPoint& point : path) {
    least = std::min(least, point.*value);
    most = std::max(most, point.*value);
  }
  // Keeps the curve below the words.
  const float text = ImGui::GetFontSize() + wholePx(4);
  const float range = std::max(most - least, 1e-3F);
  const auto at = [&](const TrailPoint& point) {
    const double age = (path.back().time - point.time) / TrackView::kPathSeconds;
    return ImVec2{
        place.x + place.width * static_cast<float>(1 - age) - 2,
        place.y + text + (place.height - text - wholePx(3)) * (most - point.*value) / range};
  };
  for (size_t i = 1; i < path.size(); ++i)
    if (path[i].joined) list.AddLine(at(path[i - 1]), at(path[i]), colour, 1.5F * unit());
  const std::string words =
      fmt::format("{}  {:.1f} to {:.1f} px, {:g} s", name, least, most, TrackView::kPathSeconds);
  list.AddText({place.x + wholePx(4), place.y + wholePx(1)}, kFaint, words.c_str());
}

/// The unit of lengths in a card: mm if the camera has a scale.
struct LengthUnit {
  double times = 1;  ///< units a pixel
  const char* name = "px";
};

LengthUnit unitOf(const TrackEditor& editor, size_t camera) {
  const auto& scales = editor.edits().mmPerPx;
  const auto found = scales.find(CameraIndex(camera));
  return found == scales.end() ? LengthUnit() : LengthUnit{found->second, "mm"};
}

std::string placeWords(const motion::TrackRow& row, const LengthUnit& in) {
  return fmt::format("{:.2f}, {:.2f} {}", row.x * in.times, row.y * in.times, in.name);
}

void drawNumbers(const motion::TrackRow& row, const LengthUnit& in) {
  constexpr float kColumn = 4.2F;
  labelled("position", kColumn, placeWords(row, in));
  namedWords("card_place", placeWords(row, in));
  labelled("sigma", kColumn,
           fmt::format("{:.3f}, {:.3f} {}", row.seen.sigmaX * in.times, row.seen.sigmaY * in.times,
                       in.name));
  labelled("velocity", kColumn,
           fmt::format("({:.0f}, {:.0f}) {}/s", row.vx * in.times, row.vy * in.times, in.name));
  labelled("radius", kColumn, fmt::format("{:.2f} {}", row.seen.radius * in.times, in.name));
  labelled("peak", kColumn, fmt::format("{:.0f}  mass {:.0f}", row.seen.peak, row.seen.mass));
  labelled("shape", kColumn, fmt::format("eccentricity {:.2f}", row.seen.eccentricity));
  if (std::isfinite(row.seen.score))
    labelled("match", kColumn,
             fmt::format("{:.3f}  {:.0f} deg  x {:.2f}", row.seen.score, row.seen.angle,
                         row.seen.scale));
  if (row.state == motion::TrackState::predicted)
    ImGui::TextUnformatted("hidden; this is its expected position");
}

std::string nameAfter(const TrackEditor& editor, TrackId track) {
  const std::string name = editor.applied() ? editor.applied()->name(track) : std::string();
  return name.empty() ? name : ", " + name;
}

std::string titleOf(const WindowModel& model, const ViewState& viewState) {
  const auto point = model.tracks.pointOf(*viewState.selected);
  return fmt::format("track {}{}{}{}", model.tracks.provisional() ? "~" : "",
                     viewState.selected->track, point ? fmt::format(", point {}", *point) : "",
                     nameAfter(model.editor, viewState.selected->track));
}

/// Says why a track is not drawn: the user has hidden it, or it is not in this frame.
void drawAbsent(const TrackEditor& editor, TrackId track) {
  const bool hidden = editor.applied() && editor.applied()->hidden(track);
  const std::string words = hidden ? "hidden with B" : "not in this frame";
  ImGui::TextUnformatted(words.c_str());
  namedWords("absent", words);
}

/// The parts of a card that there is room for.
enum class CardSize { place, numbers, whole };

/// Draws the card. Returns true if its title is cut.
bool drawCard(Context& context, const Rect& place, CardSize size) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  const motion::TrackRow* row = model.tracks.selected();
  const bool whole = size == CardSize::whole;
  const LengthUnit in = unitOf(model.editor, viewState.selected->camera);
  const float em = ImGui::GetFontSize(), pad = cardPad();
  const float patch = std::round(em * kPatch), curves = std::round(em * kCurves);
  const Rect image{place.x + pad, place.y + pad, patch, patch};
  const ImU32 colour = colourOfTrack(model.tracks.colouredAs(*viewState.selected));
  ImGui::GetWindowDrawList()->AddRectFilled(upperLeft(place), lowerRight(place),
                                            IM_COL32(20, 23, 28, 255), 4 * unit());
  if (row && whole) drawPatch(context, image, *row);
  ImGui::SetCursorScreenPos({place.x + pad + (whole ? patch + wholePx(10) : wholePx(4)), image.y});
  ImGui::BeginGroup();
  const std::string title = titleOf(model, viewState);
  const float room = place.x + place.width - pad - ImGui::GetCursorScreenPos().x;
  const std::string fitting = beginningThatFits(title, room);
  text(colour, fitting);
  namedWords("card_title", fitting);
  if (!row)
    drawAbsent(model.editor, viewState.selected->track);
  else if (size == CardSize::place)
    ImGui::TextUnformatted(placeWords(*row, in).c_str());
  else
    drawNumbers(*row, in);
  ImGui::EndGroup();
  const bool cut = fitting != title;
  if (!row || !whole) return cut;
  const std::vector<TrailPoint>& path = model.tracks.path();
  const float half = std::round((place.width - 3 * pad) / 2), below = image.y + patch + pad;
  drawCurve({image.x, below, half, curves}, path, "x", &TrailPoint::x, colour);
  drawCurve({image.x + half + pad, below, half, curves}, path, "y", &TrailPoint::y, colour);
  return cut;
}

/// Returns the place of the selected marker on the screen; empty if its image is not shown.
std::optional<Point> markerOf(const WindowModel& model, const ViewState& viewState) {
  const motion::TrackRow* row = model.tracks.selected();
  const size_t camera = viewState.selected->camera;
  const bool shown = viewState.space.place != SpacePlace::alone &&
                     camera < viewState.views.size() &&
                     viewState.enlarged.value_or(camera) == camera;
  if (!row || !shown) return std::nullopt;
  return viewState.views[camera].toScreen({row->x, row->y});
}

/// Returns the places of all markers on the screen.
std::vector<Point> markersOf(const WindowModel& model, const ViewState& viewState) {
  std::vector<Point> markers;
  if (viewState.space.place == SpacePlace::alone) return markers;
  for (size_t i = 0; i < model.tracks.cameras().size() && i < viewState.views.size(); ++i) {
    if (viewState.enlarged.value_or(i) != i) continue;
    for (const motion::TrackRow& row : model.tracks.cameras()[i].rows)
      markers.push_back(viewState.views[i].toScreen({row.x, row.y}));
  }
  return markers;
}

/// Returns the height, px, of a camera's light, its name and the words about it at the upper edge.
float headerHeight(const WindowModel& model, const ViewState& viewState) {
  if (!model.state().live && model.cameras() == 1) return 0;
  const size_t first = viewState.enlarged.value_or(0);
  const auto& all = model.health.cameras();
  const bool words =
      first < all.size() && (all[first].light != Light::green || !all[first].mark.empty());
  return (words ? 2 : 1) * (ImGui::GetFontSize() + wholePx(5)) + wholePx(5);
}

}  // namespace

/// Returns the place along the edges of the views at which a card of this size covers the fewest
/// markers, and their number. It never covers the selected one. Prefers the place where the card
/// was, so that it stays while markers move. Empty if there is none.
std::optional<SelectedCard::Choice> SelectedCard::placeBeside(const Context& context,
                                                              const std::optional<Point>& marker,
                                                              ImVec2 size) const {
  const WindowModel& model = context.model;
  const Rect& views = context.layout.places.views;
  constexpr float kApart = 12;
  const float edge = cardEdge();
  const float badge = model.state().live ? 2 * ImGui::GetFontSize() : 0, apart = kApart * unit();
  const float left = views.x + edge, top = views.y + edge,
              header = headerHeight(model, context.viewState);
  const float right = views.x + views.width - edge - size.x;
  const float bottom = views.y + views.height - edge - size.y - 2 * ImGui::GetFontSize();
  // The corners come first, then places between them.
  const float upperLeft = std::max(top, views.y + header), upperRight = top + badge;
  std::vector<Point> places{
      {left, upperLeft}, {right, upperRight}, {left, bottom}, {right, bottom}};
  for (const float share : {0.5F, 0.25F, 0.75F}) {
    const float x = std::round(left + share * (right - left));
    places.push_back({left, std::round(upperLeft + share * (bottom - upperLeft))});
    places.push_back({right, std::round(upperRight + share * (bottom - upperRight))});
    places.push_back({x, std::max(upperLeft, upperRight)});
    places.push_back({x, bottom});
  }
  const std::vector<Point> markers = markersOf(model, context.viewState);
  std::optional<Choice> best;
  const auto weigh = [&](size_t i) {
    const auto [x, y] = places[i];
    const Rect around{x - apart, y - apart, size.x + 2 * apart, size.y + 2 * apart};
    if (right < left || y < top || y + size.y + edge > views.y + views.height ||
        (marker && around.contains(*marker)))
      return;
    const auto covered = static_cast<size_t>(
        std::ranges::count_if(markers, [&](const Point& other) { return around.contains(other); }));
    if (!best || covered < best->covered) best = Choice{i, covered, {x, y, size.x, size.y}};
  };
  weigh(place_);
  for (size_t i = 0; i < places.size() && !(best && best->covered == 0); ++i) weigh(i);
  return best;
}

void SelectedCard::draw(Context& context) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  const Rect& views = context.layout.places.views;
  context.layout.places.card = {};
  if (!viewState.selected) {
    place_ = 0;
    return;
  }
  if (!model.tracks.follows(*viewState.selected))
    return;  // the numbers are known in the next picture
  constexpr float kMostOfViews = 1.0F / 3;
  const float em = ImGui::GetFontSize(), words = em * 16, edge = cardEdge();
  const float lines = 2 * ImGui::GetTextLineHeightWithSpacing() + 2 * cardPad();
  const std::pair<CardSize, ImVec2> sizes[] = {
      {CardSize::whole,
       {std::round(em * kPatch) + words,
        std::round(em * kPatch) + std::round(em * kCurves) + 3 * cardPad()}},
      {CardSize::numbers, {words, em * 10}},
      {CardSize::place, {std::min(em * 13, views.width - 2 * edge), lines}}};
  if (sizes[2].second.x <= 0 || views.height <= lines + 2 * edge) return;
  const auto marker = markerOf(model, viewState);
  CardSize size = CardSize::place;
  // Takes the largest card that covers no marker. If every one covers some, takes the largest.
  std::optional<Choice> beside;
  for (const auto& [wanted, room] : sizes) {
    const bool small =
        model.tracks.selected() && room.x * room.y <= kMostOfViews * views.width * views.height;
    if (wanted != CardSize::place && !small) continue;
    const auto choice = placeBeside(context, marker, room);
    if (!choice || (beside && choice->covered > 0)) continue;
    size = wanted;
    beside = choice;
    if (choice->covered == 0) break;
  }
  if (beside) place_ = beside->index;
  const ImVec2 least = sizes[2].second;
  const Rect place =
      beside ? beside->place : Rect{views.x + edge, views.y + edge, least.x, least.y};
  // The card is a part of the views, so that it lies over their marks, and below everything else.
  const Area behind("views", views, 0, 0);
  ImGui::SetCursorScreenPos({place.x, place.y});
  // The mouse acts on what is below the card, so that markers there can be clicked.
  ImGui::BeginChild("selected", {place.width, place.height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoInputs);
  namePlace("selected", place);
  const bool cut = drawCard(context, place, size);
  ImGui::EndChild();
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::Dummy({place.width, place.height});
  std::string about = cut ? titleOf(model, viewState) : std::string();
  if (size == CardSize::whole)
    about += (cut ? "\n" : "") +
             std::string("The faint circle around the centre is ten times its uncertainty");
  hint(about);
  context.layout.places.card = place;
}

}  // namespace glint::ui
