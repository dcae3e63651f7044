// Requests of other programs to a running session, and the answers; docs/control.md.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "app/shell/control/control_access.h"

namespace glint::shell {

/// Takes one request at a time, as text, and answers each with one line. Thread-safe.
class Control {
 public:
  /// One line without its end. Called once, on any thread, at once or later.
  using Reply = std::function<void(const std::string& line)>;

  Control(session::Session& session, MakeSink makeStream);

  /// A JSON object, such as {"do":"seek","frame":10}. A request's "tag" stands in its answer, too.
  /// Throws WrongToken, without an answer.
  void json(std::string_view line, const ControlAccess& access, Reply reply);

  /// Starts a recording into `file`; or stops that one, or, without a name, the latest.
  void startRecording(const std::string& file, const ControlAccess& access, session::Answer answer);
  void stopRecording(const std::string& file, session::Answer answer);

 private:
  /// What was started by name: a file or a stream's target.
  struct Started {
    uint64_t id;
    std::string name;
  };
  void start(std::vector<Started>& all, session::command::AddSink added, session::Answer answer);
  void stop(std::vector<Started>& all, const std::string& name, const char* what,
            session::Answer answer);
  /// Posts; `answer` is called once it is carried out.
  void post(session::Command command, session::Answer answer);
  /// Waits until all that was posted before has been carried out.
  void settle();
  Started take(std::vector<Started>& all, const std::string& name, const char* what);

  friend class Request;
  session::Session& session_;
  MakeSink makeStream_;
  std::mutex mutex_;
  std::vector<Started> recordings_, streams_;
  /// How many commands are not answered yet. Answers may come when the control is gone.
  struct Owed {
    std::mutex mutex;
    std::condition_variable less;
    size_t count = 0;
  };
  std::shared_ptr<Owed> owed_ = std::make_shared<Owed>();
};

}  // namespace glint::shell
