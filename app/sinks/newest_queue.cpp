#include "app/sinks/newest_queue.h"

#include <csignal>
#include <utility>

namespace glint {

NewestQueue::NewestQueue(uint64_t id, std::string name, std::vector<std::unique_ptr<Sink>> sinks)
    : sinks_(std::move(sinks)),
      status_{.id = id, .name = std::move(name), .handover = Handover::newest},
      thread_([this] { work(); }) {}

NewestQueue::~NewestQueue() {
  giveUp();
  finish();
}

void NewestQueue::giveUp() {
  {
    const std::lock_guard lock(mutex_);
    givenUp_ = true;
  }
  for (const auto& sink : sinks_) sink->giveUp();
}

void NewestQueue::push(FramePtr frame) {
  if (!frame->measured()) return;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() == kCapacity) {
      waiting_.pop_front();
      ++status_.leftOut;
    }
    waiting_.push_back(std::move(frame));
  }
  changed_.notify_all();
}

SinkStatus NewestQueue::finish() {
  if (thread_.joinable()) {
    {
      std::unique_lock lock(mutex_);
      finished_ = true;
      changed_.notify_all();
      changed_.wait_for(lock, kFinishWait, [this] { return done_; });
    }
    giveUp();
    thread_.join();
    status_.leftOut += waiting_.size();
    status_.finished = true;
    waiting_.clear();
  }
  return status_;
}

SinkStatus NewestQueue::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void NewestQueue::work() {
  // A pipe whose reader has gone shall be an error of this thread's write, not the program's end.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);

  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return finished_ || !waiting_.empty(); });
    if (waiting_.empty() || givenUp_) break;
    const FramePtr frame = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::string problem;
    bool failed = false;
    for (const auto& sink : sinks_) {
      try {
        sink->accept(frame);
      } catch (const NotSent& error) {
        problem = error.what();
      } catch (const std::exception& error) {
        problem = error.what();
        failed = true;
      }
    }
    lock.lock();
    status_.failed |= failed;
    ++(problem.empty() ? status_.frames : status_.leftOut);
    if (status_.problem.empty()) status_.problem = problem;
  }
  done_ = true;
  changed_.notify_all();
}

}  // namespace glint
