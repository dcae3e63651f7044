// A run as one self-contained page.
#pragma once

#include <string>

#include "app/output/report/run.h"

namespace glint::output::report {

/// HTML without network access, complete without its script. As many tracks are drawn, and as
/// finely, as leave the page below 2 MB; figures and distributions count all.
std::string makePage(const Run& run);

}  // namespace glint::output::report
