#include "app/calibrate/board.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "config/error.h"

namespace glint {
namespace {

/// Reads a number and what must follow it, and moves on.
template <class Number>
bool takes(std::string_view& text, Number& value, std::string_view then) {
  const auto [next, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(next - text.data()));
  if (!text.starts_with(then)) return false;
  text.remove_prefix(then.size());
  return true;
}

}  // namespace

Eigen::Vector3d Board::corner(size_t index) const {
  const auto wide = static_cast<size_t>(columns);
  return {square * static_cast<double>(index % wide), square * static_cast<double>(index / wide),
          0};
}

Board parseBoard(const std::string& text) {
  constexpr std::string_view kKind = "chessboard:";
  constexpr int kLeast = 3, kMost = 50;
  constexpr double kLeastSquare = 0.1, kMostSquare = 1000;  // mm
  Board board;
  std::string_view rest = text;
  const bool is = rest.starts_with(kKind);
  if (is) rest.remove_prefix(kKind.size());
  if (!is || !takes(rest, board.columns, "x") || !takes(rest, board.rows, ":") ||
      !takes(rest, board.square, "mm") || !rest.empty() ||
      std::min(board.columns, board.rows) < kLeast || std::max(board.columns, board.rows) > kMost ||
      !(board.square >= kLeastSquare && board.square <= kMostSquare))
    throw UsageError(
        fmt::format("--board {}: write chessboard:COLUMNSxROWS:SIZEmm with its inner corners, 3 to "
                    "50, and the side of a square, such as chessboard:9x6:25mm",
                    text));
  return board;
}

BoardView findBoard(const Board& board, const FrameExtent& size, const uint8_t* grey) {
  // OpenCV reads, but takes no const pixels.
  const cv::Mat image(size.height, size.width, CV_8U, const_cast<uint8_t*>(grey));
  BoardView view;
  std::vector<cv::Point2f> found;
  if (!cv::findChessboardCorners(
          image, {board.columns, board.rows}, found,
          cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK))
    return view;
  for (size_t w = 0; w < kCornerWindows.size(); ++w) {
    std::vector<cv::Point2f> refined = found;
    cv::cornerSubPix(image, refined, {kCornerWindows[w], kCornerWindows[w]}, {-1, -1},
                     {cv::TermCriteria::EPS | cv::TermCriteria::COUNT, 60, 1e-4});
    for (const cv::Point2f& at : refined) view.corners[w].emplace_back(at.x, at.y);
  }
  return view;
}

}  // namespace glint
