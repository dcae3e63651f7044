#include "ui/panels/views.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/motion/frame/rejection_words.h"
#include "ui/draw/caption.h"
#include "ui/draw/hit_test.h"
#include "ui/draw/intensity_key.h"
#include "ui/draw/measure_overlay.h"
#include "ui/draw/overlay.h"
#include "ui/draw/pixel_values.h"
#include "ui/draw/scene.h"
#include "ui/draw/widgets.h"
#include "ui/model/rejections.h"
#include "ui/panels/absence.h"
#include "ui/panels/pointed.h"
#include "ui/panels/track_table.h"

namespace glint::ui {
namespace {

constexpr double kWheelStep = 1.25;
constexpr ImU32 kTileEdge = IM_COL32(62, 68, 78, 255);

std::optional<ImagePoint> markerPlace(const CameraTracks& tracks, TrackId track) {
  const motion::TrackRow* row = tracks.row(track);
  return row ? std::optional(ImagePoint{row->x, row->y}) : std::nullopt;
}

/// Returns the marker under the mouse, with its camera. Uses the places of the images in the
/// previous picture.
std::optional<std::pair<size_t, ImagePoint>> markerUnderMouse(const WindowModel& model,
                                                              const ViewState& viewState) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!model.shown.frame || viewState.space.place == SpacePlace::alone) return std::nullopt;
  for (size_t c = 0; c < viewState.views.size() && c < model.tracks.cameras().size(); ++c) {
    if (viewState.enlarged && *viewState.enlarged != c) continue;
    const Point cursor{mouse.x, mouse.y};
    if (!viewState.views[c].area().contains(cursor)) continue;
    const CameraTracks& tracks = model.tracks.cameras()[c];
    const auto track = trackAt(viewState.views[c], tracks, cursor);
    const auto place = track ? markerPlace(tracks, *track) : std::nullopt;
    if (place) return std::pair(c, *place);
  }
  return std::nullopt;
}

/// Draws "0 · ...cam_left.mkv": the camera's number as tables have it, in a badge, and as much of
/// the name's end as fits.
void drawName(const std::string& number, const std::string& name, const Rect& cell) {
  const float pad = wholePx(5), wide = ImGui::CalcTextSize(number.c_str()).x;
  const ImVec2 at{cell.x + pad, cell.y + wholePx(4)};
  const float bottom = at.y + ImGui::GetFontSize() + wholePx(2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + wide + 2 * pad, bottom}, IM_COL32(52, 84, 116, 235), 3 * unit());
  list.AddText({at.x + pad, at.y + wholePx(1)}, kText, number.c_str());
  const float used = wide + 3 * pad;  // px, the width up to the end of the badge
  const std::string words =
      "\u00b7 " + endThatFits(name, cell.width - used - 2 * ImGui::GetFontSize());
  // Darkens the ground, because markers and their numbers may lie below.
  const float end = cell.x + used + ImGui::CalcTextSize(words.c_str()).x + wholePx(10);
  list.AddRectFilled({cell.x + used, at.y}, {end, bottom}, IM_COL32(9, 10, 12, 190), 3 * unit());
  drawCaption(words, {cell.x + used, cell.y, cell.width - used, cell.height});
}

/// Draws the health of a camera at the beginning of its tile. If all is well, it is only the light.
void drawHealth(const WindowModel& model, size_t camera, const Rect& cell) {
  if (camera >= model.health.cameras().size()) return;
  const Health& health = model.health.cameras()[camera];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const ImVec2 from{cell.x + wholePx(6), cell.y + wholePx(5)};
  const ImVec2 middle{from.x + em * 0.4F, from.y + em * 0.5F};
  const ImU32 colour = kLights[static_cast<size_t>(health.light)];
  list.AddCircleFilled(middle, em * 0.4F, IM_COL32(0, 0, 0, 160));
  list.AddCircleFilled(middle, em * 0.33F, colour);
  namePlace(fmt::format("light:{}", camera), {from.x, from.y, em * 0.8F, em});
  std::string words = health.light == Light::green ? "" : health.words;
  if (!health.mark.empty()) words += (words.empty() ? "" : "; ") + health.mark;
  if (words.empty()) return;
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const ImVec2 at{from.x, from.y + em + wholePx(4)};
  const float pad = wholePx(3), high = wholePx(1);
  list.PushClipRect({cell.x, cell.y}, {cell.x + cell.width - pad, cell.y + cell.height}, true);
  list.AddRectFilled({at.x - pad, at.y - high}, {at.x + size.x + pad, at.y + size.y + high},
                     IM_COL32(20, 23, 28, 220), pad);
  list.AddText(at, health.light == Light::green ? kWarning : colour, words.c_str());
  list.PopClipRect();
}

/// Draws a badge that tells whether the picture is live. Draws none if all cameras that are shown
/// are lost, because their tiles tell since when.
void drawBadge(const WindowModel& model, std::optional<size_t> alone, const Rect& place) {
  const auto& shown = model.shown.frame;
  const auto stamp = shown ? stampOf(*shown) : std::nullopt;
  if (!stamp) return;
  if (alone && model.tracks.cameras()[*alone].measured->state == gpu::CameraState::lost) return;
  const bool live = model.playing() && !model.showsRecent();
  const auto isLost = [](const Health& health) { return health.light == Light::lost; };
  if (live && std::ranges::all_of(model.health.cameras(), isLost)) return;
  const std::string words =
      live ? "LIVE"
           : fmt::format("{:.1f} s ago", std::max(0.0, monotonicSeconds() - stamp->arrival));
  const float em = ImGui::GetFontSize();
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  // The badge is as high as the names of cameras, of which one may stand beside it.
  const float wide = size.x + std::round(em * 1.2F);
  const Rect badge{place.x + place.width - wide - wholePx(8), place.y + wholePx(4), wide,
                   size.y + wholePx(2)};
  ImGui::GetWindowDrawList()->AddRectFilled(
      upperLeft(badge), lowerRight(badge), live ? kRecord : IM_COL32(90, 98, 110, 255), 4 * unit());
  ImGui::GetWindowDrawList()->AddText({badge.x + std::round(em * 0.6F), badge.y + wholePx(1)},
                                      IM_COL32_WHITE, words.c_str());
  namePlace("live_badge", badge);
}

/// Draws the name of the filter whose output is shown, at the lower edge.
void drawFilterName(const ViewState& viewState, const Rect& place) {
  const float em = ImGui::GetFontSize(), pad = em * 0.6F;
  const std::string whole = fmt::format("Output of the filter {}.  Esc: back", viewState.filter);
  const std::string words = endThatFits(whole, place.width - 2 * pad - em);
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const Rect badge{place.x + (place.width - size.x) / 2 - pad,
                   place.y + place.height - size.y - wholePx(4) - 1.9F * em, size.x + 2 * pad,
                   size.y + wholePx(4)};
  ImGui::GetWindowDrawList()->AddRectFilled(upperLeft(badge), lowerRight(badge),
                                            IM_COL32(52, 84, 116, 235), 4 * unit());
  ImGui::GetWindowDrawList()->AddText({badge.x + pad, badge.y + wholePx(2)}, kText, words.c_str());
  namePlace("filter_shown", badge);
}

/// Returns the part of a tile that its image has. With several cameras, the title stands above it,
/// so that it covers no marker. A very small tile has no room for that.
Rect belowTitle(const Rect& tile, size_t cameras) {
  const float title = ImGui::GetFontSize() + wholePx(8);
  if (cameras < 2 || tile.height < 4 * title) return tile;
  return {tile.x, tile.y + title, tile.width, tile.height - title};
}

void drawEdge(const Rect& place, ImU32 colour) {
  ImGui::GetWindowDrawList()->AddRect({place.x + 1, place.y + 1},
                                      {place.x + place.width - 1, place.y + place.height - 1},
                                      colour, 0, 0, 2 * unit());
}

/// Writes the values of pixels into an image if the host has its plane. Returns their number.
size_t drawValues(const WindowModel& model, const ViewState& viewState, size_t camera,
                  ImDrawList& list) {
  const auto image = model.shown.pixels(model.place(camera));
  const bool same =
      image && (viewState.plane == DisplayPlane::source ||
                (viewState.plane == DisplayPlane::luminance && image->format.channels == 1));
  if (!same) return 0;
  const auto& stamp = model.tracks.cameras()[camera].measured->stamp;
  return drawPixelValues(list, viewState.views[camera], *image, viewState.black, viewState.white,
                         stamp && stamp->neutral);
}

/// Names the markers and candidates of the first camera for tests.
void nameMarkers(const WindowModel& model, const ViewState& viewState) {
  const CameraTracks& tracks = model.tracks.cameras().front();
  if (viewState.views.empty() || viewState.enlarged.value_or(0) != 0) return;
  const View& view = viewState.views.front();
  const auto name = [&](const std::string& words, ImagePoint at) {
    const Point p = view.toScreen(at);
    namePlace(words, {p.x - 1, p.y - 1, 2, 2});
  };
  for (const motion::TrackRow& row : tracks.rows)
    name(fmt::format("marker:{}", row.track), {row.x, row.y});
  if (!viewState.overlay.rejected) return;
  constexpr size_t kMostNamed = 20;
  size_t number = 0;
  for (const gpu::Rejected& rejected : tracks.measured->rejected) {
    const auto [x, y] = placeOf(rejected);
    if (isPartOfMarker(*tracks.measured, rejected) || number == kMostNamed ||
        !view.area().contains(view.toScreen({x, y})))
      continue;
    name(fmt::format("rejected:{}", number++), {x, y});
  }
}

/// Divides an area into the 3D view, and the images beside or below it.
std::pair<Rect, Rect> split(const Rect& all) {
  Rect space = all, images = all;
  if (all.width > 1.2F * all.height) {
    space.width = std::round(all.width * 0.55F);
    images.x += space.width;
    images.width -= space.width;
  } else {
    space.height = std::round(all.height * 0.5F);
    images.y += space.height;
    images.height -= space.height;
  }
  return {space, images};
}

}  // namespace

void Views::draw(Context& context) {
  WindowModel& model = context.model;
  const Rect& place = context.layout.places.views;
  const Area area("views", place, 0, 0);
  displayed_ = {};
  space_.begin();
  model.pointed.words.clear();
  model.pointed.probing.reset();
  firstLevels_.fit(context);
  context.scene.background = toFramebuffer(place);
  context.viewState.views.resize(model.cameras());
  drawAll(context, place);
  if (namedPlaces().wanted && !model.tracks.cameras().empty())
    nameMarkers(model, context.viewState);
}

/// Draws the 3D view, if there is a rig, and the images.
void Views::drawAll(Context& context, const Rect& all) {
  const WindowModel& model = context.model;
  ViewState& viewState = context.viewState;
  Rect place = all;
  if (model.task.rig && viewState.space.place != SpacePlace::hidden) {
    const bool alone = viewState.space.place == SpacePlace::alone;
    const auto [space, images] = alone ? std::pair(all, Rect()) : split(all);
    space_.draw(context, space);
    place = images;
    viewState.space.marker = markerUnderMouse(model, viewState);
    if (alone) return;
  }
  const size_t count = model.cameras();
  const gpu::ImageFormat& first = model.task.session.groups().formats.front().image;
  const double aspect = static_cast<double>(first.width) / first.height;
  for (size_t i = 0; i < count; ++i) {
    if (viewState.enlarged && *viewState.enlarged != i) continue;
    drawCamera(context, i, viewState.enlarged ? place : gridCell(place, i, count, aspect));
  }
  drawEnlarged(viewState.overlay, place);
  if (viewState.copied) return;
  if (viewState.plane == DisplayPlane::filter) drawFilterName(viewState, place);
  if (model.state().live) drawBadge(model, viewState.enlarged, place);
  if (model.recording.status()) drawEdge(place, kRecord);
}

void Views::describe(nlohmann::json& to) const {
  space_.describe(to);
  to["pixel_values"] = displayed_.pixelValues;
  to["legend"] = displayed_.legend;
  to["labels"] = nlohmann::json::array();
  for (const TrackId track : displayed_.labels) to["labels"].push_back(track.value());
  if (!displayed_.rejection.empty()) to["pointed"] = displayed_.rejection;
  if (!displayed_.rejectionWords.empty()) to["pointed_words"] = displayed_.rejectionWords;
}

void Views::drawCamera(Context& context, size_t camera, const Rect& tile) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  const gpu::ImageFormat& format = model.format(camera);
  const Rect cell = belowTitle(tile, model.cameras());
  context.viewState.views[camera].place(cell, format.width, format.height);
  ImGui::SetCursorScreenPos({cell.x, cell.y});
  invisibleButton(fmt::format("camera{}", camera), {cell.width, cell.height},
                  ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  handleMouse(context, camera);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemHovered()) describePointed(context, camera, {mouse.x, mouse.y});
  if (model.shown.frame) drawFrame(context, camera, cell);
  if (viewState.plane == DisplayPlane::intensity && model.shown.frame && !viewState.copied) {
    const double threshold = model.tracks.cameras()[camera].measured->threshold;
    namePlace(fmt::format("intensity_key:{}", camera),
              drawIntensityKey(*ImGui::GetWindowDrawList(), cell, threshold / format.fullScale()));
  }
  const bool lit = model.state().live && !viewState.copied;
  if (lit) drawHealth(model, camera, tile);
  if (model.cameras() > 1) {
    const float indent = lit ? ImGui::GetFontSize() * 1.2F : 0;
    const Rect rest{tile.x + indent, tile.y, tile.width - indent, tile.height};
    ImGui::GetWindowDrawList()->AddRect(upperLeft(tile), lowerRight(tile), kTileEdge);
    drawName(fmt::format("{}", camera), model.task.sources[camera].shown(), rest);
    namePlace(fmt::format("tile:{}", camera), rest);
  }
}

/// Draws a camera's image and everything that lies over it.
void Views::drawFrame(Context& context, size_t camera, const Rect& cell) {
  const WindowModel& model = context.model;
  ViewState& viewState = context.viewState;
  Scene& scene = context.scene;
  const View& view = viewState.views[camera];
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const CameraTracks& tracks = model.tracks.cameras()[camera];
  // A camera that has no frame shows its last image.
  const bool hasImage = model.state().live || tracks.measured->stamp || model.shown.earlier(camera);
  const auto image = hasImage ? imageOf(model, viewState, camera, view, scene) : std::nullopt;
  if (image) scene.images.push_back(*image);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(upperLeft(cell), lowerRight(cell), true);
  const size_t values = drawValues(model, viewState, camera, list);
  if (camera == 0) displayed_.pixelValues = values;
  const bool chosen = viewState.selected && viewState.selected->camera == camera;
  if (camera == viewState.enlarged.value_or(0)) enlarge(view, tracks, viewState.overlay);
  auto labels = drawOverlay(list, view, tracks, viewState.overlay,
                            chosen ? std::optional(viewState.selected->track) : std::nullopt,
                            model.shown.stale);
  if (camera == 0) displayed_.labels = std::move(labels);
  if (model.task.rig) space_.drawInImage(context, camera, list);
  if (context.layout.side && context.layout.tab == "Calibrate")
    calibrator_.drawOver(list, view, camera, model.format(camera));
  drawRings(list, view, tracks, viewState.more, camera);
  if (viewState.overlay.masks || masks_.on()) masks_.drawOver(list, view, camera);
  drawMeasures(list, view, model.measuring, camera, {mouse.x, mouse.y});
  drawAbsence(model, camera, hasImage, view, cell, list);
  list.PopClipRect();
}

/// Adds a legend of the marks that are drawn larger than they are.
void Views::drawEnlarged(const OverlayOptions& overlay, const Rect& place) {
  std::string& legend = displayed_.legend;
  if (overlay.uncertainty && overlay.enlarged != 1)
    legend = fmt::format("uncertainties {:g} times as large", overlay.enlarged);
  if (overlay.gates && overlay.gatesEnlarged != 1) {
    legend += legend.empty() ? "" : ", ";
    legend += fmt::format("gates {:g} times as large", overlay.gatesEnlarged);
  }
  drawLegend(legend, place);
}

void Views::handleMouse(Context& context, size_t camera) {
  const WindowModel& model = context.model;
  Measuring& measuring = context.model.measuring;
  ViewState& viewState = context.viewState;
  const Rect& card = context.layout.places.card;
  View& view = viewState.views[camera];
  const ImGuiIO& io = ImGui::GetIO();
  const Point cursor{io.MousePos.x, io.MousePos.y};
  if (ImGui::IsItemHovered() && io.MouseWheel != 0)
    view.zoomBy(std::pow(kWheelStep, io.MouseWheel), cursor);
  if (dragEnd(context, camera, cursor)) return;
  const bool drags =
      ImGui::IsItemActive() && (ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0) ||
                                (!masks_.on() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)));
  if (drags) view.moveBy(io.MouseDelta.x, io.MouseDelta.y);
  if (masks_.on()) return masks_.paint(camera, view);
  if (!ImGui::IsItemHovered() || !model.shown.frame) return;
  const CameraTracks& tracks = model.tracks.cameras()[camera];
  const bool clicked =
      ImGui::IsMouseReleased(ImGuiMouseButton_Left) && io.MouseDragMaxDistanceSqr[0] < 16;
  const auto track = clicked ? trackAt(view, tracks, cursor) : std::nullopt;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && model.cameras() > 1 &&
      !measuring.on()) {
    viewState.enlarged = viewState.enlarged ? std::nullopt : std::optional(camera);
  } else if (clicked && measuring.on()) {
    measuring.click(camera, view.toImage(cursor), track);
  } else if (clicked && (track || !card.contains(cursor))) {
    select(viewState, track ? std::optional(Selection{camera, *track}) : std::nullopt);
    if (model.task.rig)
      selectInSpace(model, viewState.space, camera,
                    track ? markerPlace(tracks, *track) : std::nullopt);
  } else if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    const auto pointed = trackAt(view, tracks, cursor);
    if (pointed || !card.contains(cursor))
      viewState.selected = pointed ? std::optional(Selection{camera, *pointed}) : std::nullopt;
    viewState.menu = true;
  }
  if (!viewState.overlay.rejected) return;
  if (const gpu::Rejected* rejected = rejectedAt(view, tracks, cursor))
    explainRejected(context, *rejected, camera, clicked && !track);
}

/// Drags the end of a measure that the mouse holds. Returns true if it holds one.
bool Views::dragEnd(Context& context, size_t camera, Point cursor) const {
  const WindowModel& model = context.model;
  Measuring& measuring = context.model.measuring;
  const View& view = context.viewState.views[camera];
  if (ImGui::IsItemActivated() && !masks_.on() && !measuring.on() && model.shown.frame &&
      ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    measuring.hold(measuring.endAt(camera, view, cursor, 7 * unit()));
  if (!measuring.holds() || (!ImGui::IsItemActive() && !ImGui::IsItemDeactivated())) return false;
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) measuring.drag(view.toImage(cursor));
  if (!ImGui::IsItemDeactivated()) return true;
  const bool there = model.shown.frame != nullptr;
  measuring.drop(there ? trackAt(view, model.tracks.cameras()[camera], cursor) : std::nullopt);
  return ImGui::GetIO().MouseDragMaxDistanceSqr[0] >= 16;
}

/// Tells why the candidate under the cursor is no marker. A click leads to the setting that
/// rejected it.
void Views::explainRejected(Context& context, const gpu::Rejected& rejected, size_t camera,
                            bool clicked) {
  const WindowModel& model = context.model;
  const auto [x, y] = placeOf(rejected);
  const motion::Explanation why = motion::explain(rejected, *model.shown.frame->settings,
                                                  model.tracks.cameras()[camera].measured->markers);
  displayed_.rejection = gpu::nameOf(rejected.reason);
  displayed_.rejectionWords = why.words;
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(why.words.c_str());
  faint(fmt::format("Rejected candidate at {:.1f}, {:.1f}, peak {}", x, y, rejected.seen.peak));
  faint(fmt::format("A click leads to the setting \"{}\".", labelOf(why.key)));
  named("tip");
  ImGui::EndTooltip();
  if (clicked) context.layout.showSetting(std::string(why.key));
}

}  // namespace glint::ui
