// Threads of a constructor.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace glint::gpu {

/// Threads that work for an object, and use its members, until they are asked to end. If the system
/// refuses one of several threads in a constructor, the destructor never runs, and the threads that
/// run already would be destroyed while running, which ends the program. A Workers ends and joins
/// these threads before it throws.
class Workers {
 public:
  /// `askToEnd` makes all threads return soon. It is called by end(), from any thread, and throws
  /// nothing.
  explicit Workers(std::function<void()> askToEnd) : askToEnd_(std::move(askToEnd)) {}
  ~Workers() { end(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Starts `count` threads. Thread i runs `work(i)`. Throws std::system_error if the system
  /// refuses one, once those that did start have ended.
  void start(size_t count, const std::function<void(size_t)>& work);

  /// Asks all threads to end, and waits until they have. Does nothing if none runs.
  void end();

  bool empty() const { return threads_.empty(); }

 private:
  std::function<void()> askToEnd_;
  std::vector<std::thread> threads_;
};

}  // namespace glint::gpu
