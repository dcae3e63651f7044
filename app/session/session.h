// Runs frames from sources to sinks on its own thread, controlled by commands.
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

/// Reads, measures and tracks frames, and passes them to the sinks. It ends when every source has
/// ended, at maxFrames, at a stop, at the interrupt or at an error. With SessionOptions::stay it
/// then waits for commands instead. Cameras may end at different times: the others continue. The
/// result of every frame that was read reaches the sinks, also after an error or a stop.
///
/// Any thread may call any function except wait(), finish() and the destructor. None of these calls
/// waits.
class Session {
 public:
  /// Throws UsageError if settings or masks are refused, and Error if the device has not enough
  /// memory or a sink cannot be opened.
  Session(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
          SessionOptions options);
  /// Stops the session and waits until it has ended.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Posts a command: see command.h. `answer` may be empty. If the session has ended, the answer
  /// comes at once.
  void post(Command command, Answer answer = {});

  /// Returns the newest snapshot; never null.
  std::shared_ptr<const SessionState> state() const;

  const capture::CameraGroups& groups() const;

  /// Returns an id for a sink that has not been used yet.
  uint64_t newId() { return ++lastId_; }

  /// Waits until the session has ended, but at most for `patience`. Returns true if it has ended.
  bool wait(std::chrono::milliseconds patience);

  /// Waits until the session has ended, and returns its result.
  const SessionResult& finish();

 private:
  std::unique_ptr<SessionRun> run_;
  std::atomic<uint64_t> lastId_ = 0;
};

}  // namespace glint::session
