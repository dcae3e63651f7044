// The distribution of the size, mass, shape and significance of markers, and of rejected
// candidates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/detect/detector.h"

namespace glint::shell {

/// The counts of one quantity.
struct MarkerHistogram {
  double least = 0, most = 1;  ///< the lower edge of the first bin, the upper one of the last
  bool logarithmic = false;    ///< true if bins have equal widths in log10
  /// Counts of markers, and of candidates that were rejected, in each bin.
  std::vector<uint32_t> found, rejected;
  /// Return where `value` lies, from 0 (`least`) to 1 (`most`) or beyond, and the value at such a
  /// place.
  double place(double value) const;
  double value(double place) const;
};

/// The values from which all histograms of a frame are made.
class MarkerHistograms {
 public:
  /// Adds cameras of the frame. Of the rejected candidates, only those that were measured count.
  void add(std::span<const gpu::LayerMeasurement* const> cameras);

  /// Returns the number of markers.
  size_t found() const;
  /// Returns the number of candidates that were measured and rejected.
  size_t rejected() const { return values_.size() - found(); }

  /// Returns the histogram of a quantity with `bins` >= 1 bins. It reaches from the least to the
  /// greatest value that occurs, rounded outwards to 1, 2 or 5 times a power of ten. If the
  /// quantity has a greatest possible value, it reaches from 0 to that. A quantity that may span
  /// decades is logarithmic if its values span more than one. Values that are not finite are left
  /// out.
  MarkerHistogram histogram(const gpu::MarkerQuantity& quantity, size_t bins) const;

 private:
  struct Value {
    shared::Detection seen;
    bool found;
  };
  std::vector<Value> values_;
};

}  // namespace glint::shell
