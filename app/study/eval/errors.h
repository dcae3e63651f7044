// Statistics of errors of positions or angles, in comparison with the deviations that were stated
// for them. Used only inside this folder.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/base/quantile.h"

namespace glint::study {

/// Returns part / whole, or NaN if `whole` is 0.
inline double ratio(double part, double whole) {
  return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

/// Returns the median of the values, or NaN if there are none.
template <class Value>
double medianOrNan(std::vector<Value> values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : base::medianOf(std::move(values));
}

/// Collects errors. Each is the length of a vector with three components, such as the distance
/// between two points in space.
class Errors {
 public:
  /// `terms`: 3 if add() is given chi squared as the sum over three coordinates; 1 if it is given
  /// the mean over them.
  explicit Errors(double terms) : terms_(terms) {}

  /// Adds an error. `square`: the square of its length. `chi2`: its chi squared according to the
  /// stated covariance; NaN if none was stated.
  void add(double square, double chi2) {
    // The limit that 95 % of chi squared with three degrees of freedom are below.
    constexpr double kLimit = 7.814728;
    squares_ += square;
    all_.push_back(std::sqrt(square));
    if (std::isnan(chi2)) return;
    chi2_ += chi2, stated_ += 1, within_ += chi2 < kLimit / (3 / terms_);
  }

  void add(const Errors& other) {
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    squares_ += other.squares_, chi2_ += other.chi2_;
    stated_ += other.stated_, within_ += other.within_;
  }

  // All of these functions return NaN if there is nothing to count.
  double rms() const { return std::sqrt(ratio(squares_, static_cast<double>(all_.size()))); }
  double median() const { return medianOrNan(all_); }
  /// Returns the rms of the ratio between errors and stated deviations: 1 if the errors are as
  /// large as stated.
  double overSigma() const { return std::sqrt(ratio(chi2_ / terms_, stated_)); }
  /// Returns the share of errors within the stated ellipsoids that should hold 95 % of them.
  double within95() const { return ratio(within_, stated_); }

 private:
  double terms_;
  std::vector<double> all_;
  double squares_ = 0, chi2_ = 0, stated_ = 0, within_ = 0;
};

}  // namespace glint::study
