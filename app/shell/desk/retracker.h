// Tracks a recording again in the background, whenever the settings have changed.
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

/// Opens the recording again. A session of its own tracks it from the first frame to the last, as
/// fast as possible, on the device of the other sessions. The newest request ends the work on the
/// one before. Any thread; no call waits, but the destructor does, for the frame that is being
/// worked on.
class Retracker {
 public:
  /// Requests that follow each other faster, as while a slider is dragged, wait for the last one.
  static constexpr std::chrono::milliseconds kCalm{150};

  /// `sources`: as openSource() takes them, recordings that can be read twice. `changed` is called
  /// on the worker's thread when work begins, ends or has come some frames further, at most about
  /// 20 times a second; must not wait; may be empty. `rig` and
  /// `bodies`: of the sources, or null.
  Retracker(std::shared_ptr<const gpu::Device> device, std::vector<Address> sources,
            std::function<void()> changed = {}, std::shared_ptr<const motion::SpaceRig> rig = {},
            std::shared_ptr<const std::vector<motion::Body>> bodies = {});
  ~Retracker();
  Retracker(const Retracker&) = delete;
  Retracker& operator=(const Retracker&) = delete;

  /// Starts again with these settings; `revision` goes with the history.
  void track(const Settings& settings, uint64_t revision);

  /// That of the newest request that was begun, complete or growing; null before the first one.
  std::shared_ptr<const session::TrackHistory> history() const;
  /// Its points; without any where there is no rig.
  std::shared_ptr<const SpaceHistory> space() const;

  struct Progress {
    bool running = false;           ///< also while a request waits for calm
    uint64_t revision = 0;          ///< of the request
    uint64_t frames = 0;            ///< measured
    std::optional<uint64_t> total;  ///< frames of the recording, where known
    /// Why it ended before the recording's end: one sentence, or empty. What was tracked before
    /// stands, as `glint track` would have written it.
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
  void tell() const;

  const std::shared_ptr<const gpu::Device> device_;
  const std::vector<Address> sources_;
  const std::function<void()> changed_;
  const std::shared_ptr<const motion::SpaceRig> rig_;
  const std::shared_ptr<const std::vector<motion::Body>> bodies_;
  mutable std::mutex mutex_;
  std::condition_variable requested_;
  std::optional<Request> request_;  // that waits
  std::shared_ptr<const session::TrackHistory> history_;
  std::shared_ptr<const SpaceHistory> space_;
  Progress progress_;
  bool ending_ = false;
  capture::Interrupt interrupt_;
  std::thread thread_;
};

}  // namespace glint::shell
