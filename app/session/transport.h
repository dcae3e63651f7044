// Decides which set a session takes next, and when: play, pause, step, seek, loop, range and speed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "config/numbers.h"

namespace glint::session {

/// The state of playing.
enum class PlayMode {
  playing,
  paused,
  /// The end of the range was reached. The session waits for commands.
  atEnd,
  /// The session has failed, as SessionState::failure explains. It waits for commands.
  failed,
  ended
};

/// Decides which set comes next, and counts passes and epochs. It only decides: its owner fetches,
/// measures and shows the sets. Used by one thread. It needs no device.
///
/// A jump has three parts. A function here returns the set to jump to. The owner ends the pass and
/// calls endPass(). Then the owner calls jumpTo() with the set.
class Transport {
 public:
  using Clock = std::chrono::steady_clock;

  /// Range of the speed; 1 is the speed of the recording.
  static constexpr double kLeastSpeed = 1e-3, kMostSpeed = 1000;

  /// Facts about the sources that do not change while the session runs.
  struct Sources {
    bool live = false;
    /// True if all sources can seek.
    bool canSeek = false;
    /// Number of sets, if it is known.
    std::optional<uint64_t> length = {};
  };

  /// The next step that the owner of the transport has to take.
  struct Action {
    enum class Kind {
      take,  ///< measure the set that was fetched
      skip,  ///< leave that set out and fetch the next one
      jump,  ///< end the pass and begin another one at `set`
      rest,  ///< end the pass, call restAt(PlayMode::atEnd) and wait for commands
      stop   ///< end the session
    };
    Kind kind = Kind::take;
    SetIndex set = {};
  };

  /// `stays` says that at the end of a recording the session waits for commands instead of ending.
  Transport(const Sources& sources, bool stays) : sources_(sources), stays_(stays) {}

  // Commands. If they are refused, they throw UsageError with the reason and change nothing.

  /// Starts or continues playing. Returns the set to jump to, if the session was at its end or had
  /// failed.
  std::optional<SetIndex> play();
  /// Pauses. Returns false if the session was not playing.
  bool pause();
  /// Shows `frames` more frames (1 to 2^53), then pauses. If steps are left from before, the
  /// numbers are added. `failure` says why the session has failed; a refusal quotes it.
  void step(uint64_t frames, const std::string& failure);
  /// Goes back by `frames` (1 to 2^53) and pauses. Steps forward that are left are cancelled first.
  /// Returns the set to jump to, if that is not enough. `shown` is the set on show, if it belongs
  /// to this pass.
  std::optional<SetIndex> stepBack(uint64_t frames, std::optional<SetIndex> shown);
  /// Accepts a jump to a set.
  void seek(SetIndex set);
  /// Sets the speed of recordings: 1 is their own speed, 0 is as fast as possible. Otherwise
  /// kLeastSpeed to kMostSpeed.
  void setSpeed(double factor);
  void setLoop(bool on);
  /// Plays only the sets from `in` to `out`, or to the end if `out` is empty. `fetched` is a set
  /// that waits to be measured.
  Action setRange(SetIndex in, std::optional<SetIndex> out, std::optional<SetIndex> fetched);

  // Sets.

  /// Begins with this set. Call before any set was measured.
  void beginAt(SetIndex set);
  /// Decides what to do with a fetched set.
  Action consider(SetIndex fetched);
  /// Decides what follows the last set.
  Action reachEnd();
  /// Notes that a set was measured.
  void taken(SetIndex set);
  /// Notes that the next set does not follow the last one. Steps that are left are cancelled, and
  /// the clock starts again with the time of the next set.
  void endPass();
  /// Begins the next pass, at a set that was jumped to.
  void jumpTo(SetIndex set);
  /// Continues as another pass, whose first set is `from`.
  void splitPass(SetIndex from);
  /// Begins another epoch, because new settings make earlier results stale.
  void startEpoch() { ++epoch_; }
  /// Requests one set although playing is paused, unless sets are requested already.
  void showOne();
  /// Stops until a command comes. `mode` is atEnd or failed.
  void restAt(PlayMode mode);
  void end() { mode_ = PlayMode::ended; }
  /// Returns when a set with this time (s, from its stamp) has to be measured, or nothing if at
  /// once. Only recordings that play at a set speed have such a time.
  std::optional<Clock::time_point> due(double time, Clock::time_point now);

  // State.

  PlayMode mode() const { return mode_; }
  bool playing() const { return playing_; }
  bool loops() const { return loop_; }
  double speed() const { return speed_; }
  SetIndex in() const { return in_; }
  std::optional<SetIndex> out() const { return out_; }
  Epoch epoch() const { return epoch_; }
  Pass pass() const { return pass_; }
  /// Returns the set after the last one that was measured, or the one that was jumped to.
  SetIndex next() const { return next_; }
  /// Returns true if a set is to be taken, whatever its time.
  bool wantsSet() const { return playing_ || remaining_ > 0; }
  /// Returns true if there is nothing to do until a command comes.
  bool isIdle() const {
    return mode_ == PlayMode::atEnd || mode_ == PlayMode::failed || !wantsSet();
  }
  /// Returns true if a set of a recording lies beyond the range.
  bool isBeyond(SetIndex set) const { return !sources_.live && isAfterRange(set); }

 private:
  /// A step back that has not found its set yet. Sets may be missing because cameras have gaps, so
  /// it searches for the last set before `from`.
  struct StepBack {
    SetIndex from;
    /// The start of the range when the step was requested.
    SetIndex in;
    /// Number of sets that the next try goes further back.
    uint64_t distance = 1;
    /// The last set before `from` that was found so far.
    std::optional<SetIndex> last;
  };

  void checkSeekable(const char* request) const;
  void checkSet(SetIndex set) const;
  bool isAfterRange(SetIndex set) const { return out_ && set > *out_; }
  Action continueStepBack(SetIndex fetched);

  const Sources sources_;
  const bool stays_;
  PlayMode mode_ = PlayMode::playing;
  bool playing_ = true, loop_ = false;
  // Number of sets that are still to be shown while playing is paused.
  uint64_t remaining_ = 0;
  double speed_ = 0;
  SetIndex in_;
  std::optional<SetIndex> out_;
  struct Start {
    Clock::time_point at;
    double time;
  };
  // The moment at which the first set of this stretch of playing was taken, and the time of that
  // set.
  std::optional<Start> start_;
  Epoch epoch_;
  Pass pass_;
  // The first set of the pass, also before it was measured.
  SetIndex passBegin_;
  // See next().
  SetIndex next_;
  // The last set that was measured in this pass.
  std::optional<SetIndex> newest_;
  std::optional<StepBack> stepBack_;
};

}  // namespace glint::session
