// A source's own clock, seen from the host's. Internal to capture/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace glint::capture {

/// What is said, once, of a source whose clock has jumped.
std::string clockJumped(const std::string& source);

/// Converts a source's own stamps to the host's monotonic clock. The delay through the network is
/// never negative and mostly small. So the least difference between arrival and stamp in the last
/// 16 s counts as the clocks' difference. The result moves towards it by a thousandth of the
/// passing time, so intervals stay right to 0.1 %. It follows at once in the first two seconds, and
/// whenever a stamp would lie after its arrival. All times in s.
class ClockMap {
 public:
  /// `own` is the stamp of what came at `arrival`. Never later than the arrival; rises with `own`
  /// but where that jumps: by more than a second against the host's.
  double toHost(double own, double arrival);

  uint64_t jumps() const { return jumps_; }

  /// True once: after the first jump.
  bool jumpIsNew() { return jumps_ > 0 && !std::exchange(told_, true); }

  /// How far off the last result may be, s, without the shortest delay, which stays unknown. It is
  /// twice the spread of the least differences of stretches of 2 s, and the rest of the way towards
  /// the least one. An estimate: with exponential delays and clocks that drift by up to 0.01 %, at
  /// most three frames in a hundred were further off. 0: not known, in the first 6 s.
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

}  // namespace glint::capture
