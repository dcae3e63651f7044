// Formulas in the heads of filters. They are evaluated on the host with double precision, so that
// their values are the same on every device.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glint::filters {

/// A formula. It may use operators as in C (+ - * / %, comparisons, && || !, ?:), numbers, pi, and
/// the functions rnd (rounds halves up), floor, ceil, rint (rounds halves to even), abs, sqrt, exp,
/// log, sin, cos, pow(a, b), min(a, b), max(a, b), clamp(x, least, most), mix(a, b, t), and
/// sum(k, from, to, term), which adds up the term for k = from, from + 1, ... to. The remainder of
/// % has the sign of the divisor.
class Expression {
 public:
  /// `names` are the names of the variables. Throws Error if the text is not a valid formula.
  Expression(std::string_view text, std::vector<std::string> names);

  /// Returns the value of the formula. `values` has one value for each name, in the same order.
  /// Throws Error if there are fewer, or if sums have more than 1,048,576 terms.
  double operator()(const std::vector<double>& values) const;

 private:
  size_t names_, depth_ = 0;
  std::function<double(std::vector<double>&)> formula_;
};

}  // namespace glint::filters
