// Runs work on a thread of its own, one piece at a time.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace glint::gpu {

/// A worker thread. Only one thread may call its functions. The destructor waits for the work.
class Background {
 public:
  Background() = default;
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Returns true while work is running. After work that has failed, throws its exception once.
  bool busy();

  /// Starts work. It must not be called while busy() is true.
  void start(std::function<void()> work);

 private:
  std::thread thread_;
  std::mutex mutex_;  // guards the next two members
  bool done_ = true;
  std::exception_ptr failure_;
};

}  // namespace glint::gpu
