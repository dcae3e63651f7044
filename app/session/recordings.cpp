#include "app/session/recordings.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "config/error.h"

namespace glint {
namespace {

bool wantPixels(const std::vector<std::unique_ptr<Exporter>>& exporters) {
  return std::any_of(exporters.begin(), exporters.end(),
                     [](const auto& exporter) { return exporter->wantsPixels(); });
}

}  // namespace

void Recordings::add(command::AddExporters added, std::shared_ptr<const SessionFrame> shown) {
  const auto same = [&](const auto& other) { return other.id == added.id; };
  if (std::any_of(waiting_.begin(), waiting_.end(), same) ||
      std::any_of(begun_.begin(), begun_.end(), same)) {
    throw UsageError(fmt::format("there is a recording {} already", added.id));
  }
  if (shown) {
    const SessionFrame& first = *shown;
    begin(std::move(added), first, std::move(shown));
  } else {
    waiting_.push_back(std::move(added));
  }
}

void Recordings::begin(command::AddExporters added, const SessionFrame& first,
                       std::shared_ptr<const SessionFrame> opening) {
  begun_.push_back({added.id, wantPixels(added.exporters)});
  Recording recording{.id = added.id,
                      .name = std::move(added.name),
                      .exporters = std::move(added.exporters),
                      .first = next_,
                      .opening = std::move(opening)};
  for (size_t i = 0; i < first.cameras.size(); ++i) {
    if (first.cameras[i].measured.stamp)
      recording.first[i] = first.cameras[i].measured.stamp->sequence;
  }
  queue_.add(std::move(recording));
}

void Recordings::remove(uint64_t id, std::shared_ptr<const SessionFrame> last, Answer answer) {
  const auto same = [&](const auto& other) { return other.id == id; };
  if (const auto found = std::find_if(waiting_.begin(), waiting_.end(), same);
      found != waiting_.end()) {  // not one frame: its files are not touched
    waiting_.erase(found);
    if (answer) answer("no frame came, so there is no file");
    return;
  }
  if (std::erase(endedByJump_, id) != 0) {
    last = nullptr;  // it has its last rows
  } else if (std::erase_if(begun_, same) == 0) {
    throw UsageError(fmt::format("there is no recording {}", id));
  }
  queue_.remove(id, std::move(last), std::move(answer));
}

void Recordings::hand(const std::shared_ptr<const SessionFrame>& frame) {
  for (command::AddExporters& added : std::exchange(waiting_, {}))
    begin(std::move(added), *frame, nullptr);
  for (size_t i = 0; i < frame->cameras.size(); ++i) {
    if (frame->cameras[i].measured.stamp) next_[i] = frame->cameras[i].measured.stamp->sequence + 1;
  }
  if (!begun_.empty()) queue_.push(frame);
}

void Recordings::endPass(const std::shared_ptr<const SessionFrame>& last) {
  for (const Begun& begun : std::exchange(begun_, {})) {
    queue_.remove(begun.id, last);
    endedByJump_.push_back(begun.id);
  }
  if (endedByJump_.size() > ExportQueue::kKept)
    endedByJump_.erase(endedByJump_.begin(), endedByJump_.end() - ExportQueue::kKept);
  next_.assign(next_.size(), 0);
}

void Recordings::finish() {
  // A run without a single frame leaves files without rows, as a run over nothing should.
  for (command::AddExporters& added : std::exchange(waiting_, {})) begin(std::move(added), {}, {});
  begun_.clear();
  queue_.finish();
}

bool Recordings::wantsPixels() const {
  const auto want = [](const auto& waiting) { return wantPixels(waiting.exporters); };
  return std::any_of(waiting_.begin(), waiting_.end(), want) ||
         std::any_of(begun_.begin(), begun_.end(), [](const Begun& b) { return b.wantsPixels; });
}

std::vector<RecordingStatus> Recordings::status() const {
  std::vector<RecordingStatus> all = queue_.status();
  for (const command::AddExporters& added : waiting_)
    all.push_back({.id = added.id, .name = added.name, .problem = {}});
  return all;
}

}  // namespace glint
