#include "app/motion/space/dot_index.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/base/quantile.h"

namespace glint::motion {

bool SpaceSet::empty() const {
  return std::all_of(views.begin(), views.end(),
                     [](const SpaceView& view) { return view.dots.empty(); });
}

double SpaceSet::time() const {
  std::vector<double> times;
  for (const SpaceView& view : views)
    if (!view.dots.empty()) times.push_back(view.time);
  return base::medianOf(std::move(times));
}

double SpaceSet::spread() const {
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const SpaceView& view : views) {
    if (view.dots.empty()) continue;
    first = std::min(first, view.time);
    last = std::max(last, view.time);
  }
  return std::max(0.0, last - first);
}

DotIndex::DotIndex(const SpaceRig& rig, const NoiseFloor& floor, const SpaceSet& set)
    : places_(rig.size()) {
  for (size_t c = 0; c < rig.size(); ++c) {
    const Lens& lens = rig[c].camera().lens;
    const double focal2 = lens.fx * lens.fy;
    for (const SpaceDot& dot : set.views[c].dots) {
      Place place;
      place.pixel = dot.at;
      place.variance = dot.sigma.cwiseMax(kLeastDotSigma).cwiseAbs2() +
                       Eigen::Vector2d::Constant(kSharedNoise * kSharedNoise);
      place.total = place.variance + rig[c].rigVariance(dot.at) +
                    Eigen::Vector2d::Constant(floor.variance(c));
      const auto plane = undistort(lens, dot.at);
      const double none = std::numeric_limits<double>::quiet_NaN();
      place.plane =
          plane ? Eigen::Vector3d(plane->x(), plane->y(), 1) : Eigen::Vector3d(none, none, 1);
      place.planeVariance = place.total.mean() / focal2;
      places_[c].push_back(place);
    }
    std::sort(places_[c].begin(), places_[c].end(), [](const Place& a, const Place& b) {
      return a.pixel.x() != b.pixel.x() ? a.pixel.x() < b.pixel.x() : a.pixel.y() < b.pixel.y();
    });
    grids_.push_back(gridOf(rig[c].camera(), places_[c]));
  }
}

bool DotIndex::anyNear(size_t camera, const Eigen::Vector2d& pixel, double reach) const {
  bool any = false;
  near(camera, pixel, reach, [&](size_t) { any = true; });
  return any;
}

// Makes as many cells as there are dots.
DotIndex::Grid DotIndex::gridOf(const RigCamera& camera, const std::vector<Place>& places) {
  Grid grid;
  if (places.empty()) return grid;
  const double width = camera.width, height = camera.height;
  grid.side = std::max(1.0, std::sqrt(width * height / static_cast<double>(places.size())));
  grid.columns = static_cast<int>(width / grid.side) + 1;
  grid.rows = static_cast<int>(height / grid.side) + 1;
  const auto cellOf = [&](const Place& place) {
    return grid.cell(grid.column(place.pixel.x()), grid.row(place.pixel.y()));
  };
  grid.starts.assign(grid.cell(0, grid.rows) + 1, 0);
  for (const Place& place : places) ++grid.starts[cellOf(place) + 1];
  for (size_t cell = 1; cell < grid.starts.size(); ++cell)
    grid.starts[cell] += grid.starts[cell - 1];
  std::vector<size_t> next = grid.starts;
  grid.dots.resize(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    grid.dots[next[cellOf(places[i])]++] = {places[i].pixel.x(), places[i].pixel.y(), i};
    grid.greatestVariance = std::max(grid.greatestVariance, places[i].total.maxCoeff());
  }
  return grid;
}

}  // namespace glint::motion
