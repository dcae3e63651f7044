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

/// The weighted errors with which the places of others were foretold in the same way.
struct GuessErrors {
  /// px; the weights of all sum up to 1.
  void add(double weight, double x, double y);

  /// As sharp as they tell: of 1 / squares others in effect, so few tell a variance no better.
  Guess around(double x, double y) const;

  /// The same along each axis, but no better than `leastSigma` px.
  Guess evenlyAround(double x, double y, double leastSigma) const;

  double xx = 0, xy = 0, yy = 0, squares = 0;
};

}  // namespace glint
