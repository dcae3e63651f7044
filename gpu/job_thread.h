// A thread that does one job after another.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

#include "gpu/workers.h"

namespace glint::gpu {

/// A thread that does jobs of its owner, one at a time. Only one thread may use it.
class JobThread {
 public:
  /// Throws std::system_error if the system refuses the thread.
  JobThread();

  /// Starts a job. The one before must have been waited for.
  void start(std::function<void()> job);

  /// Waits until the job is done. Returns at once if none was started since the last call. Throws
  /// what the job threw.
  void wait();

 private:
  void work();

  std::mutex mutex_;  // guards the next four members
  std::condition_variable changed_;
  std::function<void()> job_;  // empty: the thread is idle
  std::exception_ptr failure_;
  bool ending_ = false;
  Workers thread_;  // destroyed first, because the thread uses the other members
};

}  // namespace glint::gpu
