// Limits of sums of squares.
#pragma once

namespace glint::motion {

/// What chi squared with `freedom` >= 1 degrees of freedom exceeds as seldom as a normal number
/// exceeds `sigmas` (Wilson and Hilferty, The distribution of chi-square, 1931).
double chi2Limit(int freedom, double sigmas);

}  // namespace glint::motion
