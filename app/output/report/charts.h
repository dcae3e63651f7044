// The charts of one camera, each an <svg> element, and the key figures of a run, as HTML.
#pragma once

#include <string>
#include <vector>

#include "app/output/report/run.h"

namespace glint::output::report {

/// Which of a camera's tracks are drawn, and how finely.
struct Drawn {
  std::vector<const TrackSummary*> tracks;  ///< in the order of their ids
  unsigned coarse = 0;                      ///< 2^coarse bins of the summary are drawn as one
};

constexpr double kWide = 1080;  ///< px, of charts over time
constexpr double kHalf = 515;   ///< px, of charts that stand two in a row

/// One row a track: measured, predicted and absent stretches of time.
std::string presenceChart(const Camera& camera, const Drawn& drawn);

enum class Coordinate { x, y };

/// One line a track; where more than a pixel of the page falls into a bin, from its least to its
/// most.
std::string coordinateChart(const Camera& camera, const Drawn& drawn, Coordinate coordinate);

/// The time between successive frames, least and most of each part of the page's width, and dropped
/// frames.
std::string frameTimesChart(const Camera& camera);

std::string stepsChart(const CameraSummary& camera);
std::string gapsChart(const CameraSummary& camera);
std::string sigmaChart(const CameraSummary& camera);
std::string phaseChart(const CameraSummary& camera);

/// Bars of a histogram of gaps: up to here (frames), and how many.
struct GapClass {
  uint32_t least = 0, most = 0;  ///< frames
  uint64_t count = 0;
};

/// From one frame on, every length by itself up to 5, then in wider and wider classes up to the
/// longest gap.
std::vector<GapClass> gapClasses(const std::map<uint32_t, uint64_t>& gaps);

/// Shows frames, duration, tracks and other key figures of all cameras together.
std::string keyFigures(const Run& run);

/// Makes a table with a row for each camera: the key figures and more.
std::string cameraTable(const Run& run);

/// Points and bodies in space; empty without a rig.
std::string spaceSection(const Run& run);

/// Sources, device and settings of the run; empty without a run record.
std::string runDetails(const Run& run);

}  // namespace glint::output::report
