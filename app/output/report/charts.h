// The charts of one camera, each as an <svg> element, and the key figures of a run as HTML.
#pragma once

#include <string>
#include <vector>

#include "app/output/report/run.h"

namespace glint::output::report {

/// The tracks of a camera that are drawn, and how finely.
struct Drawn {
  std::vector<const TrackSummary*> tracks;  ///< tracks in the order of their ids
  unsigned coarse = 0;                      ///< 2^coarse bins of the summary are drawn as one
};

constexpr double kWide = 1080;  ///< px, width of charts over time
constexpr double kHalf = 515;   ///< px, width of charts of which two stand in a row

/// Draws a row for each track with the stretches of time in which it was measured, predicted or
/// absent.
std::string presenceChart(const Camera& camera, const Drawn& drawn);

enum class Coordinate { x, y };

/// Draws a line for each track. If a bin is wider than a pixel of the page, the line reaches from
/// its least to its greatest value.
std::string coordinateChart(const Camera& camera, const Drawn& drawn, Coordinate coordinate);

/// Draws the time between successive frames, from the least to the greatest in each part of the
/// page's width, and dropped frames.
std::string frameTimesChart(const Camera& camera);

std::string stepsChart(const CameraSummary& camera);
std::string gapsChart(const CameraSummary& camera);
std::string sigmaChart(const CameraSummary& camera);
std::string phaseChart(const CameraSummary& camera);

/// A bar in a histogram of gaps: the range of lengths, and the number of gaps.
struct GapClass {
  uint32_t least = 0, most = 0;  ///< frames
  uint64_t count = 0;
};

/// Returns the classes of a histogram of gaps, from one frame on. Every length up to 5 is a class
/// of its own. Then classes grow wider and wider, up to the longest gap.
std::vector<GapClass> gapClasses(const std::map<uint32_t, uint64_t>& gaps);

/// Lists frames, duration, tracks and other key figures of all cameras together.
std::string keyFigures(const Run& run);

/// Makes a table with a row for each camera: the key figures and more.
std::string cameraTable(const Run& run);

/// Describes points and bodies in space; empty without a rig.
std::string spaceSection(const Run& run);

/// Lists sources, device and settings of the run; empty without a run record.
std::string runDetails(const Run& run);

}  // namespace glint::output::report
