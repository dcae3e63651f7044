// How large, heavy, round and significant markers are, and what was none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/detect/detector.h"

namespace glint::shell {

/// Counts of one quantity.
struct MarkerHistogram {
  double least = 0, most = 1;  ///< the lower edge of the first bin, the upper one of the last
  bool logarithmic = false;    ///< whether bins are even in log10
  std::vector<uint32_t> found, rejected;  ///< bins: markers; candidates that are none
  /// Where `value` lies, 0 (least) to 1 (most), also beyond them; and back.
  double place(double value) const;
  double value(double place) const;
};

/// What all histograms of a frame are made of.
class MarkerHistograms {
 public:
  /// Adds cameras of the frame. Of rejected candidates only those that were measured count.
  void add(std::span<const gpu::LayerMeasurement* const> cameras);

  size_t found() const;                                         ///< markers
  size_t rejected() const { return values_.size() - found(); }  ///< measured, and none

  /// `bins` >= 1. From the least to the greatest value that occurs, rounded outwards to what can be
  /// read (1, 2 or 5 times a power of ten); of a quantity with a greatest value, from 0 to that.
  /// A quantity that spans decades is logarithmic where it spans more than one. Values that are
  /// not finite are left out.
  MarkerHistogram histogram(const gpu::MarkerQuantity& quantity, size_t bins) const;

 private:
  struct Value {
    shared::Detection seen;
    bool found;
  };
  std::vector<Value> values_;
};

}  // namespace glint::shell
