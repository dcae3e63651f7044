// Compares points in space with the truth. References are in score.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace glint::study {

/// One point in one frame: a row of points.csv or of truth3d.csv.
struct SpaceSample {
  std::array<double, 3> at{};  ///< The place of the point, mm.
  uint64_t id = 0;
  uint64_t frame = 0;
  bool measured = true;
  /// The stated covariance, mm^2: xx, yy, zz, xy, xz, yz; 0 in the truth.
  std::array<double, 6> covariance{};
};

/// Returns true if a table holds points in space: it has the columns point and x_mm.
bool holdsPoints(const std::string& path);

/// Reads points.csv. The samples are sorted by frame and id. Throws Error as readTracks() does, and
/// if a sigma is below 0.
std::vector<SpaceSample> readSpacePoints(const std::string& path);
/// Reads truth3d.csv, a table `frame,marker,x_mm,y_mm,z_mm`. Sorts and throws as readSpacePoints()
/// does.
std::vector<SpaceSample> readSpaceTruth(const std::string& path);

/// The default of `radius` in scoreSpace(), mm.
inline constexpr double kSpaceRadius = 20;

/// The figures of Score for points in space. Every marker of the truth counts, whether a camera
/// sees it or not.
struct SpaceScore {
  uint64_t frames = 0, truth = 0, rows = 0, matched = 0, missed = 0, spurious = 0, switches = 0;
  double recall = 0, precision = 0, idf1 = 0;
  double rmse = 0, medianError = 0;  ///< The errors of matched rows that were measured, mm.
  /// The rms of the ratio between these errors and the deviations of their covariances (1 if the
  /// errors are as large as stated), and the share of errors within the stated ellipsoids that
  /// should hold 95 % of them.
  double errorOverSigma = 0, within95 = 0;
};

/// Compares points with the truth. Both must be sorted by frame and id. In each frame, points and
/// markers within `radius` (mm) are matched so that there are as many pairs as possible, and so
/// that their summed distance is as small as possible. Throws Error if a frame has too many points
/// and markers to be matched.
SpaceScore scoreSpace(const std::vector<SpaceSample>& points, const std::vector<SpaceSample>& truth,
                      double radius);

/// Returns a line of headings and a line of figures; a figure is "-" if there is nothing to count.
std::string toTable(const SpaceScore& score);
std::string toJson(const SpaceScore& score, double radius);

}  // namespace glint::study
