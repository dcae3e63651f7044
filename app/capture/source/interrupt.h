// A request to end whatever waits.
#pragma once

#include <atomic>

#include "config/error.h"

namespace glint::capture {

/// Looked at by everything that may wait for a source: libav, pipes, feeds; by waits of our own at
/// least every 20 ms. Thread-safe; also set from a signal's watcher or handler.
class Interrupt {
 public:
  void set() { set_ = true; }
  void clear() { set_ = false; }
  bool isSet() const { return set_ || holds_ > 0; }

  /// While one lives, isSet() is true, whatever set() and clear() do meanwhile.
  class Hold {
   public:
    explicit Hold(Interrupt& interrupt) : interrupt_(interrupt) { ++interrupt_.holds_; }
    ~Hold() { --interrupt_.holds_; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Interrupt& interrupt_;
  };

 private:
  std::atomic<bool> set_ = false;
  std::atomic<int> holds_ = 0;
};

/// What opening a source throws when it was interrupted: no fault of the source.
struct Interrupted : Error {
  using Error::Error;
};

}  // namespace glint::capture
