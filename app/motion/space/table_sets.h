// Builds sets of dots from tables of 2D points.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/base/sets_by_time.h"
#include "app/motion/calibrate/points_table.h"
#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_set.h"

namespace glint::motion {

/// Terms that error messages use for the user's input. The command line and Python have different
/// ones.
struct TableWords {
  /// The name of the rig, for example "rig.toml".
  std::string rig;
  /// A clause on how to choose cameras, for example "--rig-cameras N,N,... chooses cameras of the
  /// rig".
  std::string choose;
  /// The name of the option for the frame rate, for example "--rate".
  std::string rate;
  /// The option with its value, for example "--rate HZ".
  std::string give;
  /// The word for a row, for example "line".
  std::string row;
};

/// Combines the rows of tables to sets. Rows with the same value in the column `set` belong
/// together. Without that column, rows with the same frame or the same time belong together, as
/// setsByTime() decides.
class TableSets {
 public:
  /// `rate` is the number of frames per second of tables without times; 0 means that it was not
  /// given. `rig` must outlive this object.
  TableSets(TableWords words, const SpaceRig& rig, double rate)
      : words_(std::move(words)), rig_(rig), rate_(rate) {}

  /// Adds a table. If `only` is given, all its rows belong to that camera, whatever number they
  /// have. Throws Error naming the table, and the row if there is one, also if the frames of a
  /// camera are not in ascending order or a dot appears twice. Throws UsageError if the rig lacks a
  /// camera or the rate does not fit. Warns if times are not in ascending order.
  void add(const std::string& name, const PointTable& table, std::optional<size_t> only = {});
  /// Adds a table while it is read, so that its rows need no memory of their own.
  void add(const std::string& name, PointReader& table, std::optional<size_t> only = {});

  /// Returns the sets, sorted by frame. Warns if the rig has more cameras than the tables.
  std::vector<SpaceSet> take();
  /// Returns true if take() has grouped frames by their times.
  bool byTime() const { return byTime_; }
  /// Returns the labels of all tables, to which SpaceDot::label refers; empty if rows have none.
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  /// The rows of one camera that were read so far.
  struct CameraRows {
    std::optional<PointRow> last;
    // Dots of the current set (position, sigmas and label) and their lines.
    std::map<std::array<double, 5>, size_t> dots;
    // Labels of the current set.
    std::set<int> labels;
    // True if a warning about its times was given.
    bool warned = false;
  };
  /// The table that is being added.
  struct Table {
    const std::string& name;
    std::optional<size_t> only;
    // See PointTable.
    bool timed, sigmasKnown, setsKnown;
    // The labels of the rows that were read so far.
    const std::vector<std::string>& labels;
    // The key is the camera's number in the table.
    std::map<size_t, CameraRows> cameras = {};

    long setOf(const PointRow& row) const { return setsKnown ? row.set : row.frame; }
  };

  void check(const Table& table) const;
  void checkOrder(const Table& table, const PointRow& row, CameraRows& camera) const;
  void addRow(Table& table, const PointRow& row);
  void addDot(const Table& table, const PointRow& row);
  void finish(const Table& table);
  int labelOf(const std::string& label);
  std::vector<std::vector<base::TimedFrame>> timedFrames() const;

  TableWords words_;
  const SpaceRig& rig_;
  double rate_;
  size_t highest_ = 0;
  // True if a table says which rows belong together, or has no times.
  bool numbered_ = false;
  bool byTime_ = false;
  // Views by camera, then by set or frame.
  std::vector<std::map<long, SpaceView>> views_;
  std::vector<std::string> labels_;
};

}  // namespace glint::motion
