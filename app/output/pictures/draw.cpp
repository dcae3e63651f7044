#include "app/output/pictures/draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "app/output/pictures/track_colours.h"

namespace glint::output {
namespace {

constexpr int kShift = 4;  // bits of a pixel's fraction: OpenCV draws at sixteenths of a pixel
constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
constexpr double kLabelSize = 0.4, kCaptionSize = 0.5;
// The smallest factor by which labels shrink with the picture. Digits of 6 px can still be read.
constexpr double kLeastScale = 0.75;

cv::Point fixedPoint(double x, double y) {
  return {static_cast<int>(std::lround(x * (1 << kShift))),
          static_cast<int>(std::lround(y * (1 << kShift)))};
}

/// Returns the colour of an id as OpenCV takes it: blue, green, red.
cv::Scalar scalarOf(TrackId track) {
  const Colour colour = colourOf(track);
  return {double(colour.blue), double(colour.green), double(colour.red)};
}

int lineWidth(double scale) {
  return std::max(1, static_cast<int>(std::lround(scale)));
}

double ringRadius(double radius, double scale) {
  return std::max(radius + 3 * std::min(scale, 1.0), 5.0 * std::min(scale, 1.0));  // px
}

double ringRadius(const motion::TrackRow& row, double scale) {
  return ringRadius(row.seen.radius, scale);
}

/// Returns the area that a ring covers.
cv::Rect ringBox(const motion::TrackRow& row, double scale) {
  const auto side = static_cast<int>(std::ceil(2 * ringRadius(row, scale)));
  return {static_cast<int>(row.x) - side / 2, static_cast<int>(row.y) - side / 2, side, side};
}

/// Writes light text with a dark rim, which is readable on any picture. `at` is the left end of the
/// base line.
void writeText(cv::Mat& image, const std::string& text, cv::Point at, double size,
               const cv::Scalar& color, double scale) {
  const int line = lineWidth(scale);
  cv::putText(image, text, at, kFont, size, {0, 0, 0}, 3 * line, cv::LINE_AA);
  cv::putText(image, text, at, kFont, size, color, line, cv::LINE_AA);
}

/// A place for a label: the direction from the ring's centre, and the gap to the ring in px at
/// scale 1. Places beside the ring come first.
struct LabelPlace {
  double x, y, gap;
};
// The largest gap that needs no line from the ring to the label.
constexpr double kNear = 3;
constexpr std::array<LabelPlace, 16> kLabelPlaces{{{0.7, -0.7, 1},
                                                   {0.7, 0.7, 1},
                                                   {-0.7, -0.7, 1},
                                                   {-0.7, 0.7, 1},
                                                   {1, 0, 3},
                                                   {-1, 0, 3},
                                                   {0, -1, 2},
                                                   {0, 1, 2},
                                                   {0.7, -0.7, 16},
                                                   {0.7, 0.7, 16},
                                                   {-0.7, -0.7, 16},
                                                   {-0.7, 0.7, 16},
                                                   {1, 0, 16},
                                                   {-1, 0, 16},
                                                   {0, -1, 16},
                                                   {0, 1, 16}}};

/// Returns the box of a label of this size, with its nearest edge or corner at the place.
cv::Rect labelBox(const motion::TrackRow& row, const LabelPlace& place, cv::Size size,
                  double scale) {
  const double reach = ringRadius(row, scale) + place.gap * scale;
  const double x = row.x + place.x * reach, y = row.y + place.y * reach;
  const double left = place.x > 0 ? x : place.x < 0 ? x - size.width : x - size.width / 2.0;
  const double top = place.y > 0 ? y : place.y < 0 ? y - size.height : y - size.height / 2.0;
  return {static_cast<int>(std::lround(left)), static_cast<int>(std::lround(top)), size.width,
          size.height};
}

/// Draws a line from a ring to its distant label.
void drawLeader(cv::Mat& image, const motion::TrackRow& row, const LabelPlace& place,
                const cv::Scalar& color, double scale) {
  const double from = ringRadius(row, scale), to = from + place.gap * scale;
  cv::line(image, fixedPoint(row.x + place.x * from, row.y + place.y * from),
           fixedPoint(row.x + place.x * to, row.y + place.y * to), color * 0.6, 1, cv::LINE_AA,
           kShift);
}

}  // namespace

void Levels::convert(const cv::Mat& pixels, cv::Mat& color) {
  cv::Mat eight = pixels;
  if (pixels.depth() != CV_8U) {
    double least = 0, most = 0;
    cv::minMaxLoc(pixels.reshape(1), &least, &most);
    if (range_) least = std::min(least, range_->first), most = std::max(most, range_->second);
    range_ = {least, most};
    const double scale = 255 / std::max(most - least, 1.0);
    eight = cv::Mat();
    pixels.convertTo(eight, CV_8U, scale, -least * scale);
  }
  if (pixels.channels() == 1)
    cv::cvtColor(eight, color, cv::COLOR_GRAY2BGR);
  else
    eight.copyTo(color);
}

cv::Scalar MarkerPainter::colorOf(TrackId track) const {
  constexpr double kDimmed = 0.5;
  return scalarOf(track) * (provisional_ ? kDimmed : 1);
}

std::string MarkerPainter::labelOf(TrackId track) const {
  const std::string name = edits_ ? edits_->name(track) : std::string();
  const bool drawable = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  if (!name.empty() && drawable) return name;
  return fmt::format("{}{}", provisional_ ? "~" : "", track);
}

void MarkerPainter::follow(const motion::Frame& frame) {
  ++count_;
  provisional_ = frame.provisional();
  const auto* edits = frame.results.get<SharedEdits>();
  edits_ = edits ? *edits : nullptr;
  trails_.resize(frame.cameras.size());
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    for (const motion::TrackRow& row : frame.cameras[i].tracks) {
      Trail& trail = trails_[i][row.track];
      trail.rows.push_back(row);
      trail.last = count_;
      if (trail.rows.size() > kTrailFrames) trail.rows.pop_front();
    }
    std::erase_if(trails_[i], [&](const auto& entry) { return entry.second.last != count_; });
  }
}

void MarkerPainter::drawTrail(cv::Mat& image, const Trail& trail, double scale) const {
  const cv::Scalar color = colorOf(trail.rows.back().track);
  for (size_t i = 1; i < trail.rows.size(); ++i) {
    const motion::TrackRow &from = trail.rows[i - 1], &to = trail.rows[i];
    if (from.state != motion::TrackState::measured || to.state != motion::TrackState::measured)
      continue;
    const double fade =
        0.25 + 0.75 * static_cast<double>(i) / static_cast<double>(trail.rows.size());
    cv::line(image, fixedPoint(from.x, from.y), fixedPoint(to.x, to.y), color * fade,
             lineWidth(scale), cv::LINE_AA, kShift);
  }
}

void MarkerPainter::drawRing(cv::Mat& image, const motion::TrackRow& row, double scale) const {
  const cv::Scalar color = colorOf(row.track);
  const cv::Point center = fixedPoint(row.x, row.y);
  const auto radius = static_cast<int>(std::lround(ringRadius(row, scale) * (1 << kShift)));
  if (row.state == motion::TrackState::measured) {
    cv::circle(image, center, radius, color, lineWidth(scale), cv::LINE_AA, kShift);
    return;
  }
  for (int arc = 0; arc < 360; arc += 60) {
    cv::ellipse(image, center, {radius, radius}, 0, arc, arc + 30, color, lineWidth(scale),
                cv::LINE_AA, kShift);
  }
}

// Draws the markers that belong to no confirmed track.
void MarkerPainter::drawOthers(cv::Mat& image, const motion::CameraFrame& seen, double scale) {
  const cv::Scalar white(255, 255, 255);
  std::set<std::pair<double, double>> tracked, tentative;
  for (const motion::TrackRow& row : seen.tracks)
    if (row.state == motion::TrackState::measured) tracked.emplace(row.x, row.y);
  for (const motion::TrackRow& row : seen.tentative) tentative.emplace(row.x, row.y);
  for (const shared::Detection& d : seen.measured.markers) {
    const std::pair place{double{d.x}, double{d.y}};
    if (tracked.contains(place)) continue;
    const double radius = ringRadius(double{d.radius}, scale);
    // Draws them on black, so that they can be seen on white, too.
    for (const auto& [color, width] : {std::pair(cv::Scalar(), 3), std::pair(white, 1)}) {
      const int line = width * lineWidth(scale);
      if (tentative.contains(place)) {
        cv::circle(image, fixedPoint(place.first, place.second),
                   static_cast<int>(std::lround(radius * (1 << kShift))), color, line, cv::LINE_AA,
                   kShift);
      } else {
        cv::rectangle(image, fixedPoint(place.first - radius, place.second - radius),
                      fixedPoint(place.first + radius, place.second + radius), color, line,
                      cv::LINE_AA, kShift);
      }
    }
  }
}

// Draws the labels. Each takes the first place that covers no label and no ring, or else the place
// that covers the least of rings. The search begins at the place in the last frame, so that labels
// do not jump.
void MarkerPainter::drawLabels(cv::Mat& image, Trails& trails, cv::Rect taken, double scale) const {
  const cv::Rect all({0, 0}, image.size());
  std::vector<cv::Rect> labels{taken}, rings;
  for (const auto& [id, trail] : trails) rings.push_back(ringBox(trail.rows.back(), scale));
  for (auto& [id, trail] : trails) {
    const motion::TrackRow& row = trail.rows.back();
    const std::string text = labelOf(id);
    int below = 0;
    const cv::Size letters =
        cv::getTextSize(text, kFont, kLabelSize * scale, lineWidth(scale), &below);
    const cv::Size size(letters.width + 2, letters.height + 2);
    std::optional<size_t> best;
    int least = 0;
    for (size_t i = 0; i < kLabelPlaces.size() && !(best && least == 0); ++i) {
      const size_t place = (trail.labelPlace + i) % kLabelPlaces.size();
      const cv::Rect box = labelBox(row, kLabelPlaces[place], size, scale);
      const auto covers = [&](const cv::Rect& other) { return (box & other).area() > 0; };
      if ((box & all) != box || std::ranges::any_of(labels, covers)) continue;
      int covered = 0;
      for (const cv::Rect& ring : rings) covered += (box & ring).area();
      if (!best || covered < least) best = place, least = covered;
    }
    if (!best) continue;
    trail.labelPlace = *best;
    const LabelPlace& place = kLabelPlaces[*best];
    const cv::Rect box = labelBox(row, place, size, scale);
    labels.push_back(box);
    if (place.gap > kNear) drawLeader(image, row, place, colorOf(id), scale);
    writeText(image, text, {box.x + 1, box.y + box.height - 1}, kLabelSize * scale, colorOf(id),
              scale);
  }
}

void MarkerPainter::drawCamera(cv::Mat& image, const DrawnFrame& drawn, size_t camera) {
  const motion::Frame& frame = *drawn.frame;
  const motion::CameraFrame& seen = frame.cameras[camera];
  const cv::Mat& pixels = drawn.images[camera];
  std::string caption = frame.cameras.size() > 1 ? fmt::format("camera {}  ", camera) : "";
  if (pixels.empty() || !seen.measured.stamp) {
    caption += seen.measured.state == gpu::CameraState::none   ? "no new frame"
               : seen.measured.state == gpu::CameraState::lost ? "is lost"
                                                               : "has ended";
  } else {
    cv::Mat part = image(cv::Rect({0, 0}, pixels.size()));
    levels_.convert(pixels, part);
    const auto counted = [](size_t count, const char* what) {
      return fmt::format("  {} {}{}", count, what, count == 1 ? "" : "s");
    };
    caption += fmt::format("frame {}  {:.3f} s", seen.measured.stamp->sequence,
                           seen.measured.stamp->time) +
               counted(seen.measured.markers.size(), "marker") +
               counted(trails_[camera].size(), "track");
  }
  const double scale = std::max(kLeastScale, image.cols / 1280.0);
  int below = 0;
  cv::Size size = cv::getTextSize(caption, kFont, kCaptionSize * scale, lineWidth(scale), &below);
  const double fit = std::min(1.0, 0.96 * image.cols / size.width);  // below 1 in narrow images
  const int margin = static_cast<int>(8 * scale * fit);
  const cv::Point at(margin, margin + static_cast<int>(size.height * fit));

  for (const auto& [id, trail] : trails_[camera]) drawTrail(image, trail, scale);
  if (seen.measured.stamp) drawOthers(image, seen, scale);
  for (const auto& [id, trail] : trails_[camera]) drawRing(image, trail.rows.back(), scale);
  drawLabels(image, trails_[camera],
             {0, 0, static_cast<int>(size.width * fit) + 2 * margin, at.y + margin / 2}, scale);
  writeText(image, caption, at, kCaptionSize * scale * fit, {230, 230, 230}, scale);
}

const cv::Mat& MarkerPainter::draw(const DrawnFrame& drawn) {
  const size_t cameras = drawn.images.size();
  const auto columns = static_cast<size_t>(std::ceil(std::sqrt(cameras)));
  const size_t rows = (cameras + columns - 1) / columns;
  if (tile_.empty()) {
    for (const cv::Mat& image : drawn.images) {
      tile_.width = std::max(tile_.width, image.cols);
      tile_.height = std::max(tile_.height, image.rows);
    }
    const auto even = [](int side) { return (side + 1) / 2 * 2; };
    sheet_.create(even(tile_.height * static_cast<int>(rows)),
                  even(tile_.width * static_cast<int>(columns)), CV_8UC3);
  }
  sheet_.setTo(cv::Scalar(0, 0, 0));
  for (size_t i = 0; i < cameras; ++i) {
    const cv::Point at(tile_.width * static_cast<int>(i % columns),
                       tile_.height * static_cast<int>(i / columns));
    cv::Mat tile = sheet_(cv::Rect(at, tile_));
    drawCamera(tile, drawn, i);
  }
  return sheet_;
}

}  // namespace glint::output
