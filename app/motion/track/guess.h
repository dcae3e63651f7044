// Where a marker may be, and how certain that is.
#pragma once

namespace glint::motion {

/// A predicted place and its uncertainty.
struct Guess {
  double x = 0, y = 0;            ///< px
  double xx = 0, xy = 0, yy = 0;  ///< px^2: the covariance, or the scale matrix of Student's t
  double freedom = 0;             ///< degrees of freedom of Student's t; 0 means Gaussian

  double determinant() const { return xx * yy - xy * xy; }  ///< px^4

  /// Returns the probability density at a place, px^-2.
  double density(double atX, double atY) const;
};

/// Sums up the errors with which the known places of other markers were predicted. They tell how
/// good the prediction of an unknown place is.
struct GuessErrors {
  /// Adds the error (x, y) of one marker, px. The weights of all markers must sum up to 1.
  void add(double weight, double x, double y);

  /// Returns a guess at (x, y) with the covariance of the errors, plus `minSigma` (px) squared
  /// along each axis. The fewer markers there are in effect, which is 1 / squares, the larger it
  /// is.
  Guess around(double x, double y, double minSigma) const;

  /// Returns a guess at (x, y) with the same variance along both axes, which is at least `minSigma`
  /// (px) squared.
  Guess evenlyAround(double x, double y, double minSigma) const;

  double xx = 0, xy = 0, yy = 0;  ///< px^2, weighted sums of products
  double squares = 0;             ///< sum of the squared weights
};

}  // namespace glint::motion
