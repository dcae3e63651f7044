// Simulates markers that move roughly: fast flights, walls, stops, bursts in which a camera loses
// them, clutter, and dots that touch. The scene comes with its truth, and judge() compares it with
// what a tracker makes of the scene.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/geometry/rig.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/space_row.h"
#include "app/motion/space/space_set.h"

namespace glint::test {

/// A description of a scene. By default it is empty.
struct RoughOptions {
  size_t cameras = 8;
  uint64_t frames = 400;
  double rate = 100;     ///< Hz
  size_t slow = 0;       ///< The number of markers that swing about, as those of Swarm do.
  size_t fast = 0;       ///< The number of markers that fly through the volume again and again.
  double fastSpeed = 0;  ///< The speed of the fast markers, mm/s.
  /// True if the fast markers fall under gravity; otherwise they fly straight on.
  bool ballistic = false;
  size_t bouncing = 0;     ///< The number of markers that bounce off the walls of the volume.
  double bounceSpeed = 0;  ///< The speed of the bouncing markers, mm/s.
  double stops = 0;        ///< How often per second a bouncing marker stops dead for 0.1 s.
  /// The number of pairs of markers that pass each other at 10 mm twice a second.
  size_t pairs = 0;
  double unseen = 0;   ///< The share of dots that are missing, each independently of the others.
  double bursts = 0;   ///< How often per second a camera loses a marker for 5 to 20 frames.
  size_t clutter = 0;  ///< The number of dots in each image that belong to no marker.
  /// Dots that are nearer to each other than this (px) are replaced by one between them; 0: none
  /// are.
  double merged = 0;
  double sigma = 0.1;  ///< The noise of each coordinate, px.
  unsigned seed = 1;
};

/// A marker that is in the volume at the time of a set.
struct TrueMarker {
  size_t marker = 0;  ///< The marker's number. A marker that flies through again gets a new one.
  Eigen::Vector3d at;
  int dots = 0;         ///< The number of cameras that have a dot of it.
  bool flying = false;  ///< True if it is one of RoughOptions::fast.
};

/// A scene: what the cameras see, and where the markers really are.
struct RoughScene {
  motion::Rig rig;  ///< The true rig.
  std::vector<motion::SpaceSet> sets;
  std::vector<std::vector<TrueMarker>> truth;  ///< The markers of each set.
  size_t markers = 0;                          ///< The number of markers in all.
  size_t impacts = 0;                          ///< The number of bounces, stops and starts.
};
RoughScene roughScene(const RoughOptions& options);

/// How well a tracker followed a scene. The rows and markers of a set are matched one to one, the
/// nearest within 20 mm. Predicted rows are left out. A row within 20 mm of several markers does
/// not count for `switches`, because only later sets show whose id it has.
struct RoughScore {
  size_t due = 0;     ///< The markers that three cameras or more see, summed over sets.
  size_t missed = 0;  ///< The markers of `due` that have no row.
  /// The counts of `due` and `missed` for the fast markers only.
  size_t flyingDue = 0, flyingMissed = 0;
  size_t rows = 0;        ///< The measured rows.
  size_t ghosts = 0;      ///< The rows with no marker within 20 mm.
  size_t duplicates = 0;  ///< The rows near markers that are matched with other rows.
  size_t switches = 0;    ///< How often a marker has another id than before.
  size_t ids = 0;
  double recall() const;        ///< Returns the share of `due` that has a row, 0 to 1.
  double flyingRecall() const;  ///< Returns the same share for the fast markers.
  std::string text() const;
};
RoughScore judge(const RoughScene& scene, const std::vector<motion::SpaceRow>& rows);

/// Returns all rows that a tracker with default settings makes of the sets.
std::vector<motion::SpaceRow> rowsOf(const motion::Rig& rig,
                                     const std::vector<motion::SpaceSet>& sets,
                                     const motion::PointTrackerOptions& options = {});

/// Merges dots of a view that are nearer to each other than `reach` (px).
void mergeDots(motion::SpaceView& view, double reach);

}  // namespace glint::test
