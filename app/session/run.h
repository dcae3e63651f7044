// The session's thread. Internal to session/.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/feeds.h"
#include "app/session/command.h"
#include "app/session/detectors.h"
#include "app/session/mailbox.h"
#include "app/session/options.h"
#include "app/session/playback.h"
#include "app/session/recordings.h"
#include "app/session/session.h"
#include "app/session/trackers.h"

namespace glint {

/// One session: its parts, and the loop that drives them. Everything is the thread's once it has
/// begun, apart from what the first functions touch.
class Session::Run {
 public:
  Run(std::shared_ptr<const Device> device, std::vector<std::unique_ptr<Source>> sources,
      const OpenRecordings& open, const SessionOptions& options, Interrupt& interrupt);
  ~Run();

  // From any thread.
  void post(PostedCommand command);
  std::shared_ptr<const SessionState> state() const { return state_.newest(); }
  const CameraGroups& groups() const { return groups_; }
  bool wait(std::chrono::milliseconds patience);
  const SessionResult& finish();

 private:
  using Clock = std::chrono::steady_clock;

  // The loop: run.cpp
  void work();
  void iterate();
  bool fetch();
  void take(FrameSet set, std::optional<Clock::time_point> due);
  void reachEnd();
  void endPass();
  void fail(const std::string& problem);
  void remake(const std::string& problem);
  void changeFeeds(std::unique_ptr<Feeds> feeds);
  void close();
  void publish();

  // Measuring one set: run_frame.cpp
  std::vector<LayerMeasurement> measure(const FrameSet& set);
  bool planesMissing() const;
  void keepPlanes();
  void expectFirstFrames(const FrameSet& set);
  void measureAgain();
  void addPixels(std::vector<CameraFrame>& cameras, const FrameSet& set) const;
  void count(const SessionFrame& frame);
  void addDeviceTimes(const std::vector<PassTime>& times);

  // Carrying out commands: run_commands.cpp
  void noteZero();
  void carryOut();
  void carryOut(PostedCommand posted);
  void jump(uint64_t frame);
  void checkSeekable(const char* wish) const;
  void checkFrame(uint64_t frame) const;
  void checkCameras(const Settings& before, const Settings& after) const;
  void bringIntoForce();
  void adopt();
  void wish(const Measuring& measuring, Answer& answer);
  std::shared_ptr<const SessionFrame> shownFrame() const;
  std::shared_ptr<const SessionFrame> openRows() const;
  void on(command::Change& change, Answer& answer);
  void on(command::Play&, Answer&);
  void on(command::Pause&, Answer&);
  void on(command::Step& step, Answer&);
  void on(command::Seek& seek, Answer&);
  void on(command::Speed& speed, Answer&);
  void on(command::Loop& loop, Answer&);
  void on(command::Range& range, Answer&);
  void on(command::AddExporters& added, Answer&);
  void on(command::RemoveExporters& removed, Answer& answer);
  void on(command::AddListener& added, Answer&);
  void on(command::RemoveListener& removed, Answer&);
  void on(command::Explain& explain, Answer& answer);
  void on(command::Watch& watch, Answer& answer);
  void on(command::Stop&, Answer&);

  std::shared_ptr<const Device> device_;
  const SessionOptions options_;
  Interrupt& interrupt_;
  CameraGroups groups_;
  std::unique_ptr<Feeds> feeds_;  // null while the device is being made anew
  std::unique_ptr<Detectors> detectors_;
  std::optional<Trackers> trackers_;
  Playback playback_;
  std::optional<Recordings> recordings_;
  std::map<uint64_t, std::shared_ptr<FrameListener>> listeners_;

  /// A change of the measuring that waits until it holds up no frame, and who is to be told.
  struct Pending {
    Measuring measuring;
    std::vector<Answer> answers;
  };
  std::optional<Pending> pending_;

  SessionState::Mode mode_ = SessionState::Mode::playing;
  bool stopping_ = false;
  bool unseen_ = true;  // the next frame has no frame before it whose response can be used
  uint32_t epoch_ = 0, pass_ = 0;
  uint64_t passBegin_ = 0;        // the frame that the pass began with, or is to begin with
  uint64_t following_ = 0;        // the frame after the last one of the pass, even once that ended
  std::optional<FrameSet> next_;  // fetched; waits until it is due
  FrameSet set_;                  // the newest set that was measured
  std::vector<LayerExpectation> expectations_;   // with which it was
  std::shared_ptr<const SessionFrame> tracked_;  // its frame, as it was handed on; of this pass
  std::shared_ptr<const SessionFrame> shown_;    // that, or what measuring it again told
  std::vector<PassTime> deviceTimes_;            // of the newest frame
  std::vector<std::shared_ptr<const PlaneImages>> planes_;  // of the newest frame, a group each
  uint64_t earlierTracks_ = 0, earlierStitches_ = 0, earlierRepeats_ = 0;  // of earlier passes
  SessionResult result_;
  uint64_t writtenShown_ = 0;  // by recordings, as published last
  std::string failure_;        // why nothing goes on at present, until a jump
  Clock::time_point began_;

  CommandQueue commands_;
  Mailbox<SessionState> state_;
  bool ended_ = false;  // with mutex_ and end_
  std::mutex mutex_;    // also: other threads look at feeds_
  std::condition_variable end_;
  std::thread thread_;
};

}  // namespace glint
