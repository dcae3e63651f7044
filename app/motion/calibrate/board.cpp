#include "app/motion/calibrate/board.h"

namespace glint::motion {

Eigen::Vector3d Board::corner(size_t index) const {
  const auto wide = static_cast<size_t>(columns);
  return {square * static_cast<double>(index % wide), square * static_cast<double>(index / wide),
          0};
}

}  // namespace glint::motion
