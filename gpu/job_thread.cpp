#include "gpu/job_thread.h"

#include <utility>

namespace glint::gpu {

JobThread::JobThread()
    : thread_([this] {
        {
          const std::lock_guard lock(mutex_);
          ending_ = true;
        }
        changed_.notify_all();
      }) {
  thread_.start(1, [this](size_t) { work(); });
}

void JobThread::start(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = std::move(job);
  }
  changed_.notify_all();
}

void JobThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !job_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void JobThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return job_ || ending_; });
    if (!job_) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job_();  // nobody changes it while it is set
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    job_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace glint::gpu
