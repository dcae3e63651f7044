// Markers that move roughly: fast flights, walls, stops, bursts in which they are hidden, clutter,
// and dots that touch. With the truth of it, and marks for what a tracker makes of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/geometry/rig.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/space_row.h"
#include "app/motion/space/space_set.h"

namespace glint::test {

struct RoughOptions {
  size_t cameras = 8;
  uint64_t frames = 400;
  double rate = 100;       ///< Hz
  size_t slow = 0;         ///< markers that swing about, as those of Swarm do
  size_t fast = 0;         ///< markers that fly through the volume, again and again
  double fastSpeed = 0;    ///< mm/s, of these
  bool ballistic = false;  ///< they fall meanwhile; otherwise they fly straight on
  size_t bouncing = 0;     ///< markers that are thrown back by the walls of the volume
  double bounceSpeed = 0;  ///< mm/s, of these
  double stops = 0;        ///< how often a second one of these stops dead, for 0.1 s
  size_t pairs = 0;        ///< pairs of markers that pass each other at 10 mm, twice a second
  double unseen = 0;       ///< share of the dots that are not there, each for itself
  double bursts = 0;       ///< how often a second a camera loses a marker for 5 to 20 frames
  size_t clutter = 0;      ///< dots of no marker in each image
  double merged = 0;       ///< px: nearer dots are one, between them
  double sigma = 0.1;      ///< px, of each coordinate
  unsigned seed = 1;
};

/// A marker that is in the volume in a set.
struct TrueMarker {
  size_t marker = 0;  ///< a marker that flies through again is another one
  Eigen::Vector3d at;
  int dots = 0;         ///< cameras that have a dot of it
  bool flying = false;  ///< it is one of RoughOptions::fast
};

struct RoughScene {
  motion::Rig rig;  ///< as it is in truth
  std::vector<motion::SpaceSet> sets;
  std::vector<std::vector<TrueMarker>> truth;  ///< of each set
  size_t markers = 0;                          ///< there were so many
  size_t impacts = 0;                          ///< at walls, stops and starts
};
RoughScene roughScene(const RoughOptions& options);

/// What a tracker made of a scene. Rows and markers of a set are matched one to one, the nearest
/// ones within 20 mm. Predicted rows are left out. Where a row may be either of two markers, its id
/// is not judged: whose it is shows when they have parted.
struct RoughScore {
  size_t due = 0;     ///< markers that three cameras or more see, summed over sets
  size_t missed = 0;  ///< of these, the ones that have no row
  size_t flyingDue = 0, flyingMissed = 0;  ///< the same of markers that fly through
  size_t rows = 0;                         ///< measured
  size_t ghosts = 0;                       ///< rows with no marker within 20 mm
  size_t duplicates = 0;                   ///< rows near to markers that have another row
  size_t switches = 0;                     ///< times that a marker has another id than before
  size_t ids = 0;
  double recall() const;        ///< 0 to 1
  double flyingRecall() const;  ///< the same of markers that fly through
  std::string text() const;
};
RoughScore judge(const RoughScene& scene, const std::vector<motion::SpaceRow>& rows);

/// Returns all rows that a tracker with default settings makes of sets.
std::vector<motion::SpaceRow> rowsOf(const motion::Rig& rig,
                                     const std::vector<motion::SpaceSet>& sets,
                                     const motion::PointTrackerOptions& options = {});

/// Joins the dots of a view that are nearer to each other than `reach` (px).
void mergeDots(motion::SpaceView& view, double reach);

}  // namespace glint::test
