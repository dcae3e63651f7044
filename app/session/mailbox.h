// Newest wins: how a session shows what it is doing.
#pragma once

#include <memory>
#include <mutex>

namespace glint {

/// Holds the newest of what was put in. Thread-safe; neither side waits for more than the exchange
/// of a pointer.
template <class T>
class Mailbox {
 public:
  void put(std::shared_ptr<const T> value) {
    {
      const std::lock_guard lock(mutex_);
      value.swap(newest_);
    }  // the one before is destroyed here, outside of the lock
  }

  /// Null before the first put().
  std::shared_ptr<const T> newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> newest_;
};

}  // namespace glint
