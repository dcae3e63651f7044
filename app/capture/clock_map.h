// A source's own clock, seen from the host's. Internal to capture/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace glint {

/// What is said, once, of a source whose clock has jumped.
std::string clockJumped(const std::string& source);

/// Tells when, on the host's monotonic clock, something was that a source stamped with its own.
/// What lies between, the way through the network, is never negative and mostly small: the
/// difference of the clocks is the least one of arrival and stamp in the last 16 s. What is told
/// moves towards that by a thousandth of the time that passes, so that intervals stay what the
/// source says to 0.1 %, but that nothing was taken after it came; in the first two seconds it
/// follows at once. All times in s.
class ClockMap {
 public:
  /// `own` is the stamp of what came at `arrival`. Never later than the arrival; rises with `own`
  /// but where that jumps: by more than a second against the host's.
  double toHost(double own, double arrival);

  uint64_t jumps() const { return jumps_; }

  /// True once: after the first jump.
  bool jumpIsNew() { return jumps_ > 0 && !std::exchange(told_, true); }

  /// How far off what was told last may be, s, the least way aside, which nobody can know: twice
  /// what the least differences of the stretches of 2 s differ by, and what is left of the way
  /// towards the least one. An estimate: with ways that vary by an exponential law and clocks that
  /// part by up to 0.01 % three frames in a hundred were further off at most. 0: not known, in the
  /// first 6 s.
  double uncertainty() const;

 private:
  static constexpr size_t kBuckets = 8;
  static constexpr double kBucket = 2;  // s

  void begin(double own, double arrival);
  void note(double difference, double arrival);
  double least() const;

  std::array<std::optional<double>, kBuckets> least_;  ///< the least difference in each 2 s
  int64_t bucket_ = 0;                                 ///< the present one, by arrival
  std::optional<double> offset_;                       ///< what is added to stamps
  double begun_ = 0;                                   ///< the arrival at which it was begun
  double own_ = 0, arrival_ = 0;                       ///< the latest
  uint64_t jumps_ = 0;
  bool told_ = false;  ///< jumpIsNew()
};

}  // namespace glint
