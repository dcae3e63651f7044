// Errors of positions or angles, and how they compare with the deviations that were stated for
// them. Internal to eval/.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/base/quantile.h"

namespace glint::study {

/// Returns part / whole, or NaN where `whole` is 0.
inline double ratio(double part, double whole) {
  return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

/// Returns the median of the values, NaN without any.
template <class Value>
double medianOrNan(std::vector<Value> values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : base::medianOf(std::move(values));
}

/// Errors in space, each the length of three coordinates' errors.
class Errors {
 public:
  /// `terms`: 3 if add() is given chi squared, which is a sum over the three coordinates; 1 if it
  /// is given their mean.
  explicit Errors(double terms) : terms_(terms) {}

  /// Adds an error by its square, and its chi squared by the stated covariance; NaN: none was
  /// stated.
  void add(double square, double chi2) {
    constexpr double kLimit = 7.814728;  // chi squared of three degrees of freedom, 95 %
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

  // NaN where there is nothing to count.
  double rms() const { return std::sqrt(ratio(squares_, static_cast<double>(all_.size()))); }
  double median() const { return medianOrNan(all_); }
  /// Returns the rms of the errors over what was stated: 1 if they are as stated.
  double overSigma() const { return std::sqrt(ratio(chi2_ / terms_, stated_)); }
  /// Returns the share of errors within the ellipsoid that was stated to hold 95 % of them.
  double within95() const { return ratio(within_, stated_); }

 private:
  double terms_;
  std::vector<double> all_;
  double squares_ = 0, chi2_ = 0, stated_ = 0, within_ = 0;
};

}  // namespace glint::study
