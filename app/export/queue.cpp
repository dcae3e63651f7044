#include "app/export/queue.h"

#include <algorithm>
#include <utility>

#include "app/export/row_file.h"

namespace glint {
namespace {

/// Whether some rows of `frame` are of frames before those of the recording.
bool holdsEarlier(const SessionFrame& frame, const std::vector<uint64_t>& first) {
  for (size_t i = 0; i < std::min(frame.cameras.size(), first.size()); ++i) {
    const auto& rows = frame.cameras[i].settled;
    if (!rows.empty() && rows.front().frame < first[i]) return true;
  }
  return false;
}

/// `frame` without the rows of frames before `first`.
SessionFrame withoutEarlier(SessionFrame frame, const std::vector<uint64_t>& first) {
  for (size_t i = 0; i < std::min(frame.cameras.size(), first.size()); ++i) {
    std::erase_if(frame.cameras[i].settled,
                  [&](const TrackRow& row) { return row.frame < first[i]; });
  }
  return frame;
}

}  // namespace

ExportQueue::ExportQueue() : thread_([this] { work(); }) {}

ExportQueue::~ExportQueue() {
  finish();
}

void ExportQueue::add(Recording recording) {
  {
    const std::lock_guard lock(mutex_);
    const auto ended = [](const RecordingStatus& status) { return status.finished; };
    if (static_cast<size_t>(std::count_if(status_.begin(), status_.end(), ended)) > kKept)
      status_.erase(std::find_if(status_.begin(), status_.end(), ended));
    status_.push_back({.id = recording.id, .name = recording.name, .problem = {}});
  }
  put(std::move(recording));
}

void ExportQueue::remove(uint64_t id, std::shared_ptr<const SessionFrame> last,
                         std::function<void(const std::string& problem)> done) {
  put(Remove{id, std::move(last), std::move(done)});
}

void ExportQueue::push(std::shared_ptr<const SessionFrame> frame) {
  put(std::move(frame));
}

void ExportQueue::put(Item item) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kCapacity; });
    waiting_.push_back(std::move(item));
  }
  changed_.notify_all();
}

void ExportQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::vector<RecordingStatus> ExportQueue::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

bool ExportQueue::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

std::string ExportQueue::firstProblem() const {
  const std::lock_guard lock(mutex_);
  return firstProblem_;
}

/// An exporter that fails gets nothing more; the others, also of its recording, go on.
void ExportQueue::attempt(Recording& recording, const auto& action) {
  for (auto& exporter : recording.exporters) {
    if (!exporter) continue;
    try {
      action(*exporter);
    } catch (const ReaderLeft& error) {
      exporter.reset();
      note(recording, error, true);
    } catch (const std::exception& error) {
      exporter.reset();
      note(recording, error, false);
    }
  }
}

void ExportQueue::note(const Recording& recording, const std::exception& error, bool readerLeft) {
  const auto idle = [](const Recording& one) {
    return std::all_of(one.exporters.begin(), one.exporters.end(),
                       [](const auto& exporter) { return exporter == nullptr; });
  };
  const std::lock_guard lock(mutex_);
  stopped_ = stopped_ || !readerLeft || std::all_of(recordings_.begin(), recordings_.end(), idle);
  if (firstProblem_.empty()) firstProblem_ = error.what();
  for (RecordingStatus& status : status_)
    if (status.id == recording.id && status.problem.empty()) status.problem = error.what();
}

void ExportQueue::write(Recording& recording, const SessionFrame& frame) {
  if (frame.measured()) {
    const std::lock_guard lock(mutex_);
    for (RecordingStatus& status : status_)
      if (status.id == recording.id) ++status.frames;
  }
  if (holdsEarlier(frame, recording.first)) {
    const SessionFrame later = withoutEarlier(frame, recording.first);
    attempt(recording, [&](Exporter& exporter) { exporter.write(later); });
  } else {
    attempt(recording, [&](Exporter& exporter) { exporter.write(frame); });
  }
  noteLeftOut(recording);
}

void ExportQueue::noteLeftOut(const Recording& recording) {
  uint64_t leftOut = 0;
  for (const auto& exporter : recording.exporters)
    if (exporter) leftOut += exporter->leftOut();
  if (leftOut == 0) return;
  const std::lock_guard lock(mutex_);
  for (RecordingStatus& status : status_)
    if (status.id == recording.id) status.leftOut = leftOut;
}

std::string ExportQueue::problemOf(uint64_t id) const {
  const std::lock_guard lock(mutex_);
  const auto status =
      std::find_if(status_.begin(), status_.end(), [&](const auto& s) { return s.id == id; });
  return status == status_.end() ? "" : status->problem;
}

/// Its problem, or empty.
std::string ExportQueue::end(Recording& recording) {
  attempt(recording, [](Exporter& exporter) { exporter.finish(); });
  recording.exporters.clear();  // closes the files
  const std::lock_guard lock(mutex_);
  const auto status = std::find_if(status_.begin(), status_.end(),
                                   [&](const auto& s) { return s.id == recording.id; });
  status->finished = true;
  return status->problem;
}

void ExportQueue::handle(Item item) {
  if (const auto* frame = std::get_if<Frame>(&item)) {
    for (Recording& recording : recordings_) write(recording, **frame);
  } else if (auto* added = std::get_if<Recording>(&item)) {
    recordings_.push_back(std::move(*added));
    if (const Frame opening = std::move(recordings_.back().opening))
      write(recordings_.back(), *opening);
  } else {
    const auto& removed = std::get<Remove>(item);
    const auto found = std::find_if(recordings_.begin(), recordings_.end(),
                                    [&](const auto& r) { return r.id == removed.id; });
    std::string problem;
    if (found != recordings_.end()) {
      if (removed.last) write(*found, *removed.last);
      problem = end(*found);
      recordings_.erase(found);
    } else {
      problem = problemOf(removed.id);
    }
    if (removed.done) removed.done(problem);
  }
}

void ExportQueue::work() {
  for (;;) {
    Item item;
    {
      std::unique_lock lock(mutex_);
      const bool idle = !changed_.wait_for(lock, RowFile::kFlushInterval,
                                           [&] { return finished_ || !waiting_.empty(); });
      if (idle) {
        lock.unlock();
        for (Recording& recording : recordings_)
          attempt(recording, [](Exporter& exporter) { exporter.poll(); });
        continue;
      }
      if (waiting_.empty()) break;
      item = std::move(waiting_.front());
      waiting_.pop_front();
    }
    changed_.notify_all();
    handle(std::move(item));
  }
  for (Recording& recording : recordings_) end(recording);
  recordings_.clear();
}

}  // namespace glint
