// How well poses of rigid bodies agree with the truth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Geometry>

namespace glint::study {

/// One body in one frame: a row of poses.csv, or of its truth.
struct PoseSample {
  uint64_t frame = 0;
  std::string body;
  Eigen::Vector3d at{0, 0, 0};              ///< mm
  Eigen::Quaterniond attitude{1, 0, 0, 0};  ///< of length 1
  bool measured = true;
  double sigma = 0, sigmaAngle = 0;  ///< mm, degrees; of poses.csv alone
};

/// Whether a table is of poses: it has the columns body and qw.
bool holdsPoses(const std::string& path);

/// Reads poses.csv. By frame and body. Throws Error as readTracks() does, and for a sigma below 0
/// or a quaternion that is none.
std::vector<PoseSample> readPoses(const std::string& path);
/// The same for `frame,body,x_mm,y_mm,z_mm,qx,qy,qz,qw` of the truth.
std::vector<PoseSample> readPosesTruth(const std::string& path);

/// mm and degrees: a pose is at most so far from that of its body.
inline constexpr double kPoseRadius = 20, kPoseTurn = 20;

/// Of one body, or of all.
struct PoseScore {
  std::string body;  ///< "all"
  uint64_t truth = 0, rows = 0;
  uint64_t found = 0;    ///< rows that are right
  uint64_t missed = 0;   ///< of the truth, without a row
  uint64_t swapped = 0;  ///< rows that lie at another body
  uint64_t wrong = 0;    ///< the other rows: turned, or elsewhere
  double recall = 0;     ///< found of the truth
  // Of rows found that were measured. Error over sigma: 1 as stated; the share within that limit
  // which holds 95 % of errors that are alike along each axis.
  double rmse = 0, medianError = 0, errorOverSigma = 0, within95 = 0;        ///< mm
  double turnRmse = 0, turnMedian = 0, turnOverSigma = 0, turnWithin95 = 0;  ///< degrees
};

/// Each body of the truth, then all. Throws Error where no body has the name of a true one.
std::vector<PoseScore> scorePoses(const std::vector<PoseSample>& poses,
                                  const std::vector<PoseSample>& truth, double radius);

/// A line of headings, and one of figures for each; "-" where there is nothing to count.
std::string toTable(const std::vector<PoseScore>& scores);
std::string toJson(const std::vector<PoseScore>& scores, double radius);

}  // namespace glint::study
