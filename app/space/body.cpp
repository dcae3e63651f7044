#include "app/space/body.h"

#include <algorithm>

namespace glint {

Eigen::Vector3d Body::centre() const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Marker& marker : markers) sum += marker.at;
  return sum / static_cast<double>(markers.size());
}

double Body::extent() const {
  double most = 0;
  for (const Marker& a : markers)
    for (const Marker& b : markers) most = std::max(most, (a.at - b.at).norm());
  return most;
}

}  // namespace glint
