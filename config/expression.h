// Formulas in the heads of filters: evaluated on the host, in double, so that their values are the
// same on every device.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glint::filters {

/// Operators as in C (+ - * / %, comparisons, && || !, ?:), numbers, pi, and the functions rnd
/// (halves up), floor, ceil, rint (halves to even), abs, sqrt, exp, log, sin, cos, pow(a, b),
/// min(a, b), max(a, b), clamp(x, least, most), mix(a, b, t), and sum(k, from, to, term), which
/// adds up the term for k = from, from + 1, ... to.
class Expression {
 public:
  /// `names`: of the variables. Throws Error with what is wrong with the text.
  Expression(std::string_view text, std::vector<std::string> names);

  /// `values`: one a name, in their order.
  double operator()(const std::vector<double>& values) const;

 private:
  size_t names_, depth_ = 0;
  std::function<double(std::vector<double>&)> formula_;
};

}  // namespace glint::filters
