// Converts times of a source's own clock to times of the host's clock. Internal to capture/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace glint::capture {

/// Returns the message about a source whose clock has jumped.
std::string clockJumped(const std::string& source);

/// The numbers that steer a ClockMap. tests/app/clocks_test.cpp guards the values.
struct ClockMapOptions {
  /// The smallest difference between the advances of both clocks that counts as a jump, s. Raising
  /// it tolerates more jitter, and overlooks larger jumps.
  double jump = 1;
  /// The largest change of the difference that is added to stamps, per passing time. Raising it
  /// follows drifts sooner, and falsifies intervals by as much.
  double slew = 0.001;
  /// The number of complete stretches that are needed to state an uncertainty. Raising it states it
  /// later, from more frames.
  int minStretches = 3;
};

/// Converts a source's own stamps to the host's monotonic clock. All times are in s. The delay
/// through the network is never negative and mostly small, so the least difference between arrival
/// and stamp in the last 16 s counts as the difference of the clocks. The difference that is added
/// to stamps moves towards it by a thousandth of the passing time, so that intervals stay right to
/// 0.1 %. It follows at once in the first two seconds, and whenever a stamp would lie after its
/// arrival.
class ClockMap {
 public:
  explicit ClockMap(const ClockMapOptions& options = {}) : options_(options) {}

  /// Returns the host's time for the stamp `own` of a frame that came at `arrival`. The result is
  /// never later than the arrival, and rises with `own` except at jumps, where the stamps change by
  /// more than a second against the host's clock.
  double toHost(double own, double arrival);

  uint64_t jumps() const { return jumps_; }

  /// Returns true once: at the first call after the first jump.
  bool jumpIsNew() { return jumps_ > 0 && !std::exchange(jumpReported_, true); }

  /// Returns the uncertainty of the last result, s, without the shortest delay, which stays
  /// unknown; 0 in the first 6 s, when it is not known. It is twice the spread of the least
  /// differences in stretches of 2 s, plus the distance between the difference that is added and
  /// the least one. This is an estimate: with exponential delays and clocks that drift by up to
  /// 0.01 %, at most three frames in a hundred were further off.
  double uncertainty() const;

 private:
  // The least differences are kept for this many stretches of time, each of kBucket seconds.
  static constexpr size_t kBuckets = 8;
  static constexpr double kBucket = 2;

  void begin(double own, double arrival);
  void note(double difference, double arrival);
  double least() const;

  ClockMapOptions options_;
  std::array<std::optional<double>, kBuckets> least_;  ///< the least difference in each 2 s
  int64_t bucket_ = 0;                                 ///< number of the present 2 s, by arrival
  std::optional<double> offset_;                       ///< the difference that is added to stamps
  double begun_ = 0;                                   ///< arrival of the first frame
  double own_ = 0, arrival_ = 0;                       ///< the latest stamp and arrival
  uint64_t jumps_ = 0;
  bool jumpReported_ = false;  ///< true once jumpIsNew() has returned true
};

}  // namespace glint::capture
