#include "app/session/session_sinks.h"

#include <algorithm>
#include <utility>

#include "app/base/log.h"
#include "config/error.h"

namespace glint::session {

void SessionSinks::add(command::AddSink added, motion::FramePtr shown) {
  const auto same = [&](const auto& other) { return other.id == added.id; };
  if (std::ranges::any_of(waiting_, same) || std::ranges::any_of(writing_, same) ||
      streams_.contains(added.id)) {
    throw UsageError("there is a sink {} already", added.id);
  }
  if (added.handover == output::Handover::newest) {
    streams_.emplace(added.id, std::make_unique<output::NewestQueue>(
                                   added.id, std::move(added.name), std::move(added.sinks.at(0))));
  } else if (shown) {
    const SetIndex first = shown->set;
    begin(std::move(added), first, std::move(shown));
  } else {
    waiting_.push_back(std::move(added));
  }
}

void SessionSinks::begin(command::AddSink added, SetIndex first, motion::FramePtr opening) {
  writing_.push_back({added.id, added.wantsPixels()});
  added.first = first;
  added.opening = std::move(opening);
  files_.add(std::move(added));
}

void SessionSinks::remove(uint64_t id, motion::FramePtr last, Answer answer) {
  const auto same = [&](const auto& other) { return other.id == id; };
  std::string problem;
  if (const auto stream = streams_.find(id); stream != streams_.end()) {
    ended_.push_back(stream->second->finish());
    streams_.erase(stream);
  } else if (std::erase_if(waiting_, same) != 0) {
    // Files that exist under its names are not touched.
    problem = "no frame arrived, so no file was written";
  } else {
    if (std::erase(endedByJump_, id) != 0)
      // The sink has got its last rows already.
      last = nullptr;
    else if (std::erase_if(writing_, same) == 0)
      throw UsageError("there is no sink {}", id);
    return files_.remove(id, std::move(last), std::move(answer));
  }
  if (answer) answer(problem);
}

void SessionSinks::hand(const motion::FramePtr& frame) {
  for (const auto& listener : listeners_) listener->accept(frame);
  for (const auto& [id, stream] : streams_) stream->push(frame);
  if (opening_) beginRun();
  const auto isRun = [](const command::AddSink& added) { return added.id == 0; };
  if (holdsOpening_ && std::ranges::any_of(waiting_, isRun)) opening_ = frame;
  for (command::AddSink& added : std::exchange(waiting_, {})) {
    if (opening_ && isRun(added))
      waiting_.push_back(std::move(added));
    else
      begin(std::move(added), frame->set, nullptr);
  }
  if (!writing_.empty()) files_.push(frame);
}

/// Begins the outputs of the run with the frame that was held back for them.
void SessionSinks::beginRun() {
  holdsOpening_ = false;
  const motion::FramePtr opening = std::exchange(opening_, nullptr);
  for (command::AddSink& added : std::exchange(waiting_, {})) {
    if (added.id == 0)
      begin(std::move(added), opening->set, opening);
    else
      waiting_.push_back(std::move(added));
  }
}

void SessionSinks::endPass(const motion::FramePtr& last) {
  if (opening_) beginRun();
  for (const auto& listener : listeners_) listener->accept(last);
  for (const Writing& file : std::exchange(writing_, {})) {
    files_.remove(file.id, last);
    endedByJump_.push_back(file.id);
  }
  if (endedByJump_.size() > output::LosslessQueue::kKept)
    endedByJump_.erase(endedByJump_.begin(), endedByJump_.end() - output::LosslessQueue::kKept);
}

void SessionSinks::finish() {
  // A run without a single frame leaves files without rows, as it should. A sink that was added
  // later leaves no file if no frame arrived for it.
  for (command::AddSink& added : std::exchange(waiting_, {})) {
    if (added.id == 0)
      begin(std::move(added), {}, {});
    else
      base::warn("'{}' was not written: no frame arrived", added.name);
  }
  writing_.clear();
  files_.finish();
  for (auto& [id, stream] : std::exchange(streams_, {})) ended_.push_back(stream->finish());
}

bool SessionSinks::wantPixels() const {
  const auto want = [](const auto& waiting) { return waiting.wantsPixels(); };
  return std::ranges::any_of(listeners_,
                             [](const auto& listener) { return listener->wantsPixels(); }) ||
         std::ranges::any_of(waiting_, want) ||
         std::ranges::any_of(writing_, [](const Writing& file) { return file.wantsPixels; });
}

std::vector<output::SinkStatus> SessionSinks::status() const {
  std::vector<output::SinkStatus> all = files_.status();
  for (const command::AddSink& added : waiting_)
    all.push_back({.id = added.id, .name = added.name, .problem = {}});
  for (const auto& [id, stream] : streams_) all.push_back(stream->status());
  all.insert(all.end(), ended_.begin(), ended_.end());
  return all;
}

}  // namespace glint::session
