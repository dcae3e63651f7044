// Requests of other programs to a running session, and the answers to them; see docs/control.md.
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

/// The receiver of requests. It takes one at a time, as text, and answers each with one line.
/// Thread-safe.
class Control {
 public:
  /// Receives one line without its end. Called once, on any thread, during the request or later.
  using Reply = std::function<void(const std::string& line)>;

  Control(session::Session& session, MakeSink makeStream);

  /// Carries out a request, a JSON object such as {"do":"seek","frame":10}. Its answer repeats the
  /// request's "tag". Throws WrongToken; then there is no answer.
  void json(std::string_view line, const ControlAccess& access, Reply reply);

  /// Start a recording into `file`, and stop the recording into `file`; without a name, the latest
  /// one is stopped.
  void startRecording(const std::string& file, const ControlAccess& access, session::Answer answer);
  void stopRecording(const std::string& file, session::Answer answer);

 private:
  /// A recording or stream that was started. Its name is the file or the stream's target.
  struct Started {
    uint64_t id;
    std::string name;
  };
  void start(std::vector<Started>& all, session::command::AddSink added, session::Answer answer);
  void stop(std::vector<Started>& all, const std::string& name, const char* what,
            session::Answer answer);
  /// Posts a command. `answer` is called once it has been carried out.
  void post(session::Command command, session::Answer answer);
  /// Waits until all commands that were posted before have been carried out.
  void settle();
  Started take(std::vector<Started>& all, const std::string& name, const char* what);

  friend class Request;
  session::Session& session_;
  MakeSink makeStream_;
  std::mutex mutex_;
  std::vector<Started> recordings_, streams_;
  /// The number of commands that are not answered yet. It is shared, because answers may come when
  /// the Control no longer exists.
  struct Owed {
    std::mutex mutex;
    std::condition_variable less;
    size_t count = 0;
  };
  std::shared_ptr<Owed> owed_ = std::make_shared<Owed>();
};

}  // namespace glint::shell
