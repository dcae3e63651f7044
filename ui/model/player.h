// Plays the session for keys and buttons, by posting commands.
#pragma once

#include <array>
#include <atomic>
#include <set>

#include "app/session/session.h"
#include "app/shell/desk/window_interface.h"
#include "ui/model/messages.h"

namespace glint::ui {

/// The speeds that keys choose, as multiples of the recording's speed. 0: as fast as can be
/// tracked.
inline constexpr std::array kSpeeds{0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 0.0};

/// Returns the stamp of the first camera that has one.
std::optional<gpu::FrameStamp> stampOf(const motion::Frame& frame);

/// Returns a name for a new file in the current folder: "glint-20240131-123456.csv" for ".csv".
std::string timedName(const std::string& suffix);

/// The session's playback, recordings and streams. Main thread.
class Player {
 public:
  Player(const shell::WindowTask& task, std::shared_ptr<Messages> messages,
         std::function<void()> wake);

  /// Returns true if all commands were answered. Call it before taking the snapshot that is passed
  /// to see().
  bool isAnswered() const { return *unanswered_ == 0; }

  /// Takes the newest snapshot. `settled` is true if it shows the effect of all commands.
  void see(std::shared_ptr<const session::SessionState> state, bool settled);
  const session::SessionState& state() const { return *state_; }

  /// Returns true if the newest snapshot shows the effect of all commands, and the frame that was
  /// asked for.
  bool arrived() const { return settled_ && !wanted_ && !scrub_ && !state_->owes; }

  /// Posts a command to the session. Tells the user if it is refused.
  void post(session::Command command);

  /// Returns what was requested last. The session may not have done it yet, as keys may come
  /// faster.
  bool playing() const { return playing_; }
  double speed() const { return speed_; }
  bool loops() const { return loops_; }
  /// Plays or pauses a recording. With live cameras, stops at the newest frame in memory or follows
  /// the cameras again.
  void togglePlay();
  void backToLive();
  /// Returns true if an earlier frame of live cameras is shown, or asked for. The session continues
  /// meanwhile.
  bool isLookingBack() const { return state_->live && state_->recent && !playing_; }
  /// Moves by some frames, backwards if negative, and stops playing. May be called several times in
  /// quick succession.
  void step(int64_t frames);
  /// Goes to a frame, counted from 0. A frame outside the range is replaced by the nearest one in
  /// it, and a message says so.
  void seek(uint64_t frame);
  /// Goes to the first frame of the range.
  void seekFirst();
  void seekEnd();
  /// Follows the mouse while the user drags the timeline. Shows as many of the requested frames as
  /// can be shown, and always the last one.
  void scrub(uint64_t frame);
  /// Moves by a share of the recording, or of the frames in memory: -1 to 1.
  void jumpBy(double share);
  /// Changes to the next faster (1) or slower (-1) of kSpeeds.
  void changeSpeed(int direction);
  void setSpeed(double factor);
  void toggleLoop();
  void setIn(std::optional<uint64_t> frame);
  void setOut(std::optional<uint64_t> frame);
  /// Sets the range to the whole recording.
  void clearRange();
  SetIndex in() const { return in_; }
  std::optional<SetIndex> out() const { return out_; }
  /// Changes the settings with `apply`, which runs on the session's thread. `done` gets the answer,
  /// on any thread.
  void change(std::function<void(Settings&)> apply, session::Answer done = {});

  bool recording() const;
  /// Returns true if the last frame of a recording, or of its range, is shown, so that nothing
  /// follows.
  bool isAtEnd() const;
  /// Returns true if frames come only once the user presses Play.
  bool waitsForPlay() const;
  /// Starts a recording, or stops the running one. `spec` lacks the file, whose name ends in
  /// `suffix`. At the end of a recording, playback begins again at the in point, because there
  /// would be nothing to record.
  void toggleRecording(output::OutputSpec spec, const std::string& suffix);
  void stopRecording();
  /// Returns the name of the newest recording; empty if there is none.
  std::string recordingName() const;
  /// Tells the user that the recording has ended because other sources are opened.
  void announceRecordingEnd();
  /// Returns true if the outputs of the command line are being recorded.
  bool recordsOutputs() const { return recordingId_ == uint64_t{0}; }
  /// Returns the file of tracks that was recorded last; empty if there is none yet.
  const std::string& lastRecorded() const { return lastRecorded_; }

  /// A receiver of the tracks of every frame, until it is removed or other sources are opened.
  struct Streaming {
    uint64_t id = 0;
    std::string target;  ///< the address, as --stream takes it
  };
  const std::vector<Streaming>& streams() const { return streams_; }
  /// Starts sending to `target`. Returns false, and tells the user, if that is not possible.
  bool startStream(const std::string& target);
  void stopStream(uint64_t id);

  /// Returns the number of the frame on the screen, or of a requested one that is still to come.
  uint64_t frame() const;
  /// Return the limits of the frames that can be shown; with live cameras, of those in memory.
  uint64_t firstFrame() const;
  std::optional<uint64_t> lastFrame() const;
  /// Returns the rate of the recording in frames a second, from the times of its frames; 30 as long
  /// as these are not known.
  double rate() const { return rate_.value_or(30); }
  const std::optional<double>& knownRate() const { return rate_; }
  /// Computes the rate from the time (s) of a frame that was tracked in the background, unless a
  /// frame that was shown has already given it. Frame 0 is ignored, because its time says nothing
  /// about the rate.
  void noteTime(SetIndex frame, double time);

 private:
  void pause();
  bool follows() const;
  void stepInMemory(int64_t frames);
  void askFor(uint64_t frame);
  uint64_t inRange(uint64_t frame) const;
  void setRange(SetIndex in, std::optional<SetIndex> out, const std::string& words);
  void reportFinished();

  session::Session& session_;
  const shell::WindowTask& task_;
  // Shared, because answers may come after the window has closed.
  std::shared_ptr<Messages> messages_;
  std::function<void()> wake_;
  std::shared_ptr<std::atomic<int>> unanswered_ = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<const session::SessionState> state_;
  // The frame that was asked for, and is not shown yet.
  std::optional<uint64_t> wanted_;
  // The frame to ask for once `wanted_` is shown.
  std::optional<uint64_t> scrub_;
  // True if no command was posted since the newest snapshot was taken.
  bool settled_ = true;
  std::optional<double> rate_;  // frames per second; empty until a frame after the first is known
  bool playing_ = true, loops_ = false;
  double speed_ = 1;
  SetIndex in_;
  std::optional<SetIndex> out_;
  std::optional<uint64_t> recordingId_;  // id of the recording's sink; empty: none was begun
  std::set<uint64_t> reported_;          // recordings whose end was reported to the user
  std::string lastRecorded_;             // the file of tracks that was recorded last
  std::vector<Streaming> streams_;
};

}  // namespace glint::ui
