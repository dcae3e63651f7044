#include "app/study/sweep/heat_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace glint::study {
namespace {

constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
// The size of the text, as a multiple of the font's own size.
constexpr double kSize = 0.45;
constexpr int kRow = 18, kCellHeight = 40, kLeastCell = 64, kGap = 8;  // px

const cv::Scalar kInk(40, 40, 40), kMark(40, 40, 230), kUnknown(170, 170, 170);

cv::Size sizeOf(const std::string& text) {
  int below = 0;
  return cv::getTextSize(text, kFont, kSize, 1, &below);
}

void write(cv::Mat& image, const std::string& text, cv::Point middle, const cv::Scalar& ink) {
  const cv::Size size = sizeOf(text);
  cv::putText(image, text, {middle.x - size.width / 2, middle.y + size.height / 2}, kFont, kSize,
              ink, 1, cv::LINE_AA);
}

cv::Scalar colourOf(double share) {
  const auto [red, green, blue] = heatColour(share);
  return {blue, green, red};
}

// The best value of the combinations that share a cell; NaN if there is none.
struct Cell {
  double value = std::numeric_limits<double>::quiet_NaN();
  bool best = false;
};

/// Returns the cells by row and column. Each has the best value of all combinations that share it.
std::vector<std::vector<Cell>> cellsOf(const std::vector<SweepAxis>& axes,
                                       std::span<const double> values, size_t best) {
  const size_t columns = axes[0].values.size();
  const size_t rows = axes.size() > 1 ? axes[1].values.size() : 1;
  const size_t others = values.size() / columns / rows;
  std::vector<std::vector<Cell>> cells(rows, std::vector<Cell>(columns));
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t column = i / (rows * others), row = i / others % rows;
    Cell& cell = cells[row][column];
    if (!(values[i] <= cell.value)) cell.value = std::isnan(values[i]) ? cell.value : values[i];
    cell.best = cell.best || i == best;
  }
  return cells;
}

int widest(const std::vector<std::string>& texts) {
  int width = 0;
  for (const std::string& text : texts) width = std::max(width, sizeOf(text).width);
  return width;
}

}  // namespace

std::array<double, 3> heatColour(double share) {
  static constexpr std::array<std::array<double, 3>, 5> kStops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto low = std::min(static_cast<size_t>(at), kStops.size() - 2);
  std::array<double, 3> colour{};
  for (size_t i = 0; i < colour.size(); ++i)
    colour[i] = std::lerp(kStops[low][i], kStops[low + 1][i], at - static_cast<double>(low));
  return colour;
}

cv::Mat heatMap(const std::vector<SweepAxis>& axes, std::span<const double> values, size_t best,
                const std::string& name) {
  const auto cells = cellsOf(axes, values, best);
  const SweepAxis down = axes.size() > 1 ? axes[1] : SweepAxis{"", {""}};
  std::string title = name;
  for (size_t i = 2; i < axes.size(); ++i)
    title += fmt::format("{}{}", i == 2 ? ", best of any " : " and ", axes[i].key);
  const int cell = std::max(kLeastCell, widest(axes[0].values) + 2 * kGap);
  const int left = std::max(widest(down.values), sizeOf(down.key).width) + 2 * kGap;
  const int top = 2 * kRow + kGap;
  const int width = static_cast<int>(cells[0].size()) * cell;
  const int height = static_cast<int>(cells.size()) * kCellHeight;
  const int wide =
      std::max({left + width, sizeOf(title).width + kGap, left + sizeOf(axes[0].key).width}) + kGap;
  cv::Mat image(top + height + 2 * kRow + kGap, wide, CV_8UC3, cv::Scalar::all(255));
  cv::putText(image, title, {kGap, kRow}, kFont, kSize, kInk, 1, cv::LINE_AA);
  cv::putText(image, down.key, {kGap, 2 * kRow}, kFont, kSize, kInk, 1, cv::LINE_AA);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const double value : values)
    if (!std::isnan(value)) least = std::min(least, value), most = std::max(most, value);
  for (size_t row = 0; row < cells.size(); ++row) {
    const int y = top + static_cast<int>(row) * kCellHeight;
    write(image, down.values[row], {left / 2, y + kCellHeight / 2}, kInk);
    for (size_t column = 0; column < cells[row].size(); ++column) {
      const Cell& one = cells[row][column];
      const cv::Rect box(left + static_cast<int>(column) * cell, y, cell, kCellHeight);
      const bool known = !std::isnan(one.value);
      const double share = most > least ? (one.value - least) / (most - least) : 1;
      cv::rectangle(image, box, known ? colourOf(share) : kUnknown, cv::FILLED);
      if (known)
        write(image, fmt::format("{:.4g}", one.value), {box.x + cell / 2, box.y + kCellHeight / 2},
              share > 0.6 ? kInk : cv::Scalar::all(255));
    }
  }
  for (size_t row = 0; row < cells.size(); ++row)
    for (size_t column = 0; column < cells[row].size(); ++column)
      if (cells[row][column].best)
        cv::rectangle(image,
                      cv::Rect(left + static_cast<int>(column) * cell,
                               top + static_cast<int>(row) * kCellHeight, cell, kCellHeight),
                      kMark, 3);
  for (size_t column = 0; column < axes[0].values.size(); ++column)
    write(image, axes[0].values[column],
          {left + static_cast<int>(column) * cell + cell / 2, top + height + kRow / 2 + 2}, kInk);
  write(image, axes[0].key,
        {left + std::max(width, sizeOf(axes[0].key).width) / 2, top + height + kRow + kRow / 2 + 2},
        kInk);
  return image;
}

}  // namespace glint::study
