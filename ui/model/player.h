// Drives the session by its commands, for keys and buttons.
#pragma once

#include <array>
#include <atomic>
#include <set>

#include "app/session/session.h"
#include "app/shell/desk/window_interface.h"
#include "ui/model/messages.h"

namespace glint::ui {

/// 0: as fast as can be tracked.
inline constexpr std::array kSpeeds{0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 0.0};

/// The stamp of the first camera that has one.
std::optional<gpu::FrameStamp> stampOf(const motion::Frame& frame);

/// For a new file: "glint-20240131-123456.csv" for ".csv".
std::string timedName(const std::string& suffix);

/// Main thread.
class Player {
 public:
  Player(const shell::WindowTask& task, std::shared_ptr<Messages> messages,
         std::function<void()> wake);

  /// Whether all commands were answered. Ask before the snapshot is taken that see() is given.
  bool settled() const { return *unanswered_ == 0; }

  /// The newest snapshot; `settled`: it shows the effect of all commands.
  void see(std::shared_ptr<const session::SessionState> state, bool settled);
  const session::SessionState& state() const { return *state_; }

  /// True if the newest snapshot shows the effect of all commands, and the frame that was asked
  /// for.
  bool arrived() const { return settled_ && !wanted_ && !scrub_ && !state_->owes; }

  /// To the session. Reports a refusal to the user.
  void post(session::Command command);

  /// The newest request, which the session may not have taken yet: keys may come faster.
  bool playing() const { return playing_; }
  double speed() const { return speed_; }
  bool loops() const { return loops_; }
  /// Live: whether the picture follows the cameras or one of the frames in memory.
  void togglePlay();
  void backToLive();
  /// Live: an earlier frame is shown, or asked for, while the session goes on.
  bool looking() const { return state_->live && state_->recent && !playing_; }
  /// One frame or more, also quickly one after another; playing stops.
  void step(int64_t frames);
  /// The last frame is `length` - 1; outside the range: to its nearest one, which is said.
  void seek(uint64_t frame);
  /// Of the range.
  void seekFirst();
  void seekEnd();
  /// While the user drags: as many of them as can be shown, the last one in any case.
  void scrub(uint64_t frame);
  /// A twentieth of the recording or so.
  void jumpBy(double share);
  /// To the next of the usual speeds.
  void changeSpeed(int direction);
  void setSpeed(double factor);
  void toggleLoop();
  void setIn(std::optional<uint64_t> frame);
  void setOut(std::optional<uint64_t> frame);
  /// From the first frame to the last one.
  void clearRange();
  SetIndex in() const { return in_; }
  std::optional<SetIndex> out() const { return out_; }
  /// `apply` changes the settings; `done` gets the answer, on any thread.
  void change(std::function<void(Settings&)> apply, session::Answer done = {});

  bool recording() const;
  /// `suffix`: of the file's name; it chooses the format.
  void toggleRecording(const std::string& suffix);
  void stopRecording();
  /// Of what is being recorded: the newest.
  std::string recordingName() const;
  /// Where others are opened next: what is recorded ends with these.
  void tellRecordingEnds();
  /// Whether it is the outputs of the command line.
  bool recordsOutputs() const { return recordingId_ == uint64_t{0}; }
  /// The file that was recorded last; empty: none yet.
  const std::string& lastRecorded() const { return lastRecorded_; }

  /// A receiver of every frame's tracks, for as long as these sources are shown.
  struct Streaming {
    uint64_t id = 0;
    std::string target;  ///< as --stream takes it
  };
  const std::vector<Streaming>& streams() const { return streams_; }
  /// False where it cannot be sent there, which is reported.
  bool startStream(const std::string& target);
  void stopStream(uint64_t id);

  /// The frame shown, or a requested one that is still to come.
  uint64_t frame() const;
  /// Those that can be shown; live: of what is in memory.
  uint64_t firstFrame() const;
  std::optional<uint64_t> lastFrame() const;
  /// Frames a second of the recording, from its stamps; 30 where stamps do not say.
  double rate() const { return rate_; }

 private:
  void pause();
  bool follows() const;
  void stepInMemory(int64_t frames);
  void askFor(uint64_t frame);
  uint64_t inRange(uint64_t frame) const;
  void setRange(SetIndex in, std::optional<SetIndex> out, const std::string& words);
  void tellFinished();

  session::Session& session_;
  const shell::WindowTask& task_;
  std::shared_ptr<Messages> messages_;  // answers may come after the window
  std::function<void()> wake_;
  std::shared_ptr<std::atomic<int>> unanswered_ = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<const session::SessionState> state_;
  std::optional<uint64_t> wanted_;  // asked for, and not shown yet
  std::optional<uint64_t> scrub_;   // to be asked for once that is shown
  bool settled_ = true;             // no command was posted since the newest snapshot was taken
  double rate_ = 30;
  bool playing_ = true, loops_ = false;
  double speed_ = 1;
  SetIndex in_;
  std::optional<SetIndex> out_;
  std::optional<uint64_t> recordingId_;
  std::set<uint64_t> told_;  // recordings whose end was told
  std::string lastRecorded_;
  std::vector<Streaming> streams_;
};

}  // namespace glint::ui
