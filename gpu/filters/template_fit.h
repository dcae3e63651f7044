// Where a picture that is sought lies, to a fraction of a pixel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/filters/templates.h"

namespace glint::gpu {

/// px around a window that a fit looks at.
inline constexpr int64_t kFitMargin = 8;

/// What a fit says of a picture's place.
struct TemplatePlace {
  double x = 0, y = 0;  ///< px from where the window was
  double sigmaX = 0,
         sigmaY = 0;  ///< px, standard deviations from what the picture does not explain
  double score = 0;   ///< as the filter has it, 0 to 1, at that place
};

/// Fits one variant of a picture T, in double. With `gain` the image may be a T + b for any a > 0
/// and b (method=ccoeff), without it is T itself (sqdiff).
///
/// The place s solves sum W(p) (I(p + s) - T(p)) = 0, two equations, by Newton's method. W is the
/// slope of T, with `gain` less its parts along T and a constant, which removes a and b. To first
/// order that is the maximum of the correlation and, in white noise of variance v, the estimate of
/// maximum likelihood: its covariance is v J^-1 (sum W W^T) J^-T with J = dF/ds, in the limit the
/// bound v (sum W W^T)^-1. Since W is fixed, noise in T does not draw s towards whole pixels. I is
/// interpolated over 8x8 px by a sinc with Kaiser's window (beta = 4).
///
/// Where the picture ends in the image, its outermost pixels there have a share of what is beside
/// it. They are left out if they differ from T significantly more than the inner ones.
class TemplateFitter {
 public:
  TemplateFitter(const TemplateShape& shape, bool gain);

  /// `around`: the image in the window and kFitMargin px around it. Empty where the score has no
  /// maximum within 4 px.
  std::optional<TemplatePlace> placeIn(const TemplateImage& around) const;

  /// Sum of `window`'s values above `background` over the picture's pixels.
  double sumAbove(const TemplateImage& window, double background) const;

  double radius() const { return radius_; }              ///< px, as shared::Detection has it
  double eccentricity() const { return eccentricity_; }  ///< the same

 private:
  using Pair = std::array<double, 2>;
  struct Square {
    double xx = 0, xy = 0, yx = 0, yy = 0;
  };
  /// Weights of some of the pixels; 0 elsewhere.
  struct Weights {
    std::vector<uint8_t> counts;  ///< 1: the pixel is one of them
    std::array<std::vector<double>, 2> of;
    Square squares;                              ///< sum W W^T
    Pair constant{};                             ///< sum W T, without gain
    double pixels = 0, sum = 0, sumSquares = 0;  ///< of T
  };
  struct Solution {
    double x = 0, y = 0;
    Square slope;              ///< J
    std::vector<double> seen;  ///< I(p + s)
    double a = 1, b = 0;       ///< that I is a T + b with
    double noise = 1;          ///< of white noise's variance, what interpolation leaves of it
  };

  Weights weightsOf(std::vector<uint8_t> counts) const;
  double slopeAt(int64_t x, int64_t y, int64_t dx, int64_t dy) const;
  bool has(int64_t x, int64_t y) const;
  std::optional<Solution> solve(const TemplateImage& around, const Weights& weights) const;
  void look(const TemplateImage& around, const Weights& weights, Solution& solution) const;
  double residual(const Solution& solution, const std::vector<uint8_t>& counts) const;
  double scoreOf(const Solution& solution, const Weights& weights) const;

  int64_t width_, height_;
  bool gain_;
  double radius_ = 0, eccentricity_ = 0;
  std::vector<double> values_;  // of T in its box
  Weights all_, inner_;         // without the outermost pixels
};

}  // namespace glint::gpu
