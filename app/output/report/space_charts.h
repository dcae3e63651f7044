// Charts of points in space over time.
#pragma once

#include <string>
#include <vector>

#include "app/output/report/run.h"

namespace glint::output::report {

/// Measured points of each set, and their residuals, each an <svg> element.
std::string pointsChart(const std::vector<SpaceSetFigures>& sets);
std::string residualsChart(const std::vector<SpaceSetFigures>& sets);

}  // namespace glint::output::report
