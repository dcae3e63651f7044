// Sets of dots from tables of 2D points.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/base/sets_by_time.h"
#include "app/motion/calibrate/points_table.h"
#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_set.h"

namespace glint::motion {

/// How messages call what the user gave.
struct TableWords {
  std::string rig;     ///< "rig.toml"
  std::string choose;  ///< "--rig-cameras N,N,... chooses cameras of the rig"
  std::string rate;    ///< "--rate"
  std::string give;    ///< "--rate HZ"
  std::string row;     ///< "line"
};

/// Puts the rows of tables together. Rows of one `set` belong together; where there is no such
/// column those of one frame, or of one time, as setsByTime() says.
class TableSets {
 public:
  /// `rate`: frames a second of tables without times; 0: not given.
  TableSets(TableWords words, const SpaceRig& rig, double rate)
      : words_(std::move(words)), rig_(rig), rate_(rate) {}

  /// `only`: the camera that all its rows are of, whatever number they have. Throws Error naming
  /// the table, and the row where there is one: for frames of a camera that do not rise, and for a
  /// dot that is there twice, too; UsageError for a camera that the rig lacks, or for the rate.
  /// Warns of times that do not rise.
  void add(const std::string& name, const PointTable& table, std::optional<size_t> only = {});

  /// By frame. Warns where the rig has cameras of which there is nothing.
  std::vector<SpaceSet> take();
  /// Whether take() has made sets by time.
  bool byTime() const { return byTime_; }

 private:
  /// What the rows of one camera were so far.
  struct CameraRows {
    const PointRow* last = nullptr;
    std::map<std::array<double, 4>, size_t> dots;  // of that set: place and sigmas; their lines
    bool told = false;                             // that its times do not rise
  };

  void check(const std::string& name, const PointTable& table) const;
  void checkOrder(const std::string& name, const PointTable& table, const PointRow& row,
                  CameraRows& camera) const;
  void add(const std::string& name, const PointTable& table, const PointRow& row, size_t camera,
           long frame);
  std::vector<std::vector<base::TimedFrame>> timedFrames() const;

  TableWords words_;
  const SpaceRig& rig_;
  double rate_;
  size_t highest_ = 0;
  bool numbered_ = false;  // a table says which rows belong together, or has no times
  bool byTime_ = false;
  std::vector<std::map<long, SpaceView>> views_;  // by camera, then set or frame
};

}  // namespace glint::motion
