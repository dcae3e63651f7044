// Defines the common base of the feeds of recordings and of live cameras. Internal to capture/.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "app/base/timing.h"
#include "app/capture/sets/frame_set.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/live_source.h"
#include "gpu/workers.h"

namespace glint::capture {

/// The mutex and the condition on which everything in a Feeds waits. It is an object of its own,
/// because leases of frames may outlive the FeedWork.
struct FeedSignal {
  std::mutex mutex;
  std::condition_variable changed;
};

using Slots = std::vector<std::shared_ptr<gpu::FrameSlot>>;

/// The work behind Feeds; see there for the public functions.
class FeedWork {
 public:
  FeedWork(const gpu::Device& device, const CameraGroups& groups, Interrupt& interrupt,
           gpu::Upload upload = gpu::Upload::whole);
  virtual ~FeedWork() = default;

  virtual void seek(SetIndex set, Epoch epoch) = 0;
  virtual void adjust(const Settings&) {}
  virtual void rest(bool) {}
  std::chrono::steady_clock::time_point zero() const { return start_; }
  FeedOutcome next(FrameSet& set, std::chrono::milliseconds patience);
  void wake();
  std::vector<CameraStatus> status() const;
  std::string failure() const;
  base::TimeHistogram readTimes() const;

 protected:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  /// Fills `set` if the next set is there, and returns `set`; otherwise returns the reason why no
  /// set will come, or `nothing` to be called again after a change, or at `retry`, which it may
  /// bring forward. Called with the lock, which it may release meanwhile.
  virtual FeedOutcome poll(Lock& lock, FrameSet& set, Clock::time_point& retry) = 0;

  /// Returns a slot of every group, or nothing if a group has no free one. Called with the lock.
  Slots takeSlots();
  /// Puts the slots into `set`, and counts their frames. Called with the lock.
  void deliver(Slots slots, FrameSet& set);
  const CameraGroups::Place& placeOf(size_t camera) const { return groups_.places[camera]; }
  size_t cameras() const { return groups_.places.size(); }

  /// Runs for each camera on a thread of its own, until closing_: last in a constructor. Throws
  /// std::system_error if the system refuses a thread; then none runs any more.
  void start(const std::function<void(size_t camera)>& run) { threads_.start(cameras(), run); }
  /// Waits for these: first in a destructor.
  void close() { threads_.end(); }

  const Clock::time_point start_ = Clock::now();
  const CameraGroups& groups_;
  Interrupt& interrupt_;
  std::shared_ptr<FeedSignal> signal_ = std::make_shared<FeedSignal>();
  // The members below need the lock.
  std::vector<CameraStatus> status_;
  std::string failure_;
  base::TimeHistogram readTimes_;
  bool closing_ = false;

 private:
  void askToEnd();

  std::vector<gpu::FramePool> pools_;  ///< a group each
  bool woken_ = false;
  std::optional<Interrupt::Hold> hold_;  ///< so that no source is waited for at the end
  gpu::Workers threads_{[this] { askToEnd(); }};
};

std::unique_ptr<FeedWork> makeRecordedFeeds(const gpu::Device& device, const CameraGroups& groups,
                                            SourceList sources, Interrupt& interrupt);
std::unique_ptr<FeedWork> makeLiveFeeds(const gpu::Device& device, const CameraGroups& groups,
                                        SourceList sources, const Settings::Live& live,
                                        Interrupt& interrupt);

}  // namespace glint::capture
