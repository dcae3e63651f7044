// Compares poses of rigid bodies with the truth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Geometry>

namespace glint::study {

/// One body in one frame: a row of poses.csv, or of the table of true poses.
struct PoseSample {
  uint64_t frame = 0;
  std::string body;
  Eigen::Vector3d at{0, 0, 0};              ///< The place of the body, mm.
  Eigen::Quaterniond attitude{1, 0, 0, 0};  ///< The attitude of the body, of length 1.
  bool measured = true;
  /// The stated deviations of the place (mm) and of the attitude (degrees); 0 in the truth.
  double sigma = 0, sigmaAngle = 0;
};

/// Returns true if a table holds poses: it has the columns body and qw.
bool holdsPoses(const std::string& path);

/// Reads poses.csv. The samples are sorted by frame and body. Throws Error as readTracks() does,
/// and if a sigma is below 0 or a quaternion is not of length 1.
std::vector<PoseSample> readPoses(const std::string& path);
/// Reads the truth, a table `frame,body,x_mm,y_mm,z_mm,qx,qy,qz,qw`. Sorts and throws as
/// readPoses() does.
std::vector<PoseSample> readPosesTruth(const std::string& path);

/// The default of `radius` in scorePoses() (mm), and the largest angle between a pose and the true
/// pose of its body (degrees).
inline constexpr double kPoseRadius = 20, kPoseTurn = 20;

/// The figures of one body, or of all bodies together.
struct PoseScore {
  std::string body;  ///< The name of the body, or "all".
  /// The number of poses in the truth, and of rows.
  uint64_t truth = 0, rows = 0;
  uint64_t found = 0;    ///< Rows whose pose is right: near the true pose of their body.
  uint64_t missed = 0;   ///< Poses of the truth for which there is no row.
  uint64_t swapped = 0;  ///< Rows whose pose is wrong and near the place of another body.
  uint64_t wrong = 0;    ///< All other rows: turned, or elsewhere.
  double recall = 0;     ///< found / truth.
  // The errors of those found rows that were measured. `errorOverSigma` and `turnOverSigma`: the
  // rms of the ratio between errors and stated deviations; 1 if the errors are as large as stated.
  // `within95` and `turnWithin95`: the share of errors within the limit that should hold 95 % of
  // them, if they are equally large along each axis.
  double rmse = 0, medianError = 0, errorOverSigma = 0, within95 = 0;  ///< Errors of the place, mm.
  /// Errors of the attitude, degrees.
  double turnRmse = 0, turnMedian = 0, turnOverSigma = 0, turnWithin95 = 0;
};

/// Returns the figures of each body by name, and of all bodies last. `radius`: the largest distance
/// between a right pose and the truth, mm. Throws Error if none of the poses belongs to a body of
/// the truth.
std::vector<PoseScore> scorePoses(const std::vector<PoseSample>& poses,
                                  const std::vector<PoseSample>& truth, double radius);

/// Returns a line of headings, and a line of figures for each score; a figure is "-" if there is
/// nothing to count.
std::string toTable(const std::vector<PoseScore>& scores);
std::string toJson(const std::vector<PoseScore>& scores, double radius);

}  // namespace glint::study
