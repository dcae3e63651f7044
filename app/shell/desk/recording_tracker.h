// Tracks a recording again in the background after the settings have changed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/session/track_history.h"
#include "app/shell/desk/space_history.h"
#include "config/settings.h"
#include "gpu/device.h"

namespace glint::motion {
class SpaceRig;
struct Body;
}  // namespace glint::motion

namespace glint::shell {

/// The tracking of a recording in the background. It opens the recording again. A session of its
/// own tracks it from the first frame to the last, as fast as possible, on the device of the other
/// sessions. A new request ends the work on the previous one. Any thread. No call waits, except the
/// destructor, which waits for the frame in work.
class RecordingTracker {
 public:
  /// Pause after which a request begins if no other follows. While a slider is dragged, only the
  /// last of many requests is tracked.
  static constexpr std::chrono::milliseconds kCalm{150};

  /// `sources` are recordings that can be read twice, as openSource() takes them. `rig` and
  /// `bodies` belong to the sources, or are null. `changed` is called on the worker's thread when
  /// work begins, ends or has made progress, at most about 20 times a second. It must not wait; it
  /// may be empty.
  RecordingTracker(std::shared_ptr<const gpu::Device> device, std::vector<Address> sources,
                   std::function<void()> changed = {},
                   std::shared_ptr<const motion::SpaceRig> rig = {},
                   std::shared_ptr<const std::vector<motion::Body>> bodies = {});
  ~RecordingTracker();
  RecordingTracker(const RecordingTracker&) = delete;
  RecordingTracker& operator=(const RecordingTracker&) = delete;

  /// Starts again with these settings. The history gets the number `revision`.
  void track(const Settings& settings, uint64_t revision);

  /// Returns the history of the newest request that was begun, complete or growing; null before the
  /// first one.
  std::shared_ptr<const session::TrackHistory> history() const;
  /// Returns the points of that history; without a rig there are none.
  std::shared_ptr<const SpaceHistory> space() const;

  struct Progress {
    bool running = false;           ///< also true while a request waits for kCalm
    uint64_t revision = 0;          ///< number of the request
    uint64_t frames = 0;            ///< frames that were measured
    std::optional<uint64_t> total;  ///< frames of the recording, if known
    /// Why the work ended before the recording's end, in one sentence; or empty. The earlier tracks
    /// remain valid, as `glint track` would have written them.
    std::string problem;
  };
  Progress progress() const;

 private:
  struct Request {
    Settings settings;
    uint64_t revision = 0;
  };
  void work();
  void run(const Request& request);
  void begin(std::shared_ptr<const session::TrackHistory> history,
             std::shared_ptr<const SpaceHistory> space, std::optional<uint64_t> total);
  void announce() const;

  const std::shared_ptr<const gpu::Device> device_;
  const std::vector<Address> sources_;
  const std::function<void()> changed_;
  const std::shared_ptr<const motion::SpaceRig> rig_;
  const std::shared_ptr<const std::vector<motion::Body>> bodies_;
  mutable std::mutex mutex_;
  std::condition_variable requested_;
  std::optional<Request> request_;  // the request that waits
  std::shared_ptr<const session::TrackHistory> history_;
  std::shared_ptr<const SpaceHistory> space_;
  Progress progress_;
  bool ending_ = false;
  capture::Interrupt interrupt_;
  std::thread thread_;
};

}  // namespace glint::shell
