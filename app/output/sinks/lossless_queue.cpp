#include "app/output/sinks/lossless_queue.h"

#include <algorithm>
#include <utility>

#include "app/motion/space/space_row.h"
#include "app/output/sinks/row_file.h"

namespace glint::output {
namespace {

/// Returns `frame` without rows of sets before `first`; the frame itself if it has none.
motion::FramePtr withoutEarlier(const motion::FramePtr& frame, SetIndex first) {
  const auto holdsEarlier = [&](const motion::CameraFrame& camera) {
    return !camera.finalised.empty() && camera.finalised.front().set < first;
  };
  const auto* space = frame->results.get<motion::SpaceFrame>();
  const auto isEarlier = [&](const auto& row) { return row.frame < first.value(); };
  const bool earlierInSpace = space && (std::ranges::any_of(space->finalised, isEarlier) ||
                                        std::ranges::any_of(space->finalPoses, isEarlier));
  if (!earlierInSpace && std::ranges::none_of(frame->cameras, holdsEarlier)) return frame;
  auto later = std::make_shared<motion::Frame>(*frame);
  for (motion::CameraFrame& camera : later->cameras)
    std::erase_if(camera.finalised, [&](const motion::TrackRow& row) { return row.set < first; });
  if (earlierInSpace) {
    motion::SpaceFrame rows = *space;
    std::erase_if(rows.finalised, isEarlier);
    std::erase_if(rows.finalPoses, isEarlier);
    later->results.put(std::move(rows));
  }
  return later;
}

}  // namespace

LosslessQueue::LosslessQueue() : thread_([this] { work(); }) {}

LosslessQueue::~LosslessQueue() {
  finish();
}

void LosslessQueue::add(SinkGroup group) {
  {
    const std::lock_guard lock(mutex_);
    const auto ended = [](const SinkStatus& status) { return status.finished; };
    if (static_cast<size_t>(std::ranges::count_if(status_, ended)) > kKept)
      status_.erase(std::ranges::find_if(status_, ended));
    status_.push_back({.id = group.id, .name = group.name, .problem = {}});
  }
  put(std::move(group));
}

void LosslessQueue::remove(uint64_t id, motion::FramePtr last,
                           std::function<void(const std::string& problem)> done) {
  put(Remove{id, std::move(last), std::move(done)});
}

void LosslessQueue::push(motion::FramePtr frame) {
  put(std::move(frame));
}

void LosslessQueue::put(Item item) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kCapacity; });
    waiting_.push_back(std::move(item));
  }
  changed_.notify_all();
}

void LosslessQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::vector<SinkStatus> LosslessQueue::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

bool LosslessQueue::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

std::string LosslessQueue::firstProblem() const {
  const std::lock_guard lock(mutex_);
  return firstProblem_;
}

/// Returns the status of a group; null if there is none. Call it with the lock.
SinkStatus* LosslessQueue::find(uint64_t id) {
  const auto found = std::ranges::find_if(status_, [&](const auto& one) { return one.id == id; });
  return found == status_.end() ? nullptr : &*found;
}

/// Performs an action with each sink of a group. A sink that fails gets nothing more; the others
/// continue, also those of its group.
void LosslessQueue::attempt(SinkGroup& group, const auto& action) {
  for (auto& sink : group.sinks) {
    if (!sink) continue;
    try {
      action(*sink);
    } catch (const NotTaken& error) {
      note(group, error.what(), true);
    } catch (const ReaderLeft& error) {
      sink.reset();
      note(group, error.what(), true);
    } catch (const std::exception& error) {
      sink.reset();
      note(group, error.what(), false);
    } catch (...) {
      sink.reset();
      note(group, "it failed for an unknown reason", false);
    }
  }
}

void LosslessQueue::note(const SinkGroup& group, const std::string& problem, bool readerLeft) {
  const auto idle = [](const SinkGroup& one) {
    return std::ranges::all_of(one.sinks, [](const auto& sink) { return sink == nullptr; });
  };
  const std::lock_guard lock(mutex_);
  stopped_ = stopped_ || !readerLeft || std::ranges::all_of(groups_, idle);
  if (firstProblem_.empty()) firstProblem_ = problem;
  SinkStatus* status = find(group.id);
  if (!status) return;
  status->failed |= !readerLeft;
  if (status->problem.empty()) status->problem = problem;
}

void LosslessQueue::write(SinkGroup& group, const motion::FramePtr& frame) {
  motion::FramePtr part;
  attempt(group, [&](Sink& sink) {
    if (!part) part = withoutEarlier(frame, group.first);
    sink.accept(part);
  });
  uint64_t leftOut = 0;
  for (const auto& sink : group.sinks)
    if (sink) leftOut += sink->leftOut();
  const std::lock_guard lock(mutex_);
  SinkStatus* status = find(group.id);
  if (!status) return;
  if (frame->measured()) ++status->frames;
  if (leftOut > 0) status->dropped = leftOut;
}

void LosslessQueue::end(SinkGroup& group) {
  attempt(group, [](Sink& sink) { sink.finish(); });
  group.sinks.clear();  // closes the files
  const std::lock_guard lock(mutex_);
  if (SinkStatus* status = find(group.id)) status->finished = true;
}

void LosslessQueue::handle(Item item) {
  if (const auto* frame = std::get_if<motion::FramePtr>(&item)) {
    for (SinkGroup& group : groups_) write(group, *frame);
  } else if (auto* added = std::get_if<SinkGroup>(&item)) {
    groups_.push_back(std::move(*added));
    if (const motion::FramePtr opening = std::move(groups_.back().opening))
      write(groups_.back(), opening);
  } else {
    const auto& removed = std::get<Remove>(item);
    const auto found =
        std::ranges::find_if(groups_, [&](const auto& group) { return group.id == removed.id; });
    if (found != groups_.end()) {
      if (removed.last) write(*found, removed.last);
      end(*found);
      groups_.erase(found);
    }
    std::string problem;
    {
      const std::lock_guard lock(mutex_);
      if (const SinkStatus* status = find(removed.id)) problem = status->problem;
    }
    if (removed.done) removed.done(problem);
  }
}

void LosslessQueue::work() {
  for (;;) {
    Item item;
    {
      std::unique_lock lock(mutex_);
      const bool idle = !changed_.wait_for(lock, RowFile::kFlushInterval,
                                           [&] { return finished_ || !waiting_.empty(); });
      if (idle) {
        lock.unlock();
        for (SinkGroup& group : groups_) attempt(group, [](Sink& sink) { sink.poll(); });
        continue;
      }
      if (waiting_.empty()) break;
      item = std::move(waiting_.front());
      waiting_.pop_front();
    }
    changed_.notify_all();
    handle(std::move(item));
  }
  for (SinkGroup& group : groups_) end(group);
  groups_.clear();
}

}  // namespace glint::output
