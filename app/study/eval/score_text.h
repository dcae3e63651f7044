// Scores as text: a table for people, JSON for programs. Figures and their names are those of
// Score.
#pragma once

#include <string>

#include "app/study/eval/score.h"

namespace glint::study {

/// A line a camera, and one of all where there are several; "-" where a figure has nothing to
/// count.
std::string toTable(const Scores& scores);

/// `{"radius", "all": {...}, "cameras": [{"camera", ...}]}`; null where a figure has nothing to
/// count.
std::string toJson(const Scores& scores);

}  // namespace glint::study
