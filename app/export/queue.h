// Exporters on a thread of their own, behind a queue that loses nothing.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/export/exporter.h"

namespace glint {

/// push() hands a frame to every exporter, in order; it waits while kCapacity frames are queued.
/// Between frames that are slow to come, exporters are polled.
class ExportQueue {
 public:
  static constexpr size_t kCapacity = 256;

  explicit ExportQueue(std::vector<std::unique_ptr<Exporter>> exporters);
  ~ExportQueue();  // finishes if finish() was not called; errors are lost

  bool wantsPixels() const { return wantsPixels_; }

  /// False once an exporter has failed, which finish() will tell, or the readers of all have left;
  /// the others still get the frame.
  bool push(SessionFrame frame);

  /// Waits until all is written, finishes every exporter, and throws the first Error there was.
  void finish();

 private:
  void work();
  void forEach(const auto& action);
  void drop(std::unique_ptr<Exporter>& exporter, bool failed);

  std::vector<std::unique_ptr<Exporter>> exporters_;
  const bool wantsPixels_;
  std::deque<SessionFrame> waiting_;
  bool finished_ = false, stopped_ = false;
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace glint
