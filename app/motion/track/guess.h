// A predicted place with its uncertainty.
#pragma once

namespace glint::motion {

/// A predicted place and its uncertainty.
struct Guess {
  double x = 0, y = 0;  ///< px
  /// Covariance, or the scale matrix of Student's t, px^2.
  double xx = 0, xy = 0, yy = 0;
  /// Degrees of freedom of Student's t distribution; 0 means a normal distribution.
  double freedom = 0;

  /// Returns the determinant of the covariance, px^4.
  double determinant() const { return xx * yy - xy * xy; }

  /// Returns the probability density at a place, px^-2.
  double density(double atX, double atY) const;
};

/// Sums of the errors with which the known places of other markers were predicted. They show how
/// good the prediction of an unknown place is.
struct GuessErrors {
  /// Adds the error (x, y) of one marker, px. The sum of all markers' weights must be 1.
  void add(double weight, double x, double y);

  /// Returns a guess at (x, y) with the covariance of the errors plus `minSigma` (px) squared along
  /// each axis. The effective number of markers is 1 / squares; the smaller it is, the more the
  /// covariance is enlarged.
  Guess around(double x, double y, double minSigma) const;

  /// Returns a guess at (x, y) with the same variance along both axes, which is at least `minSigma`
  /// (px) squared.
  Guess evenlyAround(double x, double y, double minSigma) const;

  /// Weighted sums of products of the errors, px^2.
  double xx = 0, xy = 0, yy = 0;
  /// Sum of the squared weights.
  double squares = 0;
};

}  // namespace glint::motion
