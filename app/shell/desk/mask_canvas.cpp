#include "app/shell/desk/mask_canvas.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/capture/mask/mask.h"
#include "config/error.h"

namespace glint::shell {
namespace {

/// Returns the whole numbers from `least` to `most` that are in 0 to count - 1: the first, and one
/// past the last.
std::pair<uint32_t, uint32_t> wholeBetween(double least, double most, uint32_t count) {
  const double begin = std::max(std::ceil(least), 0.0);
  const double end = std::min(std::floor(most) + 1, static_cast<double>(count));
  if (!(begin < end)) return {0, 0};
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

/// Returns the squared distance of (x, y) from the line between two points.
double squaredDistance(double x, double y, double x0, double y0, double x1, double y1) {
  const double dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const double along =
      length > 0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / length, 0.0, 1.0) : 0;
  const double ex = x - x0 - along * dx, ey = y - y0 - along * dy;
  return ex * ex + ey * ey;
}

/// Returns the pixels that are in an odd number of `runs`, as runs in order.
std::vector<std::pair<size_t, size_t>> changedOnce(
    const std::vector<std::pair<size_t, size_t>>& runs) {
  std::vector<size_t> edges;
  for (const auto& [begin, count] : runs) {
    edges.push_back(begin);
    edges.push_back(begin + count);
  }
  std::ranges::sort(edges);
  std::vector<std::pair<size_t, size_t>> once;
  for (size_t i = 0; i + 1 < edges.size(); i += 2)
    if (edges[i] < edges[i + 1]) once.emplace_back(edges[i], edges[i + 1] - edges[i]);
  return once;
}

}  // namespace

MaskCanvas::MaskCanvas(uint32_t width, uint32_t height)
    : mask_{width, height, std::vector<uint8_t>(size_t{width} * height, 1)}, saved_(mask_.pixels) {}

/// Paints the pixels [begin, end) of the raster, in one row or more.
void MaskCanvas::paint(size_t begin, size_t end, Ink ink) {
  const uint8_t value = ink == Ink::measure ? 1 : 0;
  for (size_t i = begin; i < end; ++i) {
    if (mask_.pixels[i] == value) continue;
    mask_.pixels[i] = value;
    ink == Ink::ignore ? ++ignored_ : --ignored_;
    if (!stroke_.empty() && stroke_.back().first + stroke_.back().second == i)
      ++stroke_.back().second;
    else
      stroke_.emplace_back(i, 1);
  }
}

void MaskCanvas::finish() {
  if (stroke_.empty()) return;
  ++revision_;
  if (inStroke_) return;
  Stroke stroke = changedOnce(std::exchange(stroke_, {}));
  if (stroke.empty()) return;
  undo_.push_back(std::move(stroke));
  if (undo_.size() > kDeepest) undo_.pop_front();
  redo_.clear();
}

void MaskCanvas::endStroke() {
  inStroke_ = false;
  finish();
}

void MaskCanvas::brush(double x0, double y0, double x1, double y1, double radius, Ink ink) {
  const auto [top, bottom] =
      wholeBetween(std::min(y0, y1) - radius, std::max(y0, y1) + radius, mask_.height);
  const auto [left, right] =
      wholeBetween(std::min(x0, x1) - radius, std::max(x0, x1) + radius, mask_.width);
  for (uint32_t y = top; y < bottom; ++y) {
    for (uint32_t x = left; x < right; ++x) {
      if (squaredDistance(x, y, x0, y0, x1, y1) <= radius * radius)
        paint(at(x, y), at(x, y) + 1, ink);
    }
  }
  finish();
}

void MaskCanvas::rectangle(double x0, double y0, double x1, double y1, Ink ink) {
  const auto [top, bottom] = wholeBetween(std::min(y0, y1), std::max(y0, y1), mask_.height);
  const auto [left, right] = wholeBetween(std::min(x0, x1), std::max(x0, x1), mask_.width);
  for (uint32_t y = top; y < bottom; ++y) paint(at(left, y), at(right, y), ink);
  finish();
}

void MaskCanvas::become(const std::vector<uint8_t>& pixels) {
  for (size_t i = 0; i < pixels.size(); ++i)
    paint(i, i + 1, pixels[i] != 0 ? Ink::measure : Ink::ignore);
  finish();
}

void MaskCanvas::invert() {
  std::vector<uint8_t> pixels = mask_.pixels;
  for (uint8_t& pixel : pixels) pixel = pixel == 0 ? 1 : 0;
  become(pixels);
}

void MaskCanvas::clear() {
  paint(0, mask_.pixels.size(), Ink::measure);
  finish();
}

void MaskCanvas::add(const gpu::LayerMask& mask) {
  if (mask.width != mask_.width || mask.height != mask_.height) {
    throw UsageError("the mask is {}x{}, but the frames are {}x{}", mask.width, mask.height,
                     mask_.width, mask_.height);
  }
  for (size_t i = 0; i < mask.pixels.size(); ++i)
    if (mask.pixels[i] == 0) paint(i, i + 1, Ink::ignore);
  finish();
}

bool MaskCanvas::go(std::deque<Stroke>& from, std::deque<Stroke>& to) {
  endStroke();
  if (from.empty()) return false;
  for (const auto& [begin, count] : from.back()) {
    for (size_t i = begin; i < begin + count; ++i) {
      mask_.pixels[i] = mask_.pixels[i] == 0 ? 1 : 0;
      mask_.pixels[i] == 0 ? ++ignored_ : --ignored_;
    }
  }
  ++revision_;
  to.push_back(std::move(from.back()));
  from.pop_back();
  return true;
}

void MaskCanvas::load(const std::string& path) {
  take(capture::loadMask(path, {mask_.width, mask_.height}));
}

void MaskCanvas::take(const gpu::LayerMask& mask) {
  become(mask.empty() ? std::vector<uint8_t>(mask_.pixels.size(), 1) : mask.pixels);
  saved_ = mask_.pixels;
}

void MaskCanvas::save(const std::string& path) {
  if (ignored_ == mask_.pixels.size())
    throw UsageError("the mask ignores every pixel: leave some to be measured");
  capture::saveMask(mask_, path);
  saved_ = mask_.pixels;
}

std::string maskFileBeside(const std::string& settingsFile, size_t cameras) {
  const std::string suffix = cameras > 1 ? ".mask%d.png" : ".mask.png";
  return std::filesystem::path(settingsFile).replace_extension(suffix).string();
}

}  // namespace glint::shell
