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

/// What a session with a rig that began with its first set has handed on: the rows of points.csv.
/// One thread adds, any thread reads.
class SpaceHistory : public output::Sink {
 public:
  static constexpr size_t kMostRows = 1'000'000;  ///< that are kept, 250 bytes each

  void accept(const motion::FramePtr& frame) override;
  /// Nothing follows: the recording's end was reached.
  void conclude();

  /// Whether the recording's end was reached, and all rows were kept.
  bool whole() const;
  /// Whether all rows of a set are there: of one that grows, up to the last that has any.
  bool knows(SetIndex set) const;
  /// By point. Needs knows().
  std::vector<motion::SpaceRow> rows(SetIndex set) const;
  /// Of these points, where they were measured: by set. Needs whole().
  std::vector<motion::SpaceRow> measured(std::span<const uint64_t> points) const;
  /// In the order of the bodies. Needs knows().
  std::vector<motion::PoseRow> poses(SetIndex set) const;

  /// Places (mm) of the points that are there in `set`, from `first` on, oldest first.
  std::map<uint64_t, std::vector<Eigen::Vector3d>> trails(SetIndex first, SetIndex set) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::vector<motion::SpaceRow>> sets_;
  std::map<SetIndex, std::vector<motion::PoseRow>> poses_;
  size_t rows_ = 0;
  bool concluded_ = false, kept_ = true;
};

/// Learns the body of these points as `glint bodies --learn` does, and appends it under this name
/// to a file of bodies, which is made where there is none. Needs SpaceHistory::whole(). Throws
/// Error where the points are no body, the file has one of this name, or cannot be written.
motion::LearnedBody keepBody(const SpaceHistory& history, std::span<const uint64_t> points,
                             const std::string& name, const std::string& file);

}  // namespace glint::shell
