// What recordings and live cameras have in common as Feeds. Internal to capture/.
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

/// What everything in a Feeds waits on. Apart from Work, since leases may outlive that.
struct FeedSignal {
  std::mutex mutex;
  std::condition_variable changed;
};

using Slots = std::vector<std::shared_ptr<gpu::FrameSlot>>;

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

  /// With the lock, which it may release meanwhile: the next set if it is there, or why none will
  /// come; `nothing`: wait for it, until `retry` (brought forward) at the latest.
  virtual FeedOutcome poll(Lock& lock, FrameSet& set, Clock::time_point& retry) = 0;

  /// With the lock: a slot of every group, or none at all if one group has none free.
  Slots takeSlots();
  /// With the lock: hands the slots out, and counts what is in them.
  void deliver(Slots slots, FrameSet& set);
  const CameraGroups::Place& placeOf(size_t camera) const { return groups_.places[camera]; }
  size_t cameras() const { return groups_.places.size(); }

  /// Runs for each camera on a thread of its own, until closing_: last in a constructor.
  void start(const std::function<void(size_t camera)>& run);
  /// Waits for these: first in a destructor.
  void close();

  const Clock::time_point start_ = Clock::now();
  const CameraGroups& groups_;
  Interrupt& interrupt_;
  std::shared_ptr<FeedSignal> signal_ = std::make_shared<FeedSignal>();
  // All below with the lock.
  std::vector<CameraStatus> status_;
  std::string failure_;
  base::TimeHistogram readTimes_;
  bool closing_ = false;

 private:
  std::vector<gpu::FramePool> pools_;  ///< a group each
  std::vector<std::thread> threads_;
  bool woken_ = false;
};

std::unique_ptr<FeedWork> makeRecordedFeeds(const gpu::Device& device, const CameraGroups& groups,
                                            SourceList sources, Interrupt& interrupt);
std::unique_ptr<FeedWork> makeLiveFeeds(const gpu::Device& device, const CameraGroups& groups,
                                        SourceList sources, const Settings::Live& live,
                                        Interrupt& interrupt);

}  // namespace glint::capture
