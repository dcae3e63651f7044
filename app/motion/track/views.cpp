#include "app/motion/track/views.h"

#include <algorithm>
#include <array>
#include <vector>

namespace glint::motion {
namespace {

// The terms of the linear combination: 1, the place in the first view (x and y), and the difference
// from there to the place in the second view (x and y). Places are relative to the hidden marker's.
constexpr size_t kTerms = 5;
using Terms = std::array<double, kTerms>;
using Matrix = std::array<Terms, kTerms>;

// A companion that is visible in both views and now.
struct Sight {
  double weight;
  Terms terms;
  // The present place of the companion minus its place in the first view, px.
  double x, y;
};

double dot(const Terms& a, const Terms& b) {
  double sum = 0;
  for (size_t i = 0; i < kTerms; ++i) sum += a[i] * b[i];
  return sum;
}

Terms times(const Matrix& matrix, const Terms& v) {
  Terms result{};
  for (size_t i = 0; i < kTerms; ++i) result[i] = dot(matrix[i], v);
  return result;
}

// Returns the inverse of a symmetric positive definite matrix by Gauss-Jordan elimination, which
// needs no pivoting for such a matrix.
Matrix inverse(Matrix matrix) {
  Matrix result{};
  for (size_t i = 0; i < kTerms; ++i) result[i][i] = 1;
  for (size_t i = 0; i < kTerms; ++i) {
    const double pivot = matrix[i][i];
    for (size_t k = 0; k < kTerms; ++k) {
      matrix[i][k] /= pivot;
      result[i][k] /= pivot;
    }
    for (size_t j = 0; j < kTerms; ++j) {
      if (j == i) continue;
      const double factor = matrix[j][i];
      for (size_t k = 0; k < kTerms; ++k) {
        matrix[j][k] -= factor * matrix[i][k];
        result[j][k] -= factor * result[i][k];
      }
    }
  }
  return result;
}

// Returns the companions that are visible in both views and now, with weights whose sum is 1.
std::vector<Sight> sightsOf(const Constellation& one, const Constellation& two,
                            std::span<const TrackPlace> now, double near) {
  std::vector<Sight> sights;
  double sum = 0;
  auto second = two.companions.begin();
  auto third = now.begin();
  for (const TrackPlace& first : one.companions) {
    while (second != two.companions.end() && second->id < first.id) ++second;
    while (third != now.end() && third->id < first.id) ++third;
    if (second == two.companions.end() || third == now.end()) break;
    if (second->id != first.id || third->id != first.id) continue;
    const double x = first.x - one.own.x, y = first.y - one.own.y;
    const double u = second->x - two.own.x, v = second->y - two.own.y;
    const double weight = 1 / ((x * x + y * y + u * u + v * v) / 2 + near * near);
    sights.push_back({weight, {1, x, y, u - x, v - y}, third->x - x, third->y - y});
    sum += weight;
  }
  for (Sight& sight : sights) sight.weight /= sum;
  return sights;
}

// Returns the weighted sums of the products of all terms. For ridge regression, `ridge` times the
// spread of the companions is added to the diagonal.
Matrix momentsOf(const std::vector<Sight>& sights, double ridge) {
  Matrix sums{};
  for (const Sight& sight : sights)
    for (size_t i = 0; i < kTerms; ++i)
      for (size_t k = 0; k < kTerms; ++k)
        sums[i][k] += sight.weight * sight.terms[i] * sight.terms[k];
  const double wide = sums[1][1] + sums[2][2] - sums[0][1] * sums[0][1] - sums[0][2] * sums[0][2];
  for (size_t i = 1; i < kTerms; ++i) sums[i][i] += ridge * std::max(wide, 1e-6);
  return sums;
}

}  // namespace

std::optional<Guess> combined(const Constellation& one, const Constellation& two,
                              std::span<const TrackPlace> now, size_t minCompanions,
                              const TwoViewOptions& options) {
  const std::vector<Sight> sights = sightsOf(one, two, now, options.nearDistance);
  if (sights.size() < std::max(minCompanions, kTerms)) return std::nullopt;
  const Matrix inverted = inverse(momentsOf(sights, options.ridge));
  Terms x{}, y{};
  for (const Sight& sight : sights)
    for (size_t i = 0; i < kTerms; ++i) {
      x[i] += sight.weight * sight.terms[i] * sight.x;
      y[i] += sight.weight * sight.terms[i] * sight.y;
    }
  x = times(inverted, x);
  y = times(inverted, y);
  GuessErrors errors;
  for (const Sight& sight : sights) {
    // The error of a fit without this companion is its error in the fit of all, divided by one
    // minus its leverage.
    const double leverage = sight.weight * dot(sight.terms, times(inverted, sight.terms));
    const double others = std::max(1 - leverage, options.minOthersShare);
    errors.add(sight.weight, (sight.x - dot(sight.terms, x)) / others,
               (sight.y - dot(sight.terms, y)) / others);
  }
  Guess guess = errors.around(x[0], y[0], options.minSigma);
  guess.freedom = options.freedom;
  return guess;
}

}  // namespace glint::motion
