// Reads the frames of all cameras of a session on threads of their own, and puts them together in
// sets.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/timing.h"
#include "app/capture/sets/frame_set.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"

namespace glint::capture {

class FeedWork;

/// Reads every source on its own thread: recordings from the construction on, cameras once a set is
/// first waited for. Only one thread may use the object, except for wake() and status().
///
/// Recordings only: set n has frame n of every camera that has not ended; of raw recordings it has
/// the frames that came in set n of the recorded run. If rates differ, or `offsets` are far apart,
/// sets are made by time: see spreadByTime(). Sets in which no camera has a frame are passed over,
/// and the end is reached when all cameras have ended. A few sets are read ahead, each camera into
/// its own layer at its own pace, and no frame is lost. If a source breaks, the set with the other
/// cameras' frames still comes; then the outcome is `failed`.
///
/// Live, if any source is live: every camera goes on reading whatever happens here, and only its
/// newest frame counts. A set begins with the earliest of the new frames, and has the frames whose
/// times are at most Live::window later; frames that are later still come in the next set. The set
/// waits for cameras whose next frame, by its time, belongs to the set: at most until Live::wait
/// after that frame was due, and at most for half the frame interval of the cameras that have a
/// frame (see set_timing.h). It does not wait for cameras that sent nothing for three intervals.
/// Cameras without a frame in the set are `none`, cameras that are away are `lost`; both may
/// return. While others hold all slots of a group, no set comes, and newer frames replace older
/// ones. A recording among live cameras plays at its own speed. A source that breaks has ended; the
/// outcome is `failed` when all have ended. Times by the host's clock count from the construction.
/// The log reports when a camera goes away and comes back.
class Feeds {
 public:
  /// `interrupt`: the one with which the sources were opened; it must outlive the object.
  /// `offsets`: s to add to the times of each recording, so that all have one clock; empty: none.
  /// Throws Error if the device has no room for the slots.
  Feeds(const gpu::Device& device, SourceList sources, const Settings::Live& live,
        Interrupt& interrupt, std::vector<double> offsets = {});
  /// Interrupts the sources' waiting, and ends the threads. Leases of frames may outlive the
  /// object.
  ~Feeds();
  Feeds(const Feeds&) = delete;
  Feeds& operator=(const Feeds&) = delete;

  const CameraGroups& groups() const { return groups_; }

  using Outcome = FeedOutcome;

  /// Waits for the next set, at most for `patience`. Once the interrupt is set, sets that are
  /// already whole still come.
  Outcome next(FrameSet& set, std::chrono::milliseconds patience);

  /// Ends the present wait of next(), or the next one, at once. Thread-safe.
  void wake();

  bool live() const { return live_; }
  bool canSeek() const { return canSeek_; }  ///< returns true if all sources can seek
  bool byTime() const { return byTime_; }    ///< returns true if recordings' sets are made by time
  /// Returns the time to add to a camera's times to get those of the common clock, s.
  double offsetOf(size_t camera) const { return offsets_.empty() ? 0 : offsets_[camera]; }

  /// Returns the number of sets, which is that of the longest camera; empty if a source does not
  /// know its own.
  std::optional<uint64_t> length() const { return length_; }

  /// Drops the sets that were read ahead; the next set is `set`, and has the epoch `epoch`. It may
  /// be called after `ended` or `failed`, too. Returns at once; next() reports failures. Throws
  /// Error if canSeek() is false.
  void seek(SetIndex set, Epoch epoch);

  /// Live: true while sets are not taken on purpose, so that frames that newer ones replace are not
  /// counted as dropped.
  void rest(bool on);

  using CameraStatus = glint::capture::CameraStatus;
  std::vector<CameraStatus> status() const;  ///< returns the status of each camera; thread-safe

  /// Live: applies the controls of the cameras and the rules for sets in `settings`. If a camera
  /// refuses a control, that is logged. Returns at once.
  void adjust(const Settings& settings);

  /// Returns the host's time that is time 0 of cameras on the host's clock.
  std::chrono::steady_clock::time_point zero() const;

  /// Returns the reason why a source broke, after `failed`; otherwise empty.
  std::string failure() const;

  /// Returns the times to read one frame, each of the slowest camera of a set.
  base::TimeHistogram readTimes() const;

 private:
  CameraGroups groups_;
  bool live_ = false;
  bool canSeek_ = true, byTime_ = false;
  std::vector<double> offsets_;
  std::optional<uint64_t> length_;
  std::unique_ptr<FeedWork> work_;
};

}  // namespace glint::capture
