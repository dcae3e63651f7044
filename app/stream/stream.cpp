#include "app/stream/stream.h"

#include <csignal>

#include "config/error.h"

namespace glint {

Stream::Stream(std::string target, std::unique_ptr<Sender> sender) : sender_(std::move(sender)) {
  result_.target = std::move(target);
  thread_ = std::jthread([this](const std::stop_token& giveUp) { work(giveUp); });
}

Stream::~Stream() {
  thread_.request_stop();
  finish();
}

void Stream::push(std::shared_ptr<const LiveFrame> frame) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() == kCapacity) {
      waiting_.pop_front();
      ++result_.dropped;
    }
    waiting_.push_back(std::move(frame));
  }
  changed_.notify_all();
}

StreamResult Stream::finish() {
  if (thread_.joinable()) {
    std::unique_lock lock(mutex_);
    finished_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, kFinishWait, [this] { return done_; });
    lock.unlock();
    thread_.request_stop();
    thread_.join();
    result_.dropped += waiting_.size();
    waiting_.clear();
  }
  return result_;
}

void Stream::work(const std::stop_token& giveUp) {
  // A pipe whose reader has gone shall be an error of this thread's write, not the program's end.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);

  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return finished_ || !waiting_.empty(); });
    if (waiting_.empty() || giveUp.stop_requested()) break;
    const std::shared_ptr<const LiveFrame> frame = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::string problem;
    bool failed = false;
    try {
      problem = sender_->send(*frame, giveUp);
    } catch (const Error& error) {
      problem = error.what();
      failed = true;
    }
    lock.lock();
    result_.failed |= failed;
    ++(problem.empty() ? result_.sent : result_.dropped);
    if (result_.problem.empty()) result_.problem = problem;
  }
  done_ = true;
  changed_.notify_all();
}

}  // namespace glint
