#include <cerrno>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "app/base/waiting.h"
#include "app/control/control_server.h"

namespace glint {
namespace {

constexpr int kPatience = 50;             // ms, between looks whether it is to end
constexpr size_t kLongestLine = 1 << 20;  // bytes: no request is nearly as long

/// Standard output, shared by answers that come from several threads and may come late.
class Replies {
 public:
  void write(const std::string& line) {
    const std::lock_guard lock(mutex_);
    const Waiting waiting("a reader of the answers on", name_);
    const std::string text = line + '\n';
    for (size_t done = 0; done < text.size() && !gone_;) {
      const ssize_t n = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR) gone_ = true;  // nobody reads the answers: the run goes on
      if (n > 0) done += static_cast<size_t>(n);
    }
  }

 private:
  const std::string name_ = "standard output";
  std::mutex mutex_;
  bool gone_ = false;
};

class PipeServer : public ControlServer {
 public:
  PipeServer(Control& control, std::function<void()> atEnd)
      : control_(control),
        atEnd_(std::move(atEnd)),
        thread_([this](const std::stop_token& stop) { work(stop); }) {}

 private:
  void work(const std::stop_token& stop) {
    std::string waiting;
    while (!stop.stop_requested()) {
      pollfd ready{STDIN_FILENO, POLLIN, 0};
      if (::poll(&ready, 1, kPatience) <= 0) continue;
      char bytes[4096];
      const ssize_t n = ::read(STDIN_FILENO, bytes, sizeof bytes);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0) break;
      waiting.append(bytes, static_cast<size_t>(n));
      takeLines(waiting);
      if (waiting.size() > kLongestLine) waiting.clear(), waiting = "too long";
    }
    if (!waiting.empty()) handle(waiting);  // a last line without its end
    if (!stop.stop_requested() && atEnd_) atEnd_();
  }

  void takeLines(std::string& waiting) {
    size_t begin = 0;
    for (size_t end = waiting.find('\n'); end != std::string::npos;
         end = waiting.find('\n', begin)) {
      handle(std::string_view(waiting).substr(begin, end - begin));
      begin = end + 1;
    }
    waiting.erase(0, begin);
  }

  void handle(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    control_.json(line, [replies = replies_](const std::string& text) { replies->write(text); });
  }

  Control& control_;
  std::function<void()> atEnd_;
  std::shared_ptr<Replies> replies_ = std::make_shared<Replies>();
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<ControlServer> controlByPipe(Control& control, std::function<void()> atEnd) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves must not end the run
  return std::make_unique<PipeServer>(control, std::move(atEnd));
}

}  // namespace glint
