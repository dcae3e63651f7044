#include "ui/model/view.h"

#include <algorithm>
#include <cmath>

namespace glint::ui {
namespace {

constexpr double kLeastZoom = 1.0 / 64, kMostZoom = 128;

}  // namespace

Rect meet(const Rect& a, const Rect& b) {
  const float left = std::max(a.x, b.x), top = std::max(a.y, b.y);
  const float right = std::min(a.x + a.width, b.x + b.width);
  const float bottom = std::min(a.y + a.height, b.y + b.height);
  return right > left && bottom > top ? Rect{left, top, right - left, bottom - top} : Rect{};
}

void View::place(const Rect& area, uint32_t width, uint32_t height) {
  const bool moved = area.x != area_.x || area.y != area_.y;
  const bool resized = area.width != area_.width || area.height != area_.height;
  if (!fitted_ && (moved || resized)) {  // keeps the middle of the area in place
    const Point before = area_.centre(), now = area.centre();
    origin_ = {origin_.x + now.x - before.x, origin_.y + now.y - before.y};
  }
  area_ = area;
  width_ = std::max(1U, width);
  height_ = std::max(1U, height);
  if (fitted_) applyFit();
  keepInSight();
}

void View::applyFit() {
  zoom_ = std::clamp(std::min(area_.width / width_, area_.height / height_), kLeastZoom, kMostZoom);
  origin_ = {std::round(area_.x + (area_.width - static_cast<float>(width_ * zoom_)) / 2),
             std::round(area_.y + (area_.height - static_cast<float>(height_ * zoom_)) / 2)};
}

void View::actualSize() {
  const Point middle = area_.centre();
  zoomBy(1 / zoom_, middle);
}

void View::zoomBy(double factor, Point at) {
  const double zoom = std::clamp(zoom_ * factor, kLeastZoom, kMostZoom);
  const auto scale = static_cast<float>(zoom / zoom_);
  origin_ = {at.x - (at.x - origin_.x) * scale, at.y - (at.y - origin_.y) * scale};
  zoom_ = zoom;
  fitted_ = false;
  keepInSight();
}

void View::moveBy(float dx, float dy) {
  origin_ = {origin_.x + dx, origin_.y + dy};
  fitted_ = false;
  keepInSight();
}

void View::showAt(ImagePoint middle, double zoom) {
  zoom_ = std::clamp(zoom, kLeastZoom, kMostZoom);
  fitted_ = false;
  const Point at = area_.centre();
  origin_ = {at.x - static_cast<float>((middle.x + 0.5) * zoom_),
             at.y - static_cast<float>((middle.y + 0.5) * zoom_)};
  keepInSight();
}

/// Moves the image so that at least 40 px of it stay within the area.
void View::keepInSight() {
  constexpr float kLeft = 40;
  const auto width = static_cast<float>(width_ * zoom_);
  const auto height = static_cast<float>(height_ * zoom_);
  const float sideX = std::min({kLeft, width, area_.width}),
              sideY = std::min({kLeft, height, area_.height});
  origin_.x = std::clamp(origin_.x, area_.x + sideX - width, area_.x + area_.width - sideX);
  origin_.y = std::clamp(origin_.y, area_.y + sideY - height, area_.y + area_.height - sideY);
}

Point View::origin() const {
  return {std::round(origin_.x), std::round(origin_.y)};
}

Point View::toScreen(ImagePoint p) const {
  const Point from = origin();
  return {from.x + static_cast<float>((p.x + 0.5) * zoom_),
          from.y + static_cast<float>((p.y + 0.5) * zoom_)};
}

ImagePoint View::toImage(Point p) const {
  const Point from = origin();
  return {(p.x - from.x) / zoom_ - 0.5, (p.y - from.y) / zoom_ - 0.5};
}

Rect View::visible() const {
  const Point from = origin();
  const float left = std::max(area_.x, from.x), top = std::max(area_.y, from.y);
  const float right = std::min(area_.x + area_.width, from.x + static_cast<float>(width_ * zoom_));
  const float bottom =
      std::min(area_.y + area_.height, from.y + static_cast<float>(height_ * zoom_));
  return {left, top, std::max(0.0F, right - left), std::max(0.0F, bottom - top)};
}

Rect gridCell(const Rect& area, size_t index, size_t count, double aspect) {
  size_t best = 1;
  double widest = 0;
  for (size_t columns = 1; columns <= count; ++columns) {
    const size_t rows = (count + columns - 1) / columns;
    const double width = std::min(area.width / static_cast<double>(columns),
                                  area.height / static_cast<double>(rows) * aspect);
    if (width <= widest) continue;
    widest = width;
    best = columns;
  }
  const size_t rows = (count + best - 1) / best;
  const float gap = count > 1 ? 2 : 0;
  const float width = area.width / static_cast<float>(best);
  const float height = area.height / static_cast<float>(rows);
  return {std::round(area.x + width * static_cast<float>(index % best) + gap),
          std::round(area.y + height * static_cast<float>(index / best) + gap), width - 2 * gap,
          height - 2 * gap};
}

}  // namespace glint::ui
