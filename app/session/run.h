// The session's thread. Internal to session/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/command.h"
#include "app/session/display.h"
#include "app/session/engine.h"
#include "app/session/look_back.h"
#include "app/session/options.h"
#include "app/session/pending_change.h"
#include "app/session/publisher.h"
#include "app/session/session_sinks.h"
#include "app/session/set_reader.h"
#include "app/session/transport.h"

namespace glint::session {

/// One session: its parts, and the loop that drives them. The constructor starts the session's
/// thread. From then on only that thread uses the members, apart from what the public functions
/// touch.
class SessionRun {
 public:
  SessionRun(std::shared_ptr<const gpu::Device> device,
             std::vector<std::unique_ptr<capture::Source>> sources, SessionOptions options);
  ~SessionRun();

  // From any thread.
  void post(PostedCommand command);
  std::shared_ptr<const SessionState> state() const { return publisher_.state(); }
  const capture::CameraGroups& groups() const { return sets_.feeds().groups(); }
  bool wait(std::chrono::milliseconds patience) { return publisher_.wait(patience); }
  const SessionResult& finish();

 private:
  using Clock = std::chrono::steady_clock;

  // The loop, in the order in which a frame passes through it.
  void work();
  bool guarded(auto&& action);
  void iterate();
  void idle();
  bool fetch();
  std::optional<Clock::time_point> dueTime();
  Clock::time_point wakeUpTime(Clock::time_point due, Clock::time_point now);
  void submit(std::optional<Clock::time_point> due);
  void serve();
  void submitAhead();
  void count(const motion::Frame& frame);
  bool hasAllFrames() const;
  void handOn(DrawableFrame made);
  void publish();
  void keepPlanes();

  // Passes.
  void act(const Transport::Action& action);
  void jump(SetIndex set);
  void endPass(SetIndex next);
  void useWholeTracks();
  void fail(const std::string& problem);
  void close(Clock::time_point begun);

  // Commands.
  void carryOut(PostedCommand posted);
  void play();
  void pause();
  void step(int64_t frames);
  void removeSink(uint64_t id, Answer& answer);
  void bringIntoForce();

  const std::shared_ptr<const gpu::Device> device_;
  const SessionOptions options_;
  SessionResult result_;
  SetReader sets_;
  Transport transport_;
  Engine engine_;
  Display display_;
  LookBack lookBack_;
  PendingChange change_;
  SessionSinks sinks_;
  Publisher publisher_;
  CommandQueue commands_;
  bool stopping_ = false;
  std::string failure_;           // why nothing goes on at present, until a jump
  Clock::time_point servedAt_{};  // when the newest frame was handed on
  std::thread thread_;
};

}  // namespace glint::session
