// Histograms, whose memory does not grow with the number of values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glint::output::report {

/// Counts of lengths in bins that are evenly spaced in log10, from 1e-5 to 1e5.
class LogHistogram {
 public:
  static constexpr int kPerDecade = 100;
  static constexpr int kLeastDecade = -5, kDecades = 10;

  /// Adds a `value` >= 0. Values below 1e-5 are counted in zeros(), and values above 1e5 in the
  /// last bin.
  void add(double value);

  uint64_t count() const { return count_; }
  uint64_t zeros() const { return zeros_; }
  std::span<const uint64_t> bins() const { return bins_; }
  /// Returns the lower edge of bin `index`, which is the upper edge of the bin before.
  static double edge(size_t index);

  /// Returns the value that a share (0 to 1) of all values does not exceed (nearest rank), to half
  /// a bin's width, 1.2 %. Returns 0 if that is among the zeros, or if there are no values.
  double quantile(double share) const;

 private:
  std::array<uint64_t, static_cast<size_t>(kPerDecade) * kDecades> bins_{};
  uint64_t zeros_ = 0, count_ = 0;
};

/// Counts of the fractional part of coordinates: 0 is the centre of a pixel, 0.5 its border.
class PhaseHistogram {
 public:
  static constexpr size_t kBins = 40;

  /// Adds a `coordinate` in px. It is rounded to 1e-4 px, as in tracks.csv, so that each bin holds
  /// equally many of the possible values.
  void add(double coordinate);

  uint64_t count() const { return count_; }
  std::span<const uint64_t> bins() const { return bins_; }

  /// Returns how strongly the density varies within a pixel: 2 |mean of exp(2 pi i phase)|. It is 0
  /// if all phases are equally frequent, and 2 if all are the same.
  double swing() const;

 private:
  std::array<uint64_t, kBins> bins_{};
  uint64_t count_ = 0;
  double cosines_ = 0, sines_ = 0;  // sums of cos and sin of 2 pi phase
};

}  // namespace glint::output::report
