// Collects the facts about a whole take that the first line of a wide file needs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/output/takes/take.h"

namespace glint::output {

/// The contents of a take beyond positions, with one member for each that some format cannot keep.
struct TakeContents {
  bool predicted = false;    ///< points that are not measured
  bool deviations = false;   ///< covariances, or standard deviations
  bool cameras = false;      ///< which cameras saw a point
  bool beyondSeven = false;  ///< one of them is none of the first seven
  bool counts = false;       ///< how many cameras saw a point, but not which
  bool velocities = false;   ///< velocities, residuals in px or flags
  size_t poses = 0;          ///< rows of bodies
  double residualStep = 0;   ///< mm: C3D holds 1 to 127 of it as a standard deviation
  double deviation = 0;      ///< mm: the largest standard deviation along one axis
  double offBeat = 0;        ///< s: how far times are off those of the rate, at most
  double start = 0;          ///< s: time that frame 0 would have
};

/// Finds the columns of a take's markers: one for each label of each body, and one for each id
/// without a label. If a frame has two rows of one label, the second one has a column of its own.
/// A column whose name is taken is numbered: "tip_2".
class TakeColumns {
 public:
  /// Begins with markers that a file lists.
  explicit TakeColumns(const std::vector<TakeMarker>& markers = {});

  /// Hands the column of every row of the frame to `take`, and makes those that are new.
  void assign(const TakeFrame& frame, const auto& take) {
    seen_.clear();
    for (const motion::SpaceRow& row : frame.points) take(row, indexOf(row));
  }

  const std::vector<TakeMarker>& markers() const { return markers_; }

 private:
  size_t indexOf(const motion::SpaceRow& row);

  std::vector<TakeMarker> markers_;
  std::map<std::pair<std::string, int>, size_t> index_;  ///< by marker and occurrence
  std::set<std::string> names_;                          ///< of all columns
  std::map<std::string, int> seen_;                      ///< rows of each marker in this frame
};

/// The largest standard deviation in a C3D file, in its steps: BTK reads the byte as a signed one.
constexpr int kMostResidualSteps = 127;

/// A take, read once from its first frame to its last.
struct TakeSurvey {
  TakeInfo info;             ///< with the markers and bodies that frames have
  double rate = 0;           ///< Hz
  bool rateAssumed = false;  ///< true if the file does not state its rate
  uint64_t first = 0;        ///< frame
  uint64_t frames = 0;       ///< from the first to the last one, gaps included; 0: an empty take
  double largest = 0;        ///< mm, of all coordinates
  TakeContents contents;
  std::vector<std::string> names;    ///< of the markers, as the format to be written allows
  std::vector<std::string> remarks;  ///< what the file holds and the take does not
  std::vector<std::string> doubts;   ///< what was changed, or contradicts itself
};

/// Reads a take to its end. `rate`: Hz, instead of what the file says; 0: none. Throws Error as the
/// reader does.
TakeSurvey surveyTake(TakeReader& reader, double rate = 0);

/// Copies a take, turned so that `up` is up, and with an empty frame for each one that is missing.
/// Returns how far the times of its frames are off those of the rate at most, in s. Throws Error as
/// the reader and the writer do.
double copyTake(TakeReader& reader, const TakeSurvey& survey, UpAxis up, TakeWriter& writer);

}  // namespace glint::output
