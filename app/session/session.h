// Runs frames from sources to sinks on its own thread, driven from outside.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "app/capture/source/source.h"
#include "app/session/command.h"
#include "app/session/options.h"
#include "gpu/device.h"

namespace glint::session {

class SessionRun;

/// Reads, measures, tracks and passes frames to the sinks. It ends when every source has ended, at
/// maxFrames, at a stop, at the interrupt or at an error; with SessionOptions::stay it then waits
/// for commands. Cameras may end at different times: the others go on without them. The result of
/// every frame that was read reaches the sinks, also after an error or a stop.
///
/// Any thread may make any call but wait() and the destructor; none of these calls waits.
class Session {
 public:
  /// Throws UsageError when settings or masks are refused, Error when the device has no room or a
  /// sink cannot be opened.
  Session(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
          SessionOptions options);
  /// Stops and waits.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// See command::. `answer` may be empty. Once the session has ended it is answered at once.
  void post(Command command, Answer answer = {});

  /// The newest snapshot; never null.
  std::shared_ptr<const SessionState> state() const;

  const capture::CameraGroups& groups() const;

  /// A number for sinks that is not used yet.
  uint64_t newId() { return ++lastId_; }

  /// Waits until the session has ended, or for `patience`; whether it has ended.
  bool wait(std::chrono::milliseconds patience);

  /// Waits until the session has ended.
  const SessionResult& finish();

 private:
  std::unique_ptr<SessionRun> run_;
  std::atomic<uint64_t> lastId_ = 0;
};

}  // namespace glint::session
