#include "app/export/queue.h"

#include <algorithm>

namespace glint {

ExportQueue::ExportQueue(std::vector<std::unique_ptr<Exporter>> exporters)
    : exporters_(std::move(exporters)), thread_([this] { work(); }) {}

ExportQueue::~ExportQueue() {
  try {
    finish();
  } catch (const std::exception&) {
    // An error on the way out of another error.
  }
}

bool ExportQueue::wantsPixels() const {
  return std::any_of(exporters_.begin(), exporters_.end(),
                     [](const auto& exporter) { return exporter->wantsPixels(); });
}

bool ExportQueue::push(SessionFrame frame) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kCapacity || error_; });
  if (error_) return false;
  waiting_.push_back(std::move(frame));
  changed_.notify_all();
  return true;
}

void ExportQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

/// Keeps the first error and goes on: what other exporters can still keep, they keep.
void ExportQueue::guarded(const auto& action) {
  try {
    action();
  } catch (const std::exception&) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    changed_.notify_all();
  }
}

void ExportQueue::work() {
  for (;;) {
    SessionFrame frame;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return finished_ || !waiting_.empty(); });
      if (waiting_.empty()) break;
      frame = std::move(waiting_.front());
      waiting_.pop_front();
    }
    changed_.notify_all();
    for (auto& exporter : exporters_) guarded([&] { exporter->write(frame); });
  }
  for (auto& exporter : exporters_) guarded([&] { exporter->finish(); });
}

}  // namespace glint
