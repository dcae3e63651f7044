// Which set a session takes next, and when: play, pause, step, seek, loop, range and speed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "config/numbers.h"

namespace glint::session {

/// The state that a session is in.
enum class PlayMode {
  playing,
  paused,
  atEnd,   ///< of the range; waits for commands
  failed,  ///< SessionState::failure says why; waits for commands
  ended
};

/// Decides which set comes next and counts passes and epochs. It only decides: its owner fetches,
/// measures and shows the sets. Used by one thread, and needs no device.
///
/// A jump has three parts. A function here returns the set to jump to; the owner ends the pass,
/// with endPass(); then it calls jumpTo() with the set.
class Transport {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double kLeastSpeed = 1e-3, kMostSpeed = 1000;

  /// Facts about the sources that do not change while the session runs.
  struct Sources {
    bool live = false;
    bool canSeek = false;                 ///< all of them can
    std::optional<uint64_t> length = {};  ///< sets, where known
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

  /// `stays`: at the end of a recording it waits for commands instead of ending the session.
  Transport(const Sources& sources, bool stays) : sources_(sources), stays_(stays) {}

  // Commands. They throw UsageError with the reason where they are refused; then nothing changes.

  /// Plays on. Returns the set to jump to, if the session had come to its end or failed.
  std::optional<SetIndex> play();
  /// Returns false if it did not play before.
  bool pause();
  /// Shows `frames` more (1 to 2^53), then pauses. Steps that come while others are left add up.
  /// `failure` says why the session has failed, for the refusal.
  void step(uint64_t frames, const std::string& failure);
  /// Goes back by `frames` (1 to 2^53), after which it is paused. Steps forward that are left are
  /// taken back first. Returns the set to jump to, if that is not enough. `shown` is the set on
  /// show, if that is of this pass.
  std::optional<SetIndex> stepBack(uint64_t frames, std::optional<SetIndex> shown);
  /// Accepts a jump to a set.
  void seek(SetIndex set);
  /// 1 plays recordings at their own speed, 0 as fast as possible.
  void setSpeed(double factor);
  void setLoop(bool on);
  /// Only the sets from `in` to `out` are played; without `out` to the end. `fetched` is a set that
  /// waits to be measured.
  Action setRange(SetIndex in, std::optional<SetIndex> out, std::optional<SetIndex> fetched);

  // Sets.

  /// Begins with this set, before any was measured.
  void beginAt(SetIndex set);
  /// Decides about a set that was fetched.
  Action consider(SetIndex fetched);
  /// Decides what follows the last set.
  Action reachEnd();
  /// A set was measured.
  void taken(SetIndex set);
  /// The next set does not follow the last one: nothing is left of a step, and the time of the next
  /// set starts the clock anew.
  void endPass();
  /// Begins the next pass, at a set that was jumped to.
  void jumpTo(SetIndex set);
  /// Goes on as another pass, whose first set is `from`.
  void splitPass(SetIndex from);
  /// Earlier results become stale: other settings.
  void startEpoch() { ++epoch_; }
  /// Wants one set although it is paused, unless sets are wanted already.
  void showOne();
  /// Does nothing until a command comes: atEnd or failed.
  void restAt(PlayMode mode);
  void end() { mode_ = PlayMode::ended; }
  /// Returns when a set of this time (s, by its stamp) is to be measured, if sets are played in
  /// pace; empty: at once.
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
  /// The set after the last one that was measured, or that was jumped to.
  SetIndex next() const { return next_; }
  /// True if a set is to be taken, apart from its time.
  bool wantsSet() const { return playing_ || remaining_ > 0; }
  /// True if nothing is to be done until a command comes.
  bool isIdle() const {
    return mode_ == PlayMode::atEnd || mode_ == PlayMode::failed || !wantsSet();
  }
  /// True if a set of a recording lies beyond the range.
  bool isBeyond(SetIndex set) const { return !sources_.live && isAfterRange(set); }

 private:
  /// A step back that has not found its set yet. Sets may be missing where cameras have gaps, so it
  /// looks for the last set before `from`.
  struct StepBack {
    SetIndex from;
    SetIndex in;                   ///< the beginning of the range when the step was asked for
    uint64_t distance = 1;         ///< sets that the next try goes further back
    std::optional<SetIndex> last;  ///< the last set before `from` so far, of a later try
  };

  void checkSeekable(const char* wish) const;
  void checkSet(SetIndex set) const;
  bool isAfterRange(SetIndex set) const { return out_ && set > *out_; }
  Action continueStepBack(SetIndex fetched);

  const Sources sources_;
  const bool stays_;
  PlayMode mode_ = PlayMode::playing;
  bool playing_ = true, loop_ = false;
  uint64_t remaining_ = 0;  // sets that are still to be shown while it is paused
  double speed_ = 0;
  SetIndex in_;
  std::optional<SetIndex> out_;
  struct Start {
    Clock::time_point at;
    double time;
  };
  std::optional<Start> start_;  // when the first set in pace was taken, and its time
  Epoch epoch_;
  Pass pass_;
  SetIndex passBegin_;              // the first set of the pass, also before it was measured
  SetIndex next_;                   // see next()
  std::optional<SetIndex> newest_;  // the last set that was measured in this pass
  std::optional<StepBack> stepBack_;
};

}  // namespace glint::session
