#include "app/sinks/lossless_queue.h"

#include <algorithm>
#include <utility>

#include "app/sinks/row_file.h"

namespace glint {
namespace {

/// `frame` without the rows of sets before `first`.
FramePtr withoutEarlier(const FramePtr& frame, SetIndex first) {
  const auto earlier = [&](const CameraFrame& camera) {
    return !camera.finalised.empty() && camera.finalised.front().set < first;
  };
  if (std::none_of(frame->cameras.begin(), frame->cameras.end(), earlier)) return frame;
  auto later = std::make_shared<Frame>(*frame);
  for (CameraFrame& camera : later->cameras)
    std::erase_if(camera.finalised, [&](const TrackRow& row) { return row.set < first; });
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
    if (static_cast<size_t>(std::count_if(status_.begin(), status_.end(), ended)) > kKept)
      status_.erase(std::find_if(status_.begin(), status_.end(), ended));
    status_.push_back({.id = group.id, .name = group.name});
  }
  put(std::move(group));
}

void LosslessQueue::remove(uint64_t id, FramePtr last,
                           std::function<void(const std::string& problem)> done) {
  put(Remove{id, std::move(last), std::move(done)});
}

void LosslessQueue::push(FramePtr frame) {
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

/// Of a group that was not forgotten.
void LosslessQueue::change(uint64_t id, const auto& action) {
  const std::lock_guard lock(mutex_);
  for (SinkStatus& status : status_)
    if (status.id == id) action(status);
}

/// A sink that fails gets nothing more; the others, also of its group, go on.
void LosslessQueue::attempt(SinkGroup& group, const auto& action) {
  for (auto& sink : group.sinks) {
    if (!sink) continue;
    try {
      action(*sink);
    } catch (const ReaderLeft& error) {
      sink.reset();
      note(group, error, true);
    } catch (const std::exception& error) {
      sink.reset();
      note(group, error, false);
    }
  }
}

void LosslessQueue::note(const SinkGroup& group, const std::exception& error, bool readerLeft) {
  const auto idle = [](const SinkGroup& one) {
    return std::all_of(one.sinks.begin(), one.sinks.end(),
                       [](const auto& sink) { return sink == nullptr; });
  };
  change(group.id, [&](SinkStatus& status) {
    status.failed = status.failed || !readerLeft;
    if (status.problem.empty()) status.problem = error.what();
  });
  const std::lock_guard lock(mutex_);
  stopped_ = stopped_ || !readerLeft || std::all_of(groups_.begin(), groups_.end(), idle);
  if (firstProblem_.empty()) firstProblem_ = error.what();
}

void LosslessQueue::write(SinkGroup& group, const FramePtr& frame) {
  if (frame->measured()) change(group.id, [](SinkStatus& status) { ++status.frames; });
  const FramePtr own = withoutEarlier(frame, group.first);
  attempt(group, [&](Sink& sink) { sink.accept(own); });
  uint64_t leftOut = 0;
  for (const auto& sink : group.sinks)
    if (sink) leftOut += sink->leftOut();
  if (leftOut > 0) change(group.id, [&](SinkStatus& status) { status.leftOut = leftOut; });
}

/// Its problem, or empty.
std::string LosslessQueue::end(SinkGroup& group) {
  attempt(group, [](Sink& sink) { sink.finish(); });
  group.sinks.clear();  // closes the files
  std::string problem;
  change(group.id, [&](SinkStatus& status) {
    status.finished = true;
    problem = status.problem;
  });
  return problem;
}

void LosslessQueue::handle(Item item) {
  if (const auto* frame = std::get_if<FramePtr>(&item)) {
    for (SinkGroup& group : groups_) write(group, *frame);
  } else if (auto* added = std::get_if<SinkGroup>(&item)) {
    groups_.push_back(std::move(*added));
    if (const FramePtr opening = std::move(groups_.back().opening)) write(groups_.back(), opening);
  } else {
    const auto& removed = std::get<Remove>(item);
    const auto found = std::find_if(groups_.begin(), groups_.end(),
                                    [&](const auto& group) { return group.id == removed.id; });
    std::string problem;
    if (found != groups_.end()) {
      if (removed.last) write(*found, removed.last);
      problem = end(*found);
      groups_.erase(found);
    } else {
      change(removed.id, [&](SinkStatus& status) { problem = status.problem; });
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

}  // namespace glint
