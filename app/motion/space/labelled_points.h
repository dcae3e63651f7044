// Computes points in space from dots whose labels say which belong together.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/motion/space/space_row.h"
#include "app/motion/space/space_set.h"

namespace glint::motion {

struct LabelledOptions {
  /// Standard deviation of dots whose table does not state one, px. It is that of common pose
  /// estimation (Mathis et al. 2018, DeepLabCut: test errors of 2 to 5 px). Raising it keeps more
  /// rays that do not meet, and states larger uncertainties.
  double sigma = 3;
  /// A ray is left out if its dot is more than this many standard deviations off the point that the
  /// other rays make. Raising it lets wrong dots pull at points.
  double most = 5;
};

/// Computes the point of each label in a set from the rays of all cameras that see it. While the
/// rays do not meet, the one that fits the others worst is left out, down to two rays.
class LabelledPoints {
 public:
  /// `labels` are those that dots refer to. With `sigmasKnown`, dots state their own sigmas.
  LabelledPoints(std::shared_ptr<const SpaceRig> rig, std::vector<std::string> labels,
                 bool sigmasKnown, const LabelledOptions& options = {});

  /// Returns the points of the set: the id of a point is the place of its label from 1. Velocities
  /// are not known.
  SpaceFrame update(const SpaceSet& set);

  /// The labels that had a point in any set.
  uint64_t points() const;
  /// Labels in sets that gave no point: seen by one camera, or by rays that do not meet.
  uint64_t alone() const { return alone_; }
  uint64_t apart() const { return apart_; }
  /// Rays that were left out because the others do not meet them.
  uint64_t leftOut() const { return leftOut_; }

 private:
  std::shared_ptr<const SpaceRig> rig_;
  std::vector<std::string> labels_;
  bool sigmasKnown_;
  LabelledOptions options_;
  std::vector<bool> found_;
  uint64_t alone_ = 0, apart_ = 0, leftOut_ = 0;
};

}  // namespace glint::motion
