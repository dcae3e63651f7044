// The commands to a running session.
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

/// Commands are taken between frames, in the order in which they were posted.
namespace command {

/// A change of the settings. `change` edits a copy of the newest settings, which becomes an
/// immutable snapshot. The snapshot takes effect with the first frame that it does not delay. While
/// paused, the frame on show is measured again. `change` runs on the session's thread and may throw
/// UsageError; device.* cannot change.
struct Change {
  std::function<void(Settings&)> change;
};
struct Play {};
struct Pause {};
/// Pauses after this many more frames; negative: jumps back.
struct Step {
  int64_t frames = 1;
};
/// Jumps; while paused the set is measured and shown.
struct Seek {
  SetIndex set;
};
/// How fast recordings play: 1 = at their own speed; 0 = as fast as tracking allows.
struct Speed {
  double factor = 1;
};
/// Whether the range is played again at its end.
struct Loop {
  bool on = true;
};
/// The sets that are played: `in` up to and including `out`; without it to the end.
struct Range {
  SetIndex in;
  std::optional<SetIndex> out;
};
/// Its sinks get the frames from the next one on (while paused: from the one on show). They end
/// when they are removed, or with the session. Those that lose nothing (`waits`) also end at a jump
/// once they have begun; they then hold the same rows as if the run had stopped at that frame.
using AddSink = output::SinkGroup;
struct RemoveSink {
  uint64_t id = 0;
};
/// The tracks of the whole recording, as far as they are known: see SessionOptions::followsHistory.
struct Follow {
  std::shared_ptr<const TrackHistory> history;
};
/// Whether rejected candidates are reported, with their reasons.
struct Explain {
  bool on = true;
};
/// Which planes of each frame are kept for drawing: SessionState::planes.
struct Watch {
  gpu::PlaneSet planes;
};
/// Live: shows one of the frames in memory, or the next one there, seen from what is shown, while
/// all else goes on; what is in memory stays. Without a set: the newest frames again.
struct Look {
  std::optional<SetIndex> set;
};
/// Live: shows the newest frame as Look does, also where none stays in memory but for this.
struct Hold {};
/// Live: how long frames stay in memory, s; at most RecentFrames::kMostBytes. 0: none do.
struct Remember {
  double seconds = 0;
};
/// Live: hands over the frames in memory of the last `seconds`. `take` is called on the session's
/// thread; must not wait.
struct Recall {
  double seconds = 0;
  std::function<void(std::vector<output::RawSet>)> take;
};
/// Ends the session; all that was measured is kept.
struct Stop {};

}  // namespace command

using Command =
    std::variant<command::Change, command::Play, command::Pause, command::Step, command::Seek,
                 command::Speed, command::Loop, command::Range, command::AddSink,
                 command::RemoveSink, command::Follow, command::Explain, command::Watch,
                 command::Look, command::Hold, command::Recall, command::Remember, command::Stop>;

/// Called once, on a thread of the session, when a command is in force (the removal of a recording:
/// when its files are whole), with an empty text, or when it was refused or failed, with one
/// sentence that says why. Must not wait.
using Answer = std::function<void(const std::string& problem)>;

struct PostedCommand {
  Command command;
  Answer answer;
};

/// Commands on their way to the session. Thread-safe.
class CommandQueue {
 public:
  using Clock = std::chrono::steady_clock;

  /// False once the queue is closed: nobody takes it any more, and it was not answered.
  bool post(PostedCommand command);

  bool empty() const;

  /// All that wait, in order; never blocks.
  std::deque<PostedCommand> take();

  /// Waits until a command is there or `until` has come.
  void wait(Clock::time_point until);

  /// What is left, which nobody will carry out.
  std::deque<PostedCommand> close();

 private:
  mutable std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<PostedCommand> waiting_;
  bool closed_ = false;
};

}  // namespace glint::session
