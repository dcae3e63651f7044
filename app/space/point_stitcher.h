// Gives a marker that comes out again the id that it had.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace glint {

/// Where a point is in a set.
struct PointPlace {
  uint64_t id = 0;
  Eigen::Vector3d at{0, 0, 0}, velocity{0, 0, 0};  ///< mm, mm/s
};

/// A point that has earned its id in the present set.
struct NewPoint {
  PointPlace now;    ///< its id is not used
  double since = 0;  ///< s, of its first measurement
};

/// As Stitcher does in images: a new point takes over the id of one that ended at most `longest` s
/// before it began, if that is likelier than all else together by a factor: other ended points,
/// other new points, and a marker that was not seen before. Where an ended point may be follows
/// from those around it: they went straight on as it does, or were moved as a rigid body, whichever
/// predicts them better.
class PointStitcher {
 public:
  explicit PointStitcher(double longest) : longest_(longest) {}
  void setLongest(double longest) { longest_ = longest; }

  /// A point that is not measured any more; `others` as they were in the set of its last
  /// measurement, at `clock` s.
  void remember(const PointPlace& last, double clock, std::vector<PointPlace> others);

  /// The id that each of `found` takes over, or 0; `others` have ids in this set.
  std::vector<uint64_t> join(std::span<const NewPoint> found, std::vector<PointPlace> others,
                             double clock);

  uint64_t stitches() const { return stitches_; }

 private:
  struct Ended {
    PointPlace last;
    double clock;
    std::vector<PointPlace> others;  // the nearest first
  };
  struct Place {
    Eigen::Vector3d at;
    double sigma;  // mm, along each axis
  };
  static Place expect(const Ended& ended, std::span<const PointPlace> now, double span);
  bool joinClear(std::span<const NewPoint> found, std::vector<uint64_t>& ids,
                 std::vector<PointPlace>& others, double clock);

  double longest_;
  std::deque<Ended> ended_;
  uint64_t stitches_ = 0;
};

}  // namespace glint
