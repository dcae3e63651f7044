// From sources to sinks, frame by frame, on a thread of its own, driven from outside.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "app/capture/source.h"
#include "app/session/command.h"
#include "app/session/options.h"
#include "gpu/device.h"

namespace glint {

class SessionRun;

/// Reads, measures, tracks and hands on until every source has ended, maxFrames, stop, the
/// interrupt or an error; with SessionOptions::stay it then waits for commands. Cameras may end at
/// different times: the others go on without them. Every frame that was taken has its result, and
/// it reached the sinks, also after an error or a stop.
///
/// All calls but wait() and the destructor are any thread's, and none of them waits.
class Session {
 public:
  /// Throws UsageError when settings or masks are refused, Error when the device has no room or a
  /// sink cannot be opened.
  Session(std::shared_ptr<const Device> device, std::vector<std::unique_ptr<Source>> sources,
          SessionOptions options);
  /// Stops and waits.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// See command::. `answer` may be empty. Once the session has ended it is answered at once.
  void post(Command command, Answer answer = {});

  /// The newest snapshot; never null.
  std::shared_ptr<const SessionState> state() const;

  const CameraGroups& groups() const;

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

}  // namespace glint
