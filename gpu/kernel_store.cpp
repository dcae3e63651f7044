#include "gpu/kernel_store.h"

#include "config/error.h"

namespace glint::gpu {

const Kernel& KernelStore::get(const KernelPlan& plan) const {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    entry = &entries_[plan];
  }
  std::call_once(entry->once, [&] { entry->kernel.emplace(plan.make(device_)); });
  return *entry->kernel;
}

void KernelStore::makeAhead(std::vector<KernelPlan> plans, unsigned threads) {
  planned_ = std::move(plans);
  for (unsigned i = 0; i < threads; ++i)
    makers_.emplace_back([this](const std::stop_token& stop) { makePlanned(stop); });
}

/// Makes plans that no other thread has begun, until none is left.
void KernelStore::makePlanned(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const size_t i = begun_++;
    if (i >= planned_.size()) return;
    try {
      get(planned_[i]);
    } catch (const std::exception&) {
      // get() throws the error again when the kernel is needed.
    }
  }
}

}  // namespace glint::gpu
