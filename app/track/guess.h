// Where a marker may be, and how sure that is.
#pragma once

namespace glint {

/// A place, and how sure it is.
struct Guess {
  double x = 0, y = 0;            ///< px
  double xx = 0, xy = 0, yy = 0;  ///< px^2: covariance, or the scale of Student's t
  double freedom = 0;             ///< of Student's t; 0: Gaussian

  double determinant() const { return xx * yy - xy * xy; }  ///< px^4

  /// How likely the place is there, px^-2.
  double density(double atX, double atY) const;
};

/// The weighted errors of other places that were predicted in the same way.
struct GuessErrors {
  /// px; the weights of all sum up to 1.
  void add(double weight, double x, double y);

  /// Covariance from their scatter. 1 / squares is their effective number; the fewer, the larger.
  Guess around(double x, double y) const;

  /// The same along each axis, but no better than `leastSigma` px.
  Guess evenlyAround(double x, double y, double leastSigma) const;

  double xx = 0, xy = 0, yy = 0, squares = 0;
};

}  // namespace glint
