// Exporters on a thread of their own, behind a queue that loses nothing.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "app/export/exporter.h"

namespace glint {

/// Exporters that begin and end together: the files of one output.
struct Recording {
  uint64_t id = 0;
  std::string name;  ///< as shown
  std::vector<std::unique_ptr<Exporter>> exporters;
  /// For each camera the number of the first frame that is its: rows of earlier ones are left out.
  /// Empty: none are.
  std::vector<uint64_t> first = {};
  /// A frame that was tracked before, with which it begins; or null.
  std::shared_ptr<const SessionFrame> opening = nullptr;
};

/// What has become of a recording.
struct RecordingStatus {
  uint64_t id = 0;
  std::string name;
  uint64_t frames = 0;    ///< written
  uint64_t leftOut = 0;   ///< of them, for want of time: see Exporter::leftOut()
  bool finished = false;  ///< whole; or failed
  std::string problem;    ///< why it failed, or empty
};

/// push() hands a frame to every recording, in order; it waits while kCapacity frames are queued.
/// Between frames that are slow to come, exporters are polled. All calls but status() are one
/// thread's.
class ExportQueue {
 public:
  static constexpr size_t kCapacity = 256;
  static constexpr size_t kKept = 32;

  ExportQueue();
  ~ExportQueue();  // finishes if finish() was not called; errors are lost
  ExportQueue(const ExportQueue&) = delete;
  ExportQueue& operator=(const ExportQueue&) = delete;

  /// It gets what is pushed from now on.
  void add(Recording recording);
  /// It gets `last`, the rows that were still open, and is finished; then `done` is called on the
  /// queue's thread with its problem, or an empty text. One that was removed before is not touched.
  void remove(uint64_t id, std::shared_ptr<const SessionFrame> last,
              std::function<void(const std::string& problem)> done = {});
  void push(std::shared_ptr<const SessionFrame> frame);

  /// Waits until all is written, and finishes what has not been.
  void finish();

  /// All recordings that there are, and the last kKept of those that have ended, by id.
  std::vector<RecordingStatus> status() const;
  /// The problem of the first one that failed, or empty.
  std::string firstProblem() const;
  /// Whether one has failed through no fault of a reader that left, or all readers have left.
  bool stopped() const;

 private:
  struct Remove {
    uint64_t id;
    std::shared_ptr<const SessionFrame> last;
    std::function<void(const std::string& problem)> done;
  };
  using Frame = std::shared_ptr<const SessionFrame>;
  using Item = std::variant<Frame, Recording, Remove>;

  void put(Item item);
  void work();
  void handle(Item item);
  void attempt(Recording& recording, const auto& action);
  void note(const Recording& recording, const std::exception& error, bool readerLeft);
  void write(Recording& recording, const SessionFrame& frame);
  std::string end(Recording& recording);
  void noteLeftOut(const Recording& recording);
  std::string problemOf(uint64_t id) const;

  std::vector<Recording> recordings_;  // the thread's
  std::deque<Item> waiting_;
  bool finished_ = false;
  std::vector<RecordingStatus> status_;
  std::string firstProblem_;
  bool stopped_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace glint
