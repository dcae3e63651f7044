// Frames of all cameras of a session, read on threads of their own and put together to sets.
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

/// Reads every source on its own thread: recordings from construction on, cameras from when sets
/// are first waited for. Used by one thread, apart from wake() and status().
///
/// Recordings: set n is frame n of every camera that has not ended, or of raw recordings what came
/// in set n of the run that was recorded. Where rates differ, or `offsets` or the containers' own
/// beginnings are far apart, sets are made by time: see spreadByTime(). Sets in which no camera has
/// a frame are passed over, and the end is when all cameras have ended. A few sets are read ahead,
/// each camera into its own layer at its own pace, and nothing is lost. A source that breaks still
/// gives the set in which the others delivered; then the outcome is `failed`.
///
/// Live, if any source is: every camera reads on whatever happens here, and its newest frame
/// counts. A set begins with the earliest of the new frames, and holds those whose times are at
/// most Live::window after it; what is later comes in the next set. It waits for cameras whose next
/// frame belongs to the set by its time: for Live::wait after that frame was due at most, and half
/// of the frame interval of the cameras that are there (see set_timing.h). It does not wait for
/// cameras that were silent for three intervals. Cameras without a frame in the set are `none`,
/// cameras that are away `lost`; both may return. If all slots of a group are held by others, no
/// set comes, and newer frames replace older ones. A recording among live cameras plays at its own
/// speed. A source that breaks has ended; the outcome is `failed` when all have. Times by the
/// host's clock count from the construction. The log says when a camera is away or back.
class Feeds {
 public:
  /// Throws Error when the device has no room for the slots. `interrupt`: the sources were opened
  /// with it. `offsets`: s to add to the times of each recording, so that all have one clock;
  /// empty: none.
  Feeds(const gpu::Device& device, SourceList sources, const Settings::Live& live,
        Interrupt& interrupt, std::vector<double> offsets = {});
  /// Interrupts what the sources wait for, and ends the threads. Leases may outlive it.
  ~Feeds();
  Feeds(const Feeds&) = delete;
  Feeds& operator=(const Feeds&) = delete;

  const CameraGroups& groups() const { return groups_; }

  using Outcome = FeedOutcome;

  /// Waits up to `patience` for the next set. Once the interrupt is set, sets that are whole still
  /// come.
  Outcome next(FrameSet& set, std::chrono::milliseconds patience);

  /// Ends the present wait of next(), or the next one, at once. From any thread.
  void wake();

  bool live() const { return live_; }
  bool canSeek() const { return canSeek_; }  ///< all sources can
  bool byTime() const { return byTime_; }    ///< recordings: whether sets are made by time
  /// s, of a camera's times on the clock of all, where sets are made by it.
  double offsetOf(size_t camera) const { return offsets_.empty() ? 0 : offsets_[camera]; }

  /// Sets there will be, where all sources know; those of the longest camera.
  std::optional<uint64_t> length() const { return length_; }

  /// Drops what was read ahead; the next set is `set`, and of `epoch`. After `ended` or `failed`
  /// the feeds live again. Returns at once; next() reports failures. Throws Error where canSeek()
  /// is false.
  void seek(SetIndex set, Epoch epoch);

  /// Live: while nobody takes sets on purpose, frames that are replaced are not counted as dropped.
  void rest(bool on);

  using CameraStatus = glint::capture::CameraStatus;
  std::vector<CameraStatus> status() const;  ///< a camera each; from any thread

  /// Live: sets the cameras' controls as `settings` say, and what sets are made by; what a camera
  /// refuses is logged. Returns at once.
  void adjust(const Settings& settings);

  /// When time 0 was of cameras on the host's clock.
  std::chrono::steady_clock::time_point zero() const;

  /// What broke a source, after `failed`; or empty.
  std::string failure() const;

  /// Time to read one frame, of the slowest camera of a set.
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
