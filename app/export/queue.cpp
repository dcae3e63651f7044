#include "app/export/queue.h"

#include <algorithm>

#include "app/export/row_file.h"

namespace glint {

ExportQueue::ExportQueue(std::vector<std::unique_ptr<Exporter>> exporters)
    : exporters_(std::move(exporters)),
      wantsPixels_(std::any_of(exporters_.begin(), exporters_.end(),
                               [](const auto& exporter) { return exporter->wantsPixels(); })),
      thread_([this] { work(); }) {}

ExportQueue::~ExportQueue() {
  try {
    finish();
  } catch (const std::exception&) {
    // An error on the way out of another error.
  }
}

bool ExportQueue::push(SessionFrame frame) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kCapacity; });
  waiting_.push_back(std::move(frame));
  changed_.notify_all();
  return !stopped_;
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

/// To be called while an exporter's exception is handled: it gets nothing more, the first error is
/// kept, and the others go on.
void ExportQueue::drop(std::unique_ptr<Exporter>& exporter, bool failed) {
  exporter.reset();
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::current_exception();
  stopped_ = stopped_ || failed ||
             std::none_of(exporters_.begin(), exporters_.end(),
                          [](const auto& left) { return left != nullptr; });
}

void ExportQueue::forEach(const auto& action) {
  for (auto& exporter : exporters_) {
    if (!exporter) continue;
    try {
      action(*exporter);
    } catch (const ReaderLeft&) {
      drop(exporter, false);
    } catch (const std::exception&) {
      drop(exporter, true);
    }
  }
}

void ExportQueue::work() {
  for (;;) {
    SessionFrame frame;
    {
      std::unique_lock lock(mutex_);
      const bool idle = !changed_.wait_for(lock, RowFile::kFlushInterval,
                                           [&] { return finished_ || !waiting_.empty(); });
      if (idle) {
        lock.unlock();
        forEach([](Exporter& exporter) { exporter.poll(); });
        continue;
      }
      if (waiting_.empty()) break;
      frame = std::move(waiting_.front());
      waiting_.pop_front();
    }
    changed_.notify_all();
    forEach([&](Exporter& exporter) { exporter.write(frame); });
  }
  forEach([](Exporter& exporter) { exporter.finish(); });
}

}  // namespace glint
