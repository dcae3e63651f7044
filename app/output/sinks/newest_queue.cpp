#include "app/output/sinks/newest_queue.h"

#include <csignal>
#include <utility>

namespace glint::output {

NewestQueue::NewestQueue(uint64_t id, std::string name, std::unique_ptr<Sink> sink)
    : sink_(std::move(sink)) {
  status_.id = id;
  status_.name = std::move(name);
  status_.handover = Handover::newest;
  thread_ = std::thread([this] { work(); });
}

NewestQueue::~NewestQueue() {
  {
    const std::lock_guard lock(mutex_);
    givenUp_ = true;
  }
  sink_->giveUp();
  finish();
}

void NewestQueue::push(const motion::FramePtr& frame) {
  if (!frame->measured()) return;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(frame);
    if (waiting_.size() > kCapacity) {
      waiting_.pop_front();
      ++status_.dropped;
    }
  }
  changed_.notify_all();
}

SinkStatus NewestQueue::status() const {
  std::string state = sink_->state();
  const std::lock_guard lock(mutex_);
  SinkStatus status = status_;
  status.state = std::move(state);
  return status;
}

SinkStatus NewestQueue::finish() {
  if (thread_.joinable()) {
    std::unique_lock lock(mutex_);
    finished_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, kFinishWait, [this] { return done_; });
    givenUp_ = true;
    lock.unlock();
    sink_->giveUp();
    thread_.join();
    lock.lock();
    status_.dropped += waiting_.size();
    waiting_.clear();
    status_.finished = true;
  }
  return status();
}

/// Notes a problem. Only the first one is kept.
void NewestQueue::note(const char* problem, bool ends, bool failed) {
  const std::lock_guard lock(mutex_);
  ended_ |= ends;
  status_.finished |= ends;
  status_.failed |= failed;
  try {
    if (status_.problem.empty()) status_.problem = problem;
  } catch (const std::bad_alloc&) {  // without memory, the problem stays unnamed
  }
}

/// Performs an action with the sink. Returns true if it succeeded. A sink that has failed gets
/// nothing more.
bool NewestQueue::attempt(const auto& action) {
  if (ended_) return false;
  try {
    action(*sink_);
    return true;
  } catch (const NotTaken& error) {
    note(error.what(), false, false);
  } catch (const ReaderLeft& error) {
    note(error.what(), true, false);
  } catch (const std::exception& error) {
    note(error.what(), true, true);
  } catch (...) {
    note("it failed for an unknown reason", true, true);
  }
  return false;
}

void NewestQueue::work() {
  // Blocks SIGPIPE, so that a reader that has left causes an error of this thread's write, and does
  // not end the program.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);

  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return finished_ || !waiting_.empty(); });
    if (waiting_.empty() || givenUp_) break;
    const motion::FramePtr frame = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const bool taken = attempt([&](Sink& sink) { sink.accept(frame); });
    lock.lock();
    ++(taken ? status_.frames : status_.dropped);
  }
  lock.unlock();
  attempt([](Sink& sink) { sink.finish(); });
  lock.lock();
  done_ = true;
  changed_.notify_all();
}

}  // namespace glint::output
