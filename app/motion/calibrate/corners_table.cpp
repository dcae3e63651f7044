#include "app/motion/calibrate/corners_table.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "app/motion/calibrate/points_table.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// The columns in the order in which the reader is asked for them. The places follow, x before y,
/// in the order of kCornerWindows.
enum CornerColumn : size_t { kCamera, kTime, kInterval, kMarker, kCorner, kPlaces };

std::vector<std::string> columnNames() {
  std::vector<std::string> names{"camera", "time_s", "interval_s", "marker_mm", "corner"};
  for (const int window : kCornerWindows) {
    names.push_back(fmt::format("x{}", window));
    names.push_back(fmt::format("y{}", window));
  }
  return names;
}

/// Adds the corner of the present row to the view. Keeps the corners in the order of their indices.
void addCorner(BoardView& view, const base::CsvReader& csv, const Board& board,
               const FrameExtent& size) {
  const auto index = csv.value<size_t>(kCorner);
  const auto after = std::ranges::lower_bound(view.which, index);
  if (index >= board.count() || (after != view.which.end() && *after == index)) csv.refuse(kCorner);
  const auto place = after - view.which.begin();
  view.which.insert(after, index);
  for (size_t w = 0; w < kCornerWindows.size(); ++w) {
    const size_t column = kPlaces + 2 * w;
    const Eigen::Vector2d at{csv.value<double>(column), csv.value<double>(column + 1)};
    if (!(at.x() >= -1 && at.x() <= size.width)) csv.refuse(column);
    if (!(at.y() >= -1 && at.y() <= size.height)) csv.refuse(column + 1);
    view.corners[w].insert(view.corners[w].begin() + place, at);
  }
  view.markerSide = csv.value<double>(kMarker);
  if (view.markerSide < 0) csv.refuse(kMarker);
}

/// Throws Error if a view shows a part of a chessboard, which has no marks that say which part.
void checkWhole(const std::vector<CameraViews>& cameras, const Board& board,
                const std::string& path) {
  if (board.charuco()) return;
  for (size_t c = 0; c < cameras.size(); ++c)
    for (const auto& [time, view] : cameras[c].views)
      if (view.which.size() != board.count())
        throw Error(fmt::format("{}: camera {} has {} corners at {} s, but the chessboard has {}",
                                path, c, view.which.size(), time, board.count()));
}

}  // namespace

std::string cornersText(const std::vector<CameraViews>& cameras) {
  std::string text = fmt::format("{}\n", fmt::join(columnNames(), ","));
  for (size_t c = 0; c < cameras.size(); ++c)
    for (const auto& [time, view] : cameras[c].views)
      for (size_t i = 0; i < view.which.size(); ++i) {
        text += fmt::format("{},{},{},{},{}", c, time, cameras[c].interval, view.markerSide,
                            view.which[i]);
        for (const auto& corners : view.corners)
          text += fmt::format(",{},{}", corners[i].x(), corners[i].y());
        text += '\n';
      }
  return text;
}

std::vector<CameraViews> readCorners(const std::string& path, const Board& board,
                                     std::vector<FrameExtent> sizes) {
  const std::vector<std::string> names = columnNames();
  const std::vector<std::string_view> columns(names.begin(), names.end());
  base::CsvReader csv(path, columns);
  std::vector<CameraViews> cameras;
  while (csv.next()) {
    const size_t camera = csv.value<uint16_t>(kCamera);
    if (camera >= kMostCameras) csv.refuse(kCamera);
    if (sizes.size() > 1 && camera >= sizes.size())
      throw Error(fmt::format("{} has corners of camera {}, but --size is given for {} cameras",
                              path, camera, sizes.size()));
    if (camera >= cameras.size()) cameras.resize(camera + 1);
    CameraViews& views = cameras[camera];
    views.interval = csv.value<double>(kInterval);
    if (views.interval < 0) csv.refuse(kInterval);
    addCorner(views.views[csv.value<double>(kTime)], csv, board,
              sizes.size() > 1 ? sizes[camera] : sizes.front());
  }
  if (cameras.empty()) throw Error(path + " has no corners of a board");
  if (sizes.size() == 1)
    sizes.resize(cameras.size(), sizes.front());
  else
    cameras.resize(sizes.size());
  for (size_t c = 0; c < cameras.size(); ++c) cameras[c].size = sizes[c];
  checkWhole(cameras, board, path);
  return cameras;
}

}  // namespace glint::motion
