// Defines the common base of the feeds of recordings and of live cameras. Internal to capture/.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "app/base/timing.h"
#include "app/capture/sets/frame_set.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/live_source.h"

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

  /// Starts a thread for each camera, which calls `run`; `run` must return once `closing_` is true.
  /// To be called at the end of a derived class's constructor.
  void start(const std::function<void(size_t camera)>& run);
  /// Sets `closing_` and waits for the threads. To be called first in a derived class's destructor.
  void close();

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
  std::vector<gpu::FramePool> pools_;  ///< one for each group
  std::vector<std::thread> threads_;
  bool woken_ = false;
};

std::unique_ptr<FeedWork> makeRecordedFeeds(const gpu::Device& device, const CameraGroups& groups,
                                            SourceList sources, Interrupt& interrupt);
std::unique_ptr<FeedWork> makeLiveFeeds(const gpu::Device& device, const CameraGroups& groups,
                                        SourceList sources, const Settings::Live& live,
                                        Interrupt& interrupt);

}  // namespace glint::capture
