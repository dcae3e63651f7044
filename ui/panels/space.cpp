#include "ui/panels/space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/quantile.h"
#include "ui/draw/caption.h"
#include "ui/draw/scene.h"
#include "ui/draw/space_scene.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr double kWheelZoom = 1.2;
// Distance of an image from its camera, as a share of the cameras' distance.
constexpr double kImageDepth = 0.22;
// Standard deviations that hold 95 % of a normal distribution in three dimensions.
constexpr double kNinetyFive = 2.796;
constexpr float kPointReach = 10;  // points from the mouse
// Smallest and largest radius of a point, points.
constexpr float kLeastDot = 2.5F, kMostDot = 9;
constexpr double kMarkerRadius = 14;  // mm, radius of a marker

// Colours of the axes x, y and z.
constexpr std::array kAxisColours{IM_COL32(229, 72, 77, 255), IM_COL32(70, 190, 110, 255),
                                  IM_COL32(86, 140, 255, 255)};

const motion::SpaceRow* pointRow(const WindowModel& model, std::optional<uint64_t> point) {
  if (!point) return nullptr;
  for (const motion::SpaceRow& row : model.tracks.points())
    if (row.point == *point) return &row;
  return nullptr;
}

void frameAll(const WindowModel& model, shell::Orbit& orbit) {
  const motion::SpaceRig& rig = *model.task.rig;
  std::vector<Eigen::Vector3d> all;
  for (size_t c = 0; c < rig.size(); ++c) all.push_back(rig[c].centre());
  for (const motion::SpaceRow& row : model.tracks.points()) all.push_back(row.at);
  orbit.frame(all);
}

/// Returns the largest number of the form 1, 2 or 5 times a power of ten that is not above `value`.
double roundDown(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

/// Returns the factor by which ellipsoids are enlarged, so that most of them can be seen.
double enlargement(const std::vector<motion::SpaceRow>& points, const shell::Orbit& orbit) {
  std::vector<double> sizes;
  for (const motion::SpaceRow& row : points)
    sizes.push_back(std::sqrt(std::max(0.0, row.covariance.trace() / 3)));
  if (sizes.empty()) return 1;
  const double median = std::max(base::medianOf(std::move(sizes)), 1e-6);
  return std::max(1.0, roundDown(16 * double(unit()) / (orbit.scale() * kNinetyFive * median)));
}

void drawSpaceImages(Context& context, const Rect& place, const SpaceCanvas& canvas,
                     ImDrawList& list) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  Scene& scene = context.scene;
  const motion::SpaceRig& rig = *model.task.rig;
  const shell::Orbit& orbit = viewState.space.orbit;
  const double length = kImageDepth * rig.distance();
  std::vector<std::pair<double, size_t>> order;  // the farthest first
  for (size_t c = 0; c < rig.size(); ++c) order.emplace_back(-orbit.see(rig[c].centre()).depth, c);
  std::sort(order.begin(), order.end());
  const motion::SpaceRow* chosen = pointRow(model, viewState.space.point);
  for (const auto& [depth, c] : order) {
    const bool sees = chosen && (chosen->cameras >> c & 1) != 0;
    const auto scale = double(ImGui::GetIO().DisplayFramebufferScale.x);
    const auto warp = warpOf(rig[c], length, orbit, place, scale);
    if (warp && model.shown.frame) {
      float left = place.x + place.width, right = place.x, top = place.y + place.height,
            bottom = place.y;
      for (const Eigen::Vector3d& corner : imageCorners(rig[c], length)) {
        const ImVec2 p = canvas.at(orbit.see(corner));
        left = std::min(left, p.x), right = std::max(right, p.x);
        top = std::min(top, p.y), bottom = std::max(bottom, p.y);
      }
      const float fromX = std::max(left, place.x), fromY = std::max(top, place.y);
      const Rect seen{fromX, fromY, std::min(right, place.x + place.width) - fromX,
                      std::min(bottom, place.y + place.height) - fromY};
      View view;
      view.place(place, model.format(c).width, model.format(c).height);
      auto image = imageOf(model, viewState, c, view, scene);
      if (image && seen.width > 0 && seen.height > 0) {
        image->warp = warp;
        image->visible = toFramebuffer(seen);
        image->zoom = std::max(1e-3, scale * double(right - left) / model.format(c).width);
        addInset(list, scene, *image);
      }
    }
    canvas.camera(rig[c], length, sees ? kAccent : IM_COL32(120, 130, 146, 255));
    const auto centre = orbit.see(rig[c].centre());
    if (centre.depth <= orbit.nearest()) continue;
    const ImVec2 p = canvas.at(centre);
    list.AddText({p.x + 4 * unit(), p.y - ImGui::GetFontSize()}, kText,
                 fmt::format("{}", c).c_str());
    namePlace(fmt::format("space_camera:{}", c), {p.x - 1, p.y - 1, 2, 2});
  }
}

void drawSpaceTrails(const SpaceCanvas& canvas, const PointTrails& trails) {
  for (const auto& [point, places] : trails) {
    for (size_t i = 1; i < places.size(); ++i) {
      const float age = static_cast<float>(i) / static_cast<float>(places.size());
      canvas.line(places[i - 1], places[i], withAlpha(colourOfPoint(point), 0.8F * age), unit());
    }
  }
}

/// Draws the axes of the world, from its origin, with their names. `length` is in mm.
void drawWorldAxes(const shell::Orbit& orbit, const SpaceCanvas& canvas, double length,
                   ImDrawList& list) {
  constexpr std::array kNames{"x", "y", "z"};
  for (size_t i = 0; i < kNames.size(); ++i) {
    const Eigen::Vector3d tip = length * Eigen::Vector3d::Unit(static_cast<Eigen::Index>(i));
    canvas.line(Eigen::Vector3d::Zero(), tip, kAxisColours[i], 1.5F * unit());
    const auto image = orbit.see(1.08 * tip);
    if (image.depth <= orbit.nearest()) continue;
    const ImVec2 p = canvas.at(image), half = ImGui::CalcTextSize(kNames[i]);
    list.AddText({p.x - half.x / 2, p.y - half.y / 2}, kAxisColours[i], kNames[i]);
    namePlace(std::string("axis:") + kNames[i], {p.x - 1, p.y - 1, 2, 2});
  }
}

/// Draws a bar of a round length at the lower right, as long as things at the target of the view
/// look. Returns its length in words.
std::string drawScaleBar(const shell::Orbit& orbit, const Rect& place, ImDrawList& list) {
  constexpr float kLongest = 110;  // points
  const double mm = roundDown(double(kLongest * unit()) / orbit.scale());
  const std::string words =
      mm < 1000 ? fmt::format("{:g} mm", mm) : fmt::format("{:g} m", mm / 1000);
  const auto length = static_cast<float>(mm * orbit.scale());
  const float x = place.x + place.width - wholePx(10) - length;
  const float y = place.y + place.height - wholePx(10);
  const float end = wholePx(4);
  list.AddLine({x, y}, {x + length, y}, kText, unit());
  list.AddLine({x, y - end}, {x, y + 1}, kText, unit());
  list.AddLine({x + length, y - end}, {x + length, y + 1}, kText, unit());
  list.AddText({x + wholePx(4), y - ImGui::GetFontSize() - wholePx(3)}, kText, words.c_str());
  namePlace("scale_bar", {x, y - end, length, end});
  return words;
}

/// Draws the axes (red x, green y, blue z) and the names of bodies.
void drawBodies(const WindowModel& model, const ViewState& viewState, const SpaceCanvas& canvas,
                ImDrawList& list) {
  // points, at the distance of the target.
  constexpr float kLength = 28;
  const shell::Orbit& orbit = viewState.space.orbit;
  const double length = double(kLength * unit()) / orbit.scale();
  for (const motion::PoseRow& pose : model.tracks.poses()) {
    const float share = pose.state == motion::PoseState::predicted ? 0.5F : 1;
    const Eigen::Matrix3d axes = pose.attitude.toRotationMatrix();
    for (int i = 0; i < 3; ++i)
      canvas.line(pose.at, pose.at + length * axes.col(i),
                  withAlpha(kAxisColours[static_cast<size_t>(i)], share), 2.5F * unit());
    const auto image = orbit.see(pose.at);
    if (image.depth <= orbit.nearest()) continue;
    const ImVec2 p = canvas.at(image);
    list.AddText({p.x + 6 * unit(), p.y + 6 * unit()}, kText, pose.body.c_str());
    namePlace("body:" + pose.body, {p.x - 1, p.y - 1, 2, 2});
  }
}

/// Returns the radius of a point on the screen, px.
float dotRadius(const shell::Orbit& orbit, const shell::Orbit::Image& image) {
  const double mm = orbit.scale() * orbit.distance() / image.depth;
  return std::clamp(static_cast<float>(kMarkerRadius * mm), kLeastDot * unit(), kMostDot * unit());
}

/// Draws the points, far ones first. Returns the one under the mouse; null if there is none.
const motion::SpaceRow* drawPoints(const WindowModel& model, const ViewState& viewState,
                                   const SpaceCanvas& canvas, ImDrawList& list, ImVec2 mouse) {
  const shell::Orbit& orbit = viewState.space.orbit;
  std::vector<std::pair<shell::Orbit::Image, const motion::SpaceRow*>> order;
  for (const motion::SpaceRow& row : model.tracks.points()) {
    const auto image = orbit.see(row.at);
    if (image.depth > orbit.nearest()) order.emplace_back(image, &row);
  }
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first.depth > b.first.depth; });
  const motion::SpaceRow* under = nullptr;
  float nearest = kPointReach * unit();
  for (const auto& [image, row] : order) {
    const ImVec2 p = canvas.at(image);
    const ImU32 colour = colourOfPoint(row->point);
    const float radius = dotRadius(orbit, image);
    if (row->state == motion::TrackState::measured)
      list.AddCircleFilled(p, radius, colour);
    else
      list.AddCircle(p, radius, colour, 0, unit());
    const bool grouped =
        std::ranges::find(viewState.space.group, row->point) != viewState.space.group.end();
    if (grouped) list.AddCircle(p, radius + 4 * unit(), kAccent, 0, 2 * unit());
    if (viewState.space.point == row->point && !grouped)
      list.AddCircle(p, radius + 4 * unit(), IM_COL32_WHITE, 0, 2 * unit());
    namePlace(fmt::format("point:{}", row->point), {p.x - 1, p.y - 1, 2, 2});
    const float away = std::hypot(p.x - mouse.x, p.y - mouse.y);
    if (away > nearest) continue;
    nearest = away;
    under = row;
  }
  return under;
}

/// Writes the names of the points beside them, near points first. Leaves out names that would lie
/// on another one, except that of the selected point.
void drawPointNames(const WindowModel& model, const ViewState& viewState, const SpaceCanvas& canvas,
                    ImDrawList& list) {
  const shell::Orbit& orbit = viewState.space.orbit;
  std::vector<std::pair<shell::Orbit::Image, const motion::SpaceRow*>> order;
  for (const motion::SpaceRow& row : model.tracks.points()) {
    const auto image = orbit.see(row.at);
    if (image.depth > orbit.nearest()) order.emplace_back(image, &row);
  }
  std::ranges::sort(order, {}, [&](const auto& one) {
    return std::pair(viewState.space.point != one.second->point, one.first.depth);
  });
  std::vector<Rect> taken;
  for (const auto& [image, row] : order) {
    const std::string label = row->label.empty() ? fmt::format("{}", row->point) : row->label;
    const ImVec2 p = canvas.at(image), size = ImGui::CalcTextSize(label.c_str());
    const float radius = dotRadius(orbit, image);
    const Rect own{p.x + radius + 2 * unit(), p.y - radius - 10 * unit(), size.x, size.y};
    const auto overlaps = [&](const Rect& other) { return !meet(own, other).empty(); };
    if (std::ranges::any_of(taken, overlaps)) continue;
    taken.push_back(own);
    list.AddText({own.x, own.y}, colourOfPoint(row->point), label.c_str());
    namePlace(fmt::format("point_name:{}", row->point), own);
  }
}

/// Shows words about a point. `tracks` are its tracks in the images.
void drawPointTooltip(const motion::SpaceRow& row, const std::string& tracks) {
  const Eigen::Vector3d sigma = row.covariance.diagonal().cwiseMax(0).cwiseSqrt();
  std::string words =
      fmt::format("point {}{}\n{:.2f}, {:.2f}, {:.2f} mm\n\u00b1 {:.2f}, {:.2f}, {:.2f} mm",
                  row.point, row.state == motion::TrackState::measured ? "" : ", predicted",
                  row.at.x(), row.at.y(), row.at.z(), sigma.x(), sigma.y(), sigma.z());
  words += fmt::format("\n{}", counted(static_cast<size_t>(row.rays()), "ray"));
  if (row.residual >= 0) words += fmt::format(", residual {:.2f} px", row.residual);
  words += fmt::format("\n{:.0f} mm/s", row.velocity.norm());
  if (!row.body.empty()) words += fmt::format("\n{} {}", row.body, row.label);
  if (!tracks.empty()) words += "\ntracks " + tracks;
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(words.c_str());
  named("tip");
  ImGui::EndTooltip();
}

/// Moves the view with the wheel and by drags. Called before anything is drawn, so that the picture
/// shows the new view.
void moveByMouse(SpaceViewState& space) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  if (hovered && io.MouseWheel != 0) {
    space.orbit.zoomBy(std::pow(kWheelZoom, double(io.MouseWheel)));
    space.framed = space.moved = true;
  }
  const bool left = active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4);
  const bool middle = active && ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0);
  if (middle || (left && io.KeyShift)) {
    space.orbit.moveBy(double(io.MouseDelta.x), double(io.MouseDelta.y));
    space.framed = space.moved = true;
  } else if (left) {
    space.orbit.turnBy(double(io.MouseDelta.x), double(io.MouseDelta.y));
  }
}

/// Handles clicks. `free` is true if no card lies under the mouse.
void handleClicks(SpaceViewState& space, const TrackView& tracks, const motion::SpaceRow* under,
                  bool free) {
  if (!ImGui::IsItemHovered()) return;
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    space.place = space.place == SpacePlace::alone ? SpacePlace::beside : SpacePlace::alone;
  } else if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && io.MouseDragMaxDistanceSqr[0] < 16 &&
             (under || free)) {
    selectPoint(space, under ? std::optional(under->point) : std::nullopt, io.KeyCtrl);
  }
  if (under && !ImGui::IsItemActive()) drawPointTooltip(*under, tracks.tracksOfPoint(under->point));
}

}  // namespace

void selectPoint(SpaceViewState& space, std::optional<uint64_t> point, bool withCtrl) {
  if (withCtrl && !point) return;
  if (!withCtrl) {
    space.group.clear();
    space.point = point;
    return;
  }
  if (space.group.empty() && space.point && space.point != point) space.group = {*space.point};
  if (std::erase(space.group, *point) == 0) space.group.push_back(*point);
}

void SpaceView::begin() {
  words_.clear();
  bar_.clear();
  rays_ = lines_ = 0;
}

/// Draws the rays from the cameras that see the selected point.
void SpaceView::drawRays(const WindowModel& model, const ViewState& viewState,
                         const SpaceCanvas& canvas) {
  const motion::SpaceRow* row = pointRow(model, viewState.space.point);
  if (row == nullptr) return;
  const motion::SpaceRig& rig = *model.task.rig;
  for (size_t c = 0; c < rig.size(); ++c) {
    if ((row->cameras >> c & 1) == 0) continue;
    canvas.line(rig[c].centre(), row->at, withAlpha(kAccent, 0.8F), unit());
    ++rays_;
  }
}

void SpaceView::draw(Context& context, const Rect& place) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  SpaceViewState& space = context.viewState.space;
  const Floor floor = floorOf(*model.task.rig);
  if (!space.oriented) space.orbit = shell::Orbit(floor.up);
  space.oriented = true;
  space.orbit.place(double(place.width), double(place.height));
  const std::pair size{place.width, place.height};
  if (!space.moved && size != space.framedIn) space.framed = false;
  if (!space.framed && model.shown.frame) {
    frameAll(model, space.orbit);
    space.framed = !model.tracks.points().empty();
    space.framedIn = size;
  }
  ImGui::SetCursorScreenPos({place.x, place.y});
  invisibleButton("space", {place.width, place.height},
                  ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  moveByMouse(space);
  const ImVec2 mouse = ImGui::IsItemHovered() ? ImGui::GetIO().MousePos : ImVec2(-1e6F, -1e6F);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(upperLeft(place), lowerRight(place), true);
  const SpaceCanvas canvas(list, space.orbit, place);
  const double side = canvas.floor(floor, space.orbit.target());
  drawSpaceImages(context, place, canvas, list);
  const ImDrawListFlags before = list.Flags;
  if (!viewState.overlay.smoothLines) list.Flags &= ~ImDrawListFlags_AntiAliasedLines;
  if (viewState.overlay.trails) drawSpaceTrails(canvas, model.tracks.pointTrails());
  const double times = enlargement(model.tracks.points(), space.orbit);
  if (viewState.overlay.uncertainty)
    for (const motion::SpaceRow& row : model.tracks.points())
      canvas.ellipsoid(row.at, row.covariance, times * kNinetyFive,
                       withAlpha(colourOfPoint(row.point), 0.7F));
  list.Flags = before;
  drawRays(model, viewState, canvas);
  drawBodies(model, viewState, canvas, list);
  drawWorldAxes(space.orbit, canvas, side, list);
  const motion::SpaceRow* under = drawPoints(model, viewState, canvas, list, mouse);
  if (viewState.overlay.ids) drawPointNames(model, viewState, canvas, list);
  bar_ = drawScaleBar(space.orbit, place, list);
  std::string words = fmt::format("{}, squares of {:g} m",
                                  counted(model.tracks.points().size(), "point"), side / 1000);
  list.AddText(nullptr, 0, {place.x + wholePx(6), place.y + wholePx(5)}, kText, words.c_str(),
               nullptr, std::max(1.0F, place.width - wholePx(12)));
  if (viewState.overlay.uncertainty) {
    const std::string legend = fmt::format("95 % ellipsoids, {:g} times as large", times);
    drawLegend(legend, place);
    words += ", " + legend;
  }
  words_ = words;
  list.PopClipRect();
  handleClicks(space, model.tracks, under,
               !context.layout.places.card.contains({mouse.x, mouse.y}));
}

void SpaceView::drawInImage(const Context& context, size_t camera, ImDrawList& list) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  const motion::SpaceRig& rig = *model.task.rig;
  const View& view = viewState.views[camera];
  const auto ray = [&](size_t from, const Eigen::Vector3d& direction, ImU32 colour) {
    const auto line = rayInImage(rig, camera, rig[from].centre(), direction);
    for (size_t i = 1; i < line.size(); ++i) {
      if (std::isnan(line[i - 1].x) || std::isnan(line[i].x)) continue;
      const Point a = view.toScreen(line[i - 1]), b = view.toScreen(line[i]);
      list.AddLine({a.x, a.y}, {b.x, b.y}, colour, unit());
    }
    ++lines_;
  };
  if (const motion::SpaceRow* row = pointRow(model, viewState.space.point)) {
    const ImU32 colour = colourOfPoint(row->point);
    for (size_t c = 0; c < rig.size(); ++c)
      if (c != camera && (row->cameras >> c & 1) != 0)
        ray(c, (row->at - rig[c].centre()).normalized(), withAlpha(colour, 0.7F));
    if (const auto image = rig[camera].see(row->at)) {
      const Point p = view.toScreen({image->pixel.x(), image->pixel.y()});
      const float reach = 9 * unit();
      list.AddQuad({p.x - reach, p.y}, {p.x, p.y - reach}, {p.x + reach, p.y}, {p.x, p.y + reach},
                   IM_COL32_WHITE, 2 * unit());
    }
  }
  const auto& marker = viewState.space.marker;
  if (!marker || marker->first == camera) return;
  const auto seen =
      motion::rayOf(rig[marker->first].camera(), {marker->second.x, marker->second.y});
  if (seen) ray(marker->first, seen->direction, IM_COL32(255, 255, 255, 200));
}

void SpaceView::describe(nlohmann::json& to) const {
  to["space"] = words_;
  to["space_bar"] = bar_;
  to["space_rays"] = rays_;
  to["space_lines"] = lines_;
}

void selectInSpace(const WindowModel& model, SpaceViewState& space, size_t camera,
                   std::optional<ImagePoint> marker) {
  constexpr double kNear = 6;  // px
  selectPoint(space,
              marker ? pointAt(*model.task.rig, model.tracks.points(), camera, *marker, kNear)
                     : std::nullopt,
              ImGui::GetIO().KeyCtrl);
}

}  // namespace glint::ui
