#include "app/motion/calibrate/board_finder.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "app/motion/calibrate/charuco.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// Reads a number and the text `then` from the start of `text`, and removes both. Returns false if
/// they are not there.
template <class Number>
bool takes(std::string_view& text, Number& value, std::string_view then) {
  const auto [next, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(next - text.data()));
  if (!text.starts_with(then)) return false;
  text.remove_prefix(then.size());
  return true;
}

/// Returns the view of a board in an image in which its squares or markers are dark on a bright
/// margin.
BoardView findDarkOnBright(const Board& board, const cv::Mat& image) {
  if (board.charuco()) return findCharuco(board, image);
  BoardView view;
  std::vector<cv::Point2f> found;
  if (!cv::findChessboardCorners(
          image, {board.columns, board.rows}, found,
          cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK))
    return view;
  view.which.resize(found.size());
  std::iota(view.which.begin(), view.which.end(), size_t{0});
  for (size_t w = 0; w < kCornerWindows.size(); ++w) {
    std::vector<cv::Point2f> refined = found;
    cv::cornerSubPix(image, refined, {kCornerWindows[w], kCornerWindows[w]}, {-1, -1},
                     {cv::TermCriteria::EPS | cv::TermCriteria::COUNT, 60, 1e-4});
    for (const cv::Point2f& at : refined) view.corners[w].emplace_back(at.x, at.y);
  }
  return view;
}

}  // namespace

Board parseBoard(const std::string& text) {
  constexpr std::string_view kChessboardForm =
      "--board {}: write chessboard:COLUMNSxROWS:SIZEmm with its inner corners, 3 to 50, and the "
      "side of a square, such as chessboard:9x6:25mm, or charuco:5x7:40mm:30mm:DICT_4X4_50";
  constexpr std::string_view kCharucoForm =
      "--board {}: write charuco:COLUMNSxROWS:SQUAREmm:MARKERmm:DICTIONARY with its squares, 4 to "
      "51, the sides of squares and of the smaller markers, and OpenCV's name, such as "
      "charuco:5x7:40mm:30mm:DICT_4X4_50";
  constexpr std::string_view kChessboard = "chessboard:", kCharuco = "charuco:";
  // Minimum and maximum number of inner corners in a row or column.
  constexpr int kLeast = 3, kMost = 50;
  // Minimum and maximum side of a square, mm.
  constexpr double kLeastSquare = 0.1, kMostSquare = 1000;
  Board board;
  std::string_view rest = text;
  const bool charuco = rest.starts_with(kCharuco);
  bool is = charuco || rest.starts_with(kChessboard);
  if (is) rest.remove_prefix(charuco ? kCharuco.size() : kChessboard.size());
  is = is && takes(rest, board.columns, "x") && takes(rest, board.rows, ":") &&
       takes(rest, board.square, "mm");
  if (is && charuco) {
    is = rest.starts_with(":");
    if (is) rest.remove_prefix(1);
    is = is && takes(rest, board.marker, "mm:") && isMarkerDictionary(rest) && board.marker > 0 &&
         board.marker < board.square;
    board.dictionary = std::exchange(rest, {});
    --board.columns, --board.rows;
  }
  if (!is || !rest.empty() || std::min(board.columns, board.rows) < kLeast ||
      std::max(board.columns, board.rows) > kMost ||
      !(board.square >= kLeastSquare && board.square <= kMostSquare))
    throw UsageError(fmt::format(fmt::runtime(charuco ? kCharucoForm : kChessboardForm), text));
  if (charuco && markerCount(board) > markersInDictionary(board.dictionary))
    throw UsageError(fmt::format("--board {}: the board has {} markers, but {} has {} only", text,
                                 markerCount(board), board.dictionary,
                                 markersInDictionary(board.dictionary)));
  return board;
}

BoardView findBoard(const Board& board, const FrameExtent& size, const uint8_t* grey) {
  // cv::Mat takes no const pixels, but OpenCV only reads them here.
  const cv::Mat image(size.height, size.width, CV_8U, const_cast<uint8_t*>(grey));
  BoardView view = findDarkOnBright(board, image);
  if (view.seen()) return view;
  // The board may be printed in white on black. Then the negative of the image shows an ordinary
  // board.
  cv::Mat negative;
  cv::bitwise_not(image, negative);
  return findDarkOnBright(board, negative);
}

}  // namespace glint::motion
