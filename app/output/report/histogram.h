// Counts of values, in memory that does not grow with them.
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

  /// `value` >= 0. What is below 1e-5 is counted in zeros(), what is above 1e5 in the last bin.
  void add(double value);

  uint64_t count() const { return count_; }
  uint64_t zeros() const { return zeros_; }
  std::span<const uint64_t> bins() const { return bins_; }
  /// The lower edge of bin `index`, the upper edge of the bin before.
  static double edge(size_t index);

  /// The value that a share (0 to 1) of all values does not exceed (nearest rank), to half a bin's
  /// width, 1.2 %. 0 if that is among the zeros, or if there are no values.
  double quantile(double share) const;

 private:
  std::array<uint64_t, static_cast<size_t>(kPerDecade) * kDecades> bins_{};
  uint64_t zeros_ = 0, count_ = 0;
};

/// Counts of the fractional part of coordinates: 0 is the centre of a pixel, 0.5 its border.
class PhaseHistogram {
 public:
  static constexpr size_t kBins = 40;

  /// `coordinate` in px. It is taken to 1e-4 px, as tracks.csv has it, so that each bin holds as
  /// many of the values that can occur.
  void add(double coordinate);

  uint64_t count() const { return count_; }
  std::span<const uint64_t> bins() const { return bins_; }

  /// How strongly the density swings once over a pixel: 2 |mean of exp(2 pi i phase)|. 0 where all
  /// phases are as frequent, 2 where all are the same.
  double swing() const;

 private:
  std::array<uint64_t, kBins> bins_{};
  uint64_t count_ = 0;
  double cosines_ = 0, sines_ = 0;
};

}  // namespace glint::output::report
