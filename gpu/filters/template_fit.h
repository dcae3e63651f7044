// Finds where a template lies in an image, to a fraction of a pixel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/filters/templates.h"

namespace glint::gpu {

/// Margin around a window that a fit reads, px.
inline constexpr int64_t kFitMargin = 8;

/// The place of a template in an image, as a fit finds it.
struct TemplatePlace {
  double x = 0, y = 0;  ///< px from the window's place
  /// Standard deviations of the place, px, estimated from what the template does not explain.
  double sigmaX = 0, sigmaY = 0;
  double score = 0;  ///< 0 to 1: the filter's score, at that place
};

/// Fits one variant T of a template to images, in double precision. With `gain` the image may be
/// a T + b for any a > 0 and b (method=ccoeff); without `gain` it must be T itself (sqdiff).
///
/// The place s solves the two equations F(s) = sum W(p) (I(p + s) - T(p)) = 0 by Newton's method,
/// where I is the image and p runs over the template's pixels. W is the slope of T; with `gain`,
/// its parts along T and along a constant are taken away, so that a and b drop out. To first order
/// s is the maximum of the correlation and, in white noise of variance v, the estimate of maximum
/// likelihood: its covariance is v J^-1 (sum W W^T) J^-T with J = dF/ds, in the limit the bound
/// v (sum W W^T)^-1. Since W is fixed, noise in T does not draw s towards whole pixels. I is
/// interpolated over 8x8 px by a sinc with Kaiser's window (beta = 4).
///
/// Where the object ends in the image, the outermost pixels of its picture are mixed with what lies
/// beside it. They are left out if they differ from T significantly more than the inner ones.
class TemplateFitter {
 public:
  TemplateFitter(const TemplateShape& shape, bool gain);

  /// Returns the place of the template in `around`, the image in the window and kFitMargin px
  /// around it. Empty where the score has no maximum within 4 px.
  std::optional<TemplatePlace> placeIn(const TemplateImage& around) const;

  /// Returns the sum, over the template's pixels, of `window`'s values above `background`.
  double sumAbove(const TemplateImage& window, double background) const;

  double radius() const { return radius_; }              ///< px, as in shared::Detection
  double eccentricity() const { return eccentricity_; }  ///< as in shared::Detection

 private:
  using Pair = std::array<double, 2>;
  struct Square {
    double xx = 0, xy = 0, yx = 0, yy = 0;
  };
  /// The weights W of a set of pixels.
  struct Weights {
    std::vector<uint8_t> counts;            ///< 1 for each pixel of the set, otherwise 0
    std::array<std::vector<double>, 2> of;  ///< W along x and y; 0 for pixels outside the set
    Square squares;                         ///< sum W W^T
    Pair constant{};                        ///< sum W T; 0 with `gain`
    /// Number of the pixels, and the sums of T and of its squares over them.
    double pixels = 0, sum = 0, sumSquares = 0;
  };
  struct Solution {
    double x = 0, y = 0;       ///< s, px
    Square slope;              ///< J
    std::vector<double> seen;  ///< I(p + s)
    double a = 1, b = 0;       ///< gain and offset: I is nearest to a T + b
    double noise = 1;          ///< share of white noise's variance that interpolation leaves
  };

  Weights weightsOf(std::vector<uint8_t> counts) const;
  double slopeAt(int64_t x, int64_t y, int64_t dx, int64_t dy) const;
  bool has(int64_t x, int64_t y) const;
  std::optional<Solution> solve(const TemplateImage& around, const Weights& weights) const;
  void evaluate(const TemplateImage& around, const Weights& weights, Solution& solution) const;
  double residual(const Solution& solution, const std::vector<uint8_t>& counts) const;
  double scoreOf(const Solution& solution, const Weights& weights) const;

  int64_t width_, height_;
  bool gain_;
  double radius_ = 0, eccentricity_ = 0;
  std::vector<double> values_;  // T in its box, raster order
  Weights all_, inner_;         // of all pixels of T, and of all but the outermost ones
};

}  // namespace glint::gpu
