// The session's thread. Internal to session/.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/feeds.h"
#include "app/session/command.h"
#include "app/session/detectors.h"
#include "app/session/options.h"
#include "app/session/playback.h"
#include "app/session/processors.h"
#include "app/session/recent_frames.h"
#include "app/session/session_sinks.h"
#include "app/session/space_points.h"
#include "app/session/tracking.h"

namespace glint {

/// One session: its parts, and the loop that drives them. Everything is the thread's once it has
/// begun, apart from what the first functions touch.
class SessionRun {
 public:
  SessionRun(std::shared_ptr<const Device> device, std::vector<std::unique_ptr<Source>> sources,
             SessionOptions options);
  ~SessionRun();

  // From any thread.
  void post(PostedCommand command);
  std::shared_ptr<const SessionState> state() const;
  const CameraGroups& groups() const { return groups_; }
  bool wait(std::chrono::milliseconds patience);
  const SessionResult& finish();

 private:
  using Clock = std::chrono::steady_clock;

  /// A set that the device works on.
  struct Begun {
    FrameSet set;
    Clock::time_point start;
    std::optional<Clock::time_point> due;
    std::vector<LayerExpectation> expectations;
  };

  // The loop: run.cpp
  void work();
  bool guarded(auto&& action);
  void iterate();
  bool fetch(std::chrono::milliseconds patience);
  void beginAt(const From& from);
  std::optional<double> timeOf(const FrameSet& set) const;
  bool fetchFirst();
  std::optional<Clock::time_point> dueOf(const FrameSet& set);
  Clock::time_point restUntil(Clock::time_point due, Clock::time_point now);
  void reachEnd();
  void endPass(SetIndex next);
  void fail(const std::string& problem);
  void close();
  void publish();
  void noteZero();

  // From a set to its frame: run_frame.cpp
  void begin(FrameSet set, std::optional<Clock::time_point> due);
  void beginNext();
  void complete();
  void onDevice(auto&& action);
  std::shared_ptr<Frame> frameOf(const Begun& begun, Detectors::Result result);
  void handOn(FramePtr frame);
  bool planesMissing() const;
  void keepPlanes();
  void expectFirstFrames(const FrameSet& set);
  void measureAgain(bool ownStatistics = true);
  void trackAgain();
  void becomeWhole();
  void addPixels(Frame& frame) const;
  void glance(const LayerMeasurement& measured);
  void count(const Frame& frame);
  void addDeviceTimes(const std::vector<PassTime>& times);

  // Looking back: run_look.cpp
  void lookAt(SetIndex set);
  bool load(const RecentFrames::Kept& kept);
  void keepRecent();
  std::optional<SessionState::Recent> recent() const;
  Begun& onShow() { return looked_ ? *looked_ : measured_; }
  void on(command::Look& look, Answer&);
  void on(command::Hold&, Answer&);
  void on(command::Recall& recall, Answer&);
  void on(command::Remember& remember, Answer&);

  // Carrying out commands: run_commands.cpp
  void carryOut();
  void carryOut(PostedCommand posted);
  void jump(SetIndex set);
  bool steppedBack();
  void checkSeekable(const char* wish) const;
  void checkSet(SetIndex set) const;
  void checkCameras(const Settings& before, const Settings& after) const;
  void bringIntoForce();
  void adopt();
  void request(const Measuring& measuring, Answer& answer);
  FramePtr shownFrame() const;
  FramePtr lastFrame(std::vector<CameraFrame> rows, std::optional<SpaceFrame> space) const;
  void on(command::Change& change, Answer& answer);
  void on(command::Play&, Answer&);
  void on(command::Pause&, Answer&);
  void on(command::Step& step, Answer& answer);
  void on(command::Seek& seek, Answer&);
  void on(command::Speed& speed, Answer&);
  void on(command::Loop& loop, Answer&);
  void on(command::Range& range, Answer&);
  void on(command::AddSink& added, Answer&);
  void on(command::RemoveSink& removed, Answer& answer);
  void on(command::Follow& follow, Answer&);
  void on(command::Explain& explain, Answer& answer);
  void on(command::Watch& watch, Answer& answer);
  void on(command::Stop&, Answer&);

  std::shared_ptr<const Device> device_;
  const SessionOptions options_;
  Interrupt noInterrupt_;
  Interrupt& interrupt_;
  const std::shared_ptr<const SessionInfo> info_;
  std::unique_ptr<Feeds> feeds_;
  const CameraGroups groups_;
  Detectors detectors_;
  Tracking tracking_;
  SpacePoints space_;
  const std::vector<Processor> processors_;
  Playback playback_;
  SessionSinks sinks_;
  std::shared_ptr<const Settings> settings_;  // in force

  /// A new measuring that waits until it holds up no frame, and who gets the answer.
  struct Pending {
    Measuring measuring;
    std::vector<Answer> answers;
  };
  std::optional<Pending> pending_;

  SessionState::Mode mode_ = SessionState::Mode::playing;
  bool stopping_ = false;
  bool unseen_ = true;  // the next frame has no frame before it whose response can be used
  Epoch epoch_;
  Pass pass_;
  SetIndex passBegin_;  // the set that the pass began with, or is to begin with
  /// A step back: until a frame before `from` was found, since cameras may have a gap there.
  struct Back {
    SetIndex from;
    SetIndex in;         ///< of the range when it was asked for
    uint64_t reach = 1;  ///< sets that the next try goes further back
    std::optional<SetIndex> last;
  };
  std::optional<Back> back_;
  SetIndex following_;              // the set after the last one of the pass, even once that ended
  std::optional<FrameSet> next_;    // fetched; waits until it is due
  std::optional<Begun> begun_;      // on the device
  Begun measured_;                  // the newest one that was measured
  FrameSet spent_;                  // the one before, until its memory may be read into again
  Clock::time_point served_{};      // when the newest one was handed on
  FramePtr tracked_;                // its frame, as it was handed on; of this pass
  FramePtr shown_;                  // that, or what measuring it again told
  std::optional<Begun> looked_;     // shown instead of the newest one
  std::optional<SetIndex> wished_;  // to be looked at once there is room
  std::vector<FramePool> looks_;    // for what is looked at; a group each, once there is any
  RecentFrames recent_;
  double recentSeconds_ = 0;
  std::vector<PassTime> deviceTimes_;                       // of the newest that was timed
  std::vector<std::shared_ptr<const PlaneImages>> planes_;  // of the newest frame, a group each
  SessionResult result_;
  uint64_t writtenShown_ = 0;  // by sinks, as published last
  std::string failure_;        // why nothing goes on at present, until a jump
  Clock::time_point began_;

  CommandQueue commands_;
  mutable std::mutex mutex_;                   // of the next two
  std::shared_ptr<const SessionState> state_;  // the newest; none waits for more than the exchange
  bool ended_ = false;
  std::condition_variable end_;
  std::thread thread_;
};

}  // namespace glint
