#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "app/shell/control/control_server.h"

namespace glint::shell {
namespace {

constexpr int kPipePatience = 50;         // ms, time between two checks if the thread has to end
constexpr size_t kLongestLine = 1 << 20;  // bytes of a line; no request is nearly as long

/// The answers on their way to standard output, which a thread of their own writes. Answers come
/// from several threads, and never wait for the reader.
class Replies {
 public:
  Replies() : thread_([this] { work(); }) {}
  ~Replies() { end(); }

  void write(const std::string& line) {
    {
      const std::lock_guard lock(mutex_);
      if (gone_ || ended_) return;
      waiting_ += line;
      waiting_ += '\n';
    }
    changed_.notify_all();
  }

  /// Returns true if so much is unread that no more requests should be taken.
  bool full() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size() > kMostUnread;
  }

  /// Writes the remaining answers while the reader takes them, and ends the thread.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  static constexpr size_t kMostUnread = 1 << 20;  // bytes
  // ms, the longest pause of a reader at the end.
  static constexpr int kLastPatience = 1000;

  void work() {
    std::unique_lock lock(mutex_);
    while (!gone_) {
      changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const std::string text = waiting_.substr(0, PIPE_BUF);
      const bool last = ended_;
      lock.unlock();
      const ssize_t n = writeWhereItFits(text, last ? kLastPatience : kPipePatience);
      lock.lock();
      if (n > 0) waiting_.erase(0, static_cast<size_t>(n));
      // Nobody reads the answers, but the run continues.
      if (n < 0 || (n == 0 && last)) gone_ = true;
    }
    waiting_.clear();
  }

  /// Returns the number of bytes that were written, 0 if there was no room within `patience` ms, or
  /// -1 if there is no reader. A pipe that is ready takes PIPE_BUF bytes at once.
  static ssize_t writeWhereItFits(const std::string& text, int patience) {
    pollfd ready{STDOUT_FILENO, POLLOUT, 0};
    if (::poll(&ready, 1, patience) <= 0) return 0;
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    return n < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : n;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  bool gone_ = false, ended_ = false;
  std::thread thread_;  // the last member, because the thread uses the others
};

class PipeServer : public ControlServer {
 public:
  ~PipeServer() override {
    thread_.request_stop();
    thread_.join();
    replies_->end();
  }

  PipeServer(Control& control, ControlAccess access, std::function<void()> atEnd)
      : control_(control),
        access_(std::move(access)),
        atEnd_(std::move(atEnd)),
        thread_([this](const std::stop_token& stop) { work(stop); }) {}

 private:
  void work(const std::stop_token& stop) {
    std::string waiting;
    while (!stop.stop_requested()) {
      if (replies_->full()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(kPipePatience));
        continue;
      }
      pollfd ready{STDIN_FILENO, POLLIN, 0};
      if (::poll(&ready, 1, kPipePatience) <= 0) continue;
      char bytes[4096];
      const ssize_t n = ::read(STDIN_FILENO, bytes, sizeof bytes);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0) break;
      waiting.append(bytes, static_cast<size_t>(n));
      takeLines(waiting);
      if (waiting.size() > kLongestLine) waiting.clear(), waiting = "too long";
    }
    if (!waiting.empty()) handle(waiting);  // the last line may lack its end
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
    control_.json(line, access_,
                  [replies = replies_](const std::string& text) { replies->write(text); });
  }

  Control& control_;
  const ControlAccess access_;
  std::function<void()> atEnd_;
  std::shared_ptr<Replies> replies_ = std::make_shared<Replies>();
  std::jthread thread_;  // the last member, because the thread uses the others
};

}  // namespace

std::unique_ptr<ControlServer> controlByPipe(Control& control, ControlAccess access,
                                             std::function<void()> atEnd) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves must not end the run
  return std::make_unique<PipeServer>(control, std::move(access), std::move(atEnd));
}

}  // namespace glint::shell
