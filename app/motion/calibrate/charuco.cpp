#include "app/motion/calibrate/charuco.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <opencv2/aruco.hpp>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "app/base/quantile.h"

namespace glint::motion {
namespace {

// Corners of a marker, clockwise from its own top left corner.
using Quad = std::vector<cv::Point2f>;

constexpr std::pair<std::string_view, cv::aruco::PREDEFINED_DICTIONARY_NAME> kDictionaries[]{
    {"DICT_4X4_50", cv::aruco::DICT_4X4_50},
    {"DICT_4X4_100", cv::aruco::DICT_4X4_100},
    {"DICT_4X4_250", cv::aruco::DICT_4X4_250},
    {"DICT_4X4_1000", cv::aruco::DICT_4X4_1000},
    {"DICT_5X5_50", cv::aruco::DICT_5X5_50},
    {"DICT_5X5_100", cv::aruco::DICT_5X5_100},
    {"DICT_5X5_250", cv::aruco::DICT_5X5_250},
    {"DICT_5X5_1000", cv::aruco::DICT_5X5_1000},
    {"DICT_6X6_50", cv::aruco::DICT_6X6_50},
    {"DICT_6X6_100", cv::aruco::DICT_6X6_100},
    {"DICT_6X6_250", cv::aruco::DICT_6X6_250},
    {"DICT_6X6_1000", cv::aruco::DICT_6X6_1000},
    {"DICT_7X7_50", cv::aruco::DICT_7X7_50},
    {"DICT_7X7_100", cv::aruco::DICT_7X7_100},
    {"DICT_7X7_250", cv::aruco::DICT_7X7_250},
    {"DICT_7X7_1000", cv::aruco::DICT_7X7_1000},
    {"DICT_ARUCO_ORIGINAL", cv::aruco::DICT_ARUCO_ORIGINAL}};

cv::Ptr<cv::aruco::Dictionary> dictionaryOf(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kDictionaries), std::end(kDictionaries),
                                         [&](const auto& one) { return one.first == name; });
  return cv::aruco::getPredefinedDictionary(found->second);
}

/// Returns the markers in an image by their number. Numbers that appear twice are left out.
std::map<size_t, Quad> markersIn(const cv::Mat& grey, std::string_view dictionary) {
  std::vector<Quad> quads;
  std::vector<int> ids;
  cv::aruco::detectMarkers(grey, dictionaryOf(dictionary), quads, ids);
  std::map<size_t, Quad> markers;
  for (size_t i = 0; i < ids.size(); ++i)
    if (std::count(ids.begin(), ids.end(), ids[i]) == 1)
      markers.emplace(static_cast<size_t>(ids[i]), quads[i]);
  return markers;
}

/// Returns the corners of marker `index` on the board, mm, in the coordinates of Board::corner().
Quad quadOnBoard(const Board& board, size_t index, bool firstWhite) {
  const cv::Point square = markerSquare(board, index, firstWhite);
  const double margin = (board.square - board.marker) / 2;
  const auto x = static_cast<float>((square.x - 1) * board.square + margin);
  const auto y = static_cast<float>((square.y - 1) * board.square + margin);
  const auto side = static_cast<float>(board.marker);
  return {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
}

/// Returns the side of a square with this diagonal.
double sideOf(const Quad& quad) {
  return cv::norm(quad[2] - quad[0]) / std::sqrt(2.0);
}

/// Returns the markers that lie as they should on the board. One homography maps the board to the
/// image, and lens distortion may move corners by part of a marker.
std::vector<size_t> markersThatFit(const Board& board, const std::map<size_t, Quad>& markers,
                                   bool firstWhite) {
  // Maximum distance of a marker's corner from its expected place, as a share of the marker's side.
  // Raising it accepts more wrong markers.
  constexpr double kOff = 0.3;
  // Number of markers that must agree. A single one would always fit. Raising it rejects more
  // images.
  constexpr size_t kLeast = 2;
  std::vector<cv::Point2f> on, in;
  std::vector<size_t> indices;
  double side = 0;
  for (const auto& [index, quad] : markers) {
    if (index >= markerCount(board)) continue;
    const Quad place = quadOnBoard(board, index, firstWhite);
    on.insert(on.end(), place.begin(), place.end());
    in.insert(in.end(), quad.begin(), quad.end());
    indices.push_back(index);
    side += sideOf(quad);
  }
  if (indices.size() < kLeast) return {};
  side /= static_cast<double>(indices.size());
  const cv::Mat onto = cv::findHomography(on, in, cv::RANSAC, kOff * side);
  if (onto.empty()) return {};
  // `onto` was fitted to all inliers. RANSAC's own inliers belong to a homography of four points,
  // which often belong to one marker, so they are determined again.
  std::vector<cv::Point2f> expected;
  cv::perspectiveTransform(on, expected, onto);
  std::vector<size_t> fitting;
  for (size_t i = 0; i < indices.size(); ++i) {
    double off = 0;
    for (size_t k = 4 * i; k < 4 * i + 4; ++k) off = std::max(off, cv::norm(expected[k] - in[k]));
    if (off < kOff * side) fitting.push_back(indices[i]);
  }
  return fitting.size() < kLeast ? std::vector<size_t>{} : fitting;
}

/// The two ways in which black and white squares can alternate, and the markers that fit.
struct Layout {
  bool firstWhite = false;
  // Markers that fit this layout.
  std::vector<size_t> markers;
};

/// Returns the layout that more markers fit. Returns no markers if both fit equally well, because
/// the layout is unknown then.
Layout layoutOf(const Board& board, const std::map<size_t, Quad>& markers) {
  Layout black{false, markersThatFit(board, markers, false)};
  const bool squareRowsEven = board.rows % 2 == 1;
  if (!squareRowsEven) return black;
  Layout white{true, markersThatFit(board, markers, true)};
  if (black.markers.size() == white.markers.size()) return {};
  return black.markers.size() > white.markers.size() ? black : white;
}

/// Expected place of a corner, px, as its neighbouring markers predict it. `room` is how far the
/// nearest corner of a marker is away, px (the larger of the distances along x and y).
struct Expected {
  cv::Point2f at;
  double room = std::numeric_limits<double>::infinity();
  int markers = 0;
};

std::vector<Expected> expectedCorners(const Board& board, const std::map<size_t, Quad>& markers,
                                      const Layout& layout) {
  std::vector<Expected> all(board.count());
  for (const size_t index : layout.markers) {
    const Quad& seen = markers.at(index);
    const cv::Mat onto =
        cv::getPerspectiveTransform(quadOnBoard(board, index, layout.firstWhite), seen);
    const cv::Point square = markerSquare(board, index, layout.firstWhite);
    for (const cv::Point inner :
         {cv::Point(-1, -1), cv::Point(0, -1), cv::Point(-1, 0), cv::Point(0, 0)}) {
      const cv::Point corner = square + inner;
      if (corner.x < 0 || corner.y < 0 || corner.x >= board.columns || corner.y >= board.rows)
        continue;
      const auto c = static_cast<size_t>(corner.y * board.columns + corner.x);
      const Eigen::Vector3d place = board.corner(c);
      std::vector<cv::Point2f> at{{static_cast<float>(place.x()), static_cast<float>(place.y())}};
      cv::perspectiveTransform(at, at, onto);
      all[c].at += at[0];
      ++all[c].markers;
      for (const cv::Point2f& own : seen)
        all[c].room = std::min<double>(
            all[c].room, std::max(std::abs(own.x - at[0].x), std::abs(own.y - at[0].y)));
    }
  }
  for (Expected& one : all)
    if (one.markers > 0) one.at /= one.markers;
  return all;
}

/// Returns the side of the markers, mm, if the squares have the stated size: the median over all
/// markers, or 0 if it cannot be measured.
double markerSideIn(const Board& board, const std::map<size_t, Quad>& markers, const Layout& layout,
                    const BoardView& view) {
  std::vector<cv::Point2f> on, in;
  for (size_t i = 0; i < view.which.size(); ++i) {
    const Eigen::Vector3d place = board.corner(view.which[i]);
    on.emplace_back(static_cast<float>(place.x()), static_cast<float>(place.y()));
    const Eigen::Vector2d& at = view.corners[0][i];
    in.emplace_back(static_cast<float>(at.x()), static_cast<float>(at.y()));
  }
  const cv::Mat back = cv::findHomography(in, on);
  if (back.empty()) return 0;
  std::vector<double> sides;
  for (const size_t index : layout.markers) {
    Quad quad;
    cv::perspectiveTransform(markers.at(index), quad, back);
    sides.push_back(sideOf(quad));
  }
  return base::medianOf(std::move(sides));
}

/// Returns true if there are enough corners for a pose: six or more, with two or more in each of
/// two rows and of two columns.
bool spansArea(const Board& board, const std::vector<size_t>& which) {
  // Number of corners that are enough. Raising it rejects views with few corners.
  constexpr size_t kLeast = 6;
  std::map<size_t, int> rows, columns;
  const auto wide = static_cast<size_t>(board.columns);
  for (const size_t index : which) ++rows[index / wide], ++columns[index % wide];
  const auto lines = [](const std::map<size_t, int>& all) {
    return std::count_if(all.begin(), all.end(), [](const auto& one) { return one.second > 1; });
  };
  return which.size() >= kLeast && lines(rows) > 1 && lines(columns) > 1;
}

}  // namespace

bool isMarkerDictionary(std::string_view name) {
  return std::any_of(std::begin(kDictionaries), std::end(kDictionaries),
                     [&](const auto& one) { return one.first == name; });
}

size_t markerCount(const Board& board) {
  return static_cast<size_t>((board.columns + 1) * (board.rows + 1) / 2);
}

size_t markersInDictionary(const std::string& dictionary) {
  return static_cast<size_t>(dictionaryOf(dictionary)->bytesList.rows);
}

cv::Mat markerBits(const std::string& dictionary, size_t index) {
  const auto all = dictionaryOf(dictionary);
  cv::Mat bits;
  cv::aruco::drawMarker(all, static_cast<int>(index), all->markerSize + 2, bits, 1);
  return bits;
}

cv::Point markerSquare(const Board& board, size_t index, bool firstWhite) {
  // Two consecutive rows have as many white squares together as one row has squares.
  const int across = board.columns + 1, i = static_cast<int>(index);
  const int whiteInFirst = firstWhite ? (across + 1) / 2 : across / 2;
  const int pair = i / across, rest = i % across;
  const bool second = rest >= whiteInFirst;
  const bool beginsWhite = firstWhite != second;
  return {2 * (second ? rest - whiteInFirst : rest) + (beginsWhite ? 0 : 1),
          2 * pair + (second ? 1 : 0)};
}

BoardView findCharuco(const Board& board, const cv::Mat& grey) {
  // Half size of the smallest window that can refine a corner, px. Raising it refines fewer
  // corners.
  constexpr int kLeastWindow = 2;
  // Distance that the window keeps from other edges, px: the width of a gradient and half a pixel.
  // Raising it makes the windows smaller.
  constexpr double kEdge = 1.5;
  const auto markers = markersIn(grey, board.dictionary);
  const Layout layout = layoutOf(board, markers);
  BoardView view;
  const auto expected = expectedCorners(board, markers, layout);
  for (size_t c = 0; c < expected.size(); ++c) {
    const Expected& one = expected[c];
    const int most = static_cast<int>(std::min(one.room - kEdge, 1.0 * kCornerWindows.back()));
    // If one of the two markers beside a corner is hidden, the corner itself may be hidden, too.
    if (one.markers < 2 || most < kLeastWindow) continue;
    std::array<Eigen::Vector2d, kCornerWindows.size()> refined;
    // If the refinement leaves its window, OpenCV returns the start unchanged. The start is
    // slightly off the expected place, so that an unchanged result means failure.
    const cv::Point2f begin = one.at + cv::Point2f(0.2F, 0.3F);
    bool found = true;
    for (size_t w = 0; w < kCornerWindows.size(); ++w) {
      const int window = std::min(kCornerWindows[w], most);
      std::vector<cv::Point2f> at{begin};
      cv::cornerSubPix(grey, at, {window, window}, {-1, -1},
                       {cv::TermCriteria::EPS | cv::TermCriteria::COUNT, 60, 1e-4});
      found = found && at[0] != begin;
      refined[w] = {at[0].x, at[0].y};
    }
    if (!found) continue;
    view.which.push_back(c);
    for (size_t w = 0; w < kCornerWindows.size(); ++w) view.corners[w].push_back(refined[w]);
  }
  if (!spansArea(board, view.which)) return {};
  view.markerSide = markerSideIn(board, markers, layout, view);
  return view;
}

/// Returns another side of markers with which the corners are found, mm, if they are not found with
/// the stated one.
static std::optional<double> otherMarkerSide(Board board, std::span<const cv::Mat> images) {
  const double told = board.marker;
  for (const double share : {0.5, 0.6, 0.7, 0.8, 0.9}) {
    board.marker = share * board.square;
    for (const cv::Mat& image : images)
      if (const BoardView view = findCharuco(board, image);
          view.seen() && std::abs(view.markerSide - told) > 0.1 * told)
        return view.markerSide;
  }
  return std::nullopt;
}

std::string charucoDoubt(const Board& board, std::span<const cv::Mat> images) {
  // Up to this many markers may be found by chance. Raising it reports fewer mistakes.
  constexpr size_t kFew = 3;
  size_t own = 0, mirrored = 0, beyond = 0, fitting = 0, most = 0;
  std::string_view other;
  for (const cv::Mat& image : images) {
    const auto markers = markersIn(image, board.dictionary);
    own = std::max(own, markers.size());
    for (const auto& [index, quad] : markers)
      if (index >= markerCount(board)) beyond = std::max(beyond, index);
    fitting = std::max(fitting, layoutOf(board, markers).markers.size());
    cv::Mat flipped;
    cv::flip(image, flipped, 1);
    mirrored = std::max(mirrored, markersIn(flipped, board.dictionary).size());
    for (const auto& [name, number] : kDictionaries)
      if (const size_t found = markersIn(image, name).size(); found > most)
        most = found, other = name;
  }
  if (mirrored > kFew && mirrored > 2 * own)
    return "its images are mirrored; turn that off in the camera, or where they were recorded";
  if (most > kFew && most > 2 * own)
    return fmt::format("markers of {} are seen, not of {}", other, board.dictionary);
  if (own > kFew && beyond > 0)
    return fmt::format(
        "a marker numbered {} is seen, but a board of {}x{} squares has those from 0 to {}", beyond,
        board.columns + 1, board.rows + 1, markerCount(board) - 1);
  if (own > kFew)
    if (const auto side = otherMarkerSide(board, images))
      return fmt::format("its markers are about {:.0f} mm wide beside squares of {:g} mm, not {:g}",
                         *side, board.square, board.marker);
  if (own > kFew && 2 * fitting < own)
    return fmt::format("its markers do not lie as on a board of {}x{} squares", board.columns + 1,
                       board.rows + 1);
  return {};
}

}  // namespace glint::motion
