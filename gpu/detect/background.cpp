#include "gpu/detect/background.h"

#include <utility>

namespace glint::gpu {

Background::~Background() {
  if (thread_.joinable()) thread_.join();
}

bool Background::busy() {
  if (!thread_.joinable()) return false;
  {
    const std::lock_guard lock(mutex_);
    if (!done_) return true;
  }
  thread_.join();
  if (const auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
  return false;
}

void Background::start(std::function<void()> work) {
  done_ = false;
  thread_ = std::thread([this, work = std::move(work)] {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    done_ = true;
  });
}

}  // namespace glint::gpu
