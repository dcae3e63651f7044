#include "gpu/workers.h"

namespace glint::gpu {

void Workers::start(size_t count, const std::function<void(size_t)>& work) {
  threads_.reserve(threads_.size() + count);
  try {
    for (size_t i = 0; i < count; ++i) threads_.emplace_back([work, i] { work(i); });
  } catch (...) {
    end();
    throw;
  }
}

void Workers::end() {
  if (threads_.empty()) return;
  askToEnd_();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace glint::gpu
