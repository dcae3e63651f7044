// How well points in space agree with the truth. References in score.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace glint::study {

/// One point in one frame: a row of points.csv or of truth3d.csv.
struct SpaceSample {
  std::array<double, 3> at{};  ///< mm
  uint64_t id = 0;
  uint64_t frame = 0;
  bool measured = true;
  /// mm^2: xx, yy, zz, xy, xz, yz; of points alone.
  std::array<double, 6> covariance{};
};

/// Whether a table is of points in space: it has the columns point and x_mm.
bool holdsPoints(const std::string& path);

/// Reads points.csv. By frame and id. Throws Error as readTracks() does, and for a sigma below 0.
std::vector<SpaceSample> readSpacePoints(const std::string& path);
/// The same for `frame,marker,x_mm,y_mm,z_mm` of a truth3d.csv.
std::vector<SpaceSample> readSpaceTruth(const std::string& path);

/// mm: a point is at most this far from its marker.
inline constexpr double kSpaceRadius = 20;

/// As of Score, in mm. Every marker of the truth counts, seen or not.
struct SpaceScore {
  uint64_t frames = 0, truth = 0, rows = 0, matched = 0, missed = 0, spurious = 0, switches = 0;
  double recall = 0, precision = 0, idf1 = 0;
  double rmse = 0, medianError = 0;  ///< mm, of matched rows that were measured
  /// The rms of their errors over what their covariances say (1: as stated), and the share within
  /// the 95 % ellipsoid.
  double errorOverSigma = 0, within95 = 0;
};

/// Throws Error where a frame has too many to be matched. Both by frame and id. In each frame most
/// pairs within `radius`, then the least summed distance.
SpaceScore scoreSpace(const std::vector<SpaceSample>& points, const std::vector<SpaceSample>& truth,
                      double radius);

/// A line of headings and one of figures; "-" where there is nothing to count.
std::string toTable(const SpaceScore& score);
std::string toJson(const SpaceScore& score, double radius);

}  // namespace glint::study
