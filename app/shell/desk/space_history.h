// The points of a whole recording, by set.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "app/motion/space/body_learn.h"
#include "app/motion/space/space_row.h"
#include "app/output/sinks/sink.h"
#include "config/numbers.h"

namespace glint::shell {

/// The rows of points.csv from a session with a rig that began with its first set. One thread adds,
/// any thread reads.
class SpaceHistory : public output::Sink {
 public:
  static constexpr size_t kMostRows = 1'000'000;  ///< the most rows that are kept, 250 bytes each

  void accept(const motion::FramePtr& frame) override;
  /// Records that the recording's end was reached, so that nothing follows.
  void conclude();

  /// Returns true if the recording's end was reached, and all rows were kept.
  bool whole() const;
  /// Returns true if all rows of a set are there. While the history grows, these are the sets up to
  /// the last one with rows.
  bool knows(SetIndex set) const;
  /// Returns the rows of a set, by point. Needs knows().
  std::vector<motion::SpaceRow> rows(SetIndex set) const;
  /// Returns all rows of these points, by set. Needs whole().
  std::vector<motion::SpaceRow> rowsOf(std::span<const uint64_t> points) const;
  /// Returns the rows in which these points were measured, by set. Needs whole().
  std::vector<motion::SpaceRow> measured(std::span<const uint64_t> points) const;
  /// Returns the poses in a set, in the order of the bodies. Needs knows().
  std::vector<motion::PoseRow> poses(SetIndex set) const;

  /// Returns the places (mm) of the points that exist in `set`, from the set `first` on, oldest
  /// first.
  std::map<uint64_t, std::vector<Eigen::Vector3d>> trails(SetIndex first, SetIndex set) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::vector<motion::SpaceRow>> sets_;  // the rows of each set
  std::map<SetIndex, std::vector<motion::PoseRow>> poses_;
  size_t rows_ = 0;
  bool concluded_ = false, kept_ = true;  // kept_: no row was left out
};

/// Learns the body of these points as `glint bodies --learn` does. Appends it under this name to a
/// file of bodies, which is created if it does not exist. Needs SpaceHistory::whole(). Throws Error
/// if the points are no body, if the file has a body of this name, or if it cannot be written.
motion::LearnedBody keepBody(const SpaceHistory& history, std::span<const uint64_t> points,
                             const std::string& name, const std::string& file);

}  // namespace glint::shell
