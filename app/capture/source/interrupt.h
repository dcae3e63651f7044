// Defines a request to end all waiting.
#pragma once

#include <atomic>

#include "config/error.h"

namespace glint::capture {

/// A flag that makes everything that waits for a source give up: libav, pipes and feeds. Glint's
/// own waits check it at least every 20 ms. Thread-safe; a signal handler may set it, too.
class Interrupt {
 public:
  void set() { set_ = true; }
  void clear() { set_ = false; }
  bool isSet() const { return set_ || holds_ > 0; }

  /// While an object of this class lives, isSet() is true whatever set() and clear() do.
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

/// Thrown when the opening of a source was interrupted, which is not an error of the source.
struct Interrupted : Error {
  using Error::Error;
};

}  // namespace glint::capture
