// Commands for a running session.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "app/output/pictures/raw_frames.h"
#include "app/session/track_history.h"
#include "config/numbers.h"
#include "config/settings.h"

namespace glint::session {

/// Commands are carried out between frames, in the order in which they were posted.
namespace command {

/// Changes the settings. `change` edits a copy of the newest settings, which becomes an immutable
/// snapshot. The snapshot comes into force as soon as that delays no frame. While paused, the frame
/// on show is measured again. `change` runs on the session's thread and may throw UsageError.
/// device.* cannot be changed.
struct Change {
  std::function<void(Settings&)> change;
};
struct Play {};
struct Pause {};
/// Pauses after this many more frames. A negative number jumps back by as many.
struct Step {
  int64_t frames = 1;
};
/// Jumps to a set. While paused, the set is measured and shown.
struct Seek {
  SetIndex set;
};
/// Sets the speed at which recordings play: 1 is their own speed, 0 is as fast as tracking allows.
struct Speed {
  double factor = 1;
};
/// Sets whether the range is played again when its end is reached.
struct Loop {
  bool on = true;
};
/// Sets the range of sets that are played, from `in` up to and including `out`, or to the end if
/// `out` is empty.
struct Range {
  SetIndex in;
  std::optional<SetIndex> out;
};
/// Adds sinks. They get the frames from the next one on, or while paused from the one on show. They
/// end when they are removed, or with the session. Sinks that lose nothing (`waits`) also end at a
/// jump if they have begun. Then they contain the same rows as if the run had stopped at that
/// frame.
using AddSink = output::SinkGroup;
struct RemoveSink {
  uint64_t id = 0;
};
/// Hands over the tracks of the whole recording, as far as they are known: see
/// SessionOptions::followsHistory.
struct Follow {
  std::shared_ptr<const TrackHistory> history;
};
/// Sets whether rejected candidates are reported, with their reasons.
struct Explain {
  bool on = true;
};
/// Sets which planes of each frame are kept for drawing: see SessionState::planes.
struct Watch {
  gpu::PlaneSet planes;
};
/// For live cameras: shows the frame in memory with this set. If there is none, shows the next one
/// in the direction away from the frame on show. Capture and tracking continue, but the frames in
/// memory do not change meanwhile. Without a set, the newest frames are shown again.
struct ShowRecent {
  std::optional<SetIndex> set;
};
/// For live cameras: shows the newest frame as ShowRecent does, and keeps it in memory for this if
/// nothing else is.
struct Hold {};
/// For live cameras: sets how long frames stay in memory, s, up to RecentFrames::kMostBytes. 0
/// keeps none.
struct Remember {
  double seconds = 0;
};
/// For live cameras: hands over the frames in memory of the last `seconds`. `take` is called on the
/// session's thread and must not wait.
struct Recall {
  double seconds = 0;
  std::function<void(std::vector<output::RawSet>)> take;
};
/// Ends the session. Everything that was measured is kept.
struct Stop {};

}  // namespace command

using Command = std::variant<command::Change, command::Play, command::Pause, command::Step,
                             command::Seek, command::Speed, command::Loop, command::Range,
                             command::AddSink, command::RemoveSink, command::Follow,
                             command::Explain, command::Watch, command::ShowRecent, command::Hold,
                             command::Recall, command::Remember, command::Stop>;

/// Answers a command. It is called once, on a thread of the session. `problem` is empty once the
/// command is in force; for the removal of a recording, once its files are complete. If the command
/// was refused or failed, `problem` is one sentence that says why. It must not wait.
using Answer = std::function<void(const std::string& problem)>;

struct PostedCommand {
  Command command;
  Answer answer;
};

/// A queue of commands for the session. Thread-safe.
class CommandQueue {
 public:
  using Clock = std::chrono::steady_clock;

  /// Adds a command. Returns false, without answering it, if the queue is closed.
  bool post(PostedCommand command);

  bool empty() const;

  /// Returns all waiting commands, in order, without blocking.
  std::deque<PostedCommand> take();

  /// Waits until there is a command, or until the time `until`.
  void wait(Clock::time_point until);

  /// Closes the queue. Returns the commands that will not be carried out any more.
  std::deque<PostedCommand> close();

 private:
  mutable std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<PostedCommand> waiting_;
  bool closed_ = false;
};

}  // namespace glint::session
