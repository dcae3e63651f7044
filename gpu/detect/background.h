// Work on a thread of its own, one piece at a time.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace glint::gpu {

/// Driven by one thread. Its destructor waits for the work.
class Background {
 public:
  Background() = default;
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// True while work goes on. Once it has ended, throws what it threw, one time.
  bool busy();

  /// Call while not busy().
  void start(std::function<void()> work);

 private:
  std::thread thread_;
  std::mutex mutex_;  // of the next two
  bool done_ = true;
  std::exception_ptr failure_;
};

}  // namespace glint::gpu
