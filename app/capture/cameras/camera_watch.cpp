#include "app/capture/cameras/camera_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace glint::capture {
namespace {

// The time between two listings. It is longer for kinds on the network, where a listing itself
// takes a second.
constexpr std::chrono::milliseconds kListEvery{1000}, kAskEvery{2000};

}  // namespace

CameraWatch::CameraWatch(std::function<void()> changed, std::span<const SourceKind* const> kinds)
    : changed_(std::move(changed)) {
  for (const SourceKind* kind : kinds)
    if (kind->lister)
      kinds_.push_back({.kind = kind, .list = kind->lister(), .found = {}, .thread = {}});
}

CameraWatch::~CameraWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (Kind& kind : kinds_)
    if (kind.thread.joinable()) kind.thread.join();
}

void CameraWatch::watch(bool on) {
  {
    const std::lock_guard lock(mutex_);
    if (watched_ == on) return;
    watched_ = on;
    for (Kind& kind : kinds_)
      if (on && !kind.thread.joinable()) kind.thread = std::thread([this, &kind] { work(kind); });
  }
  wake_.notify_all();
}

void CameraWatch::inspect(const std::string& source) {
  {
    const std::lock_guard lock(mutex_);
    if (opened_.contains(source) || !wanted_.insert(source).second) return;
  }
  wake_.notify_all();
}

std::shared_ptr<const CameraWatch::Cameras> CameraWatch::cameras() const {
  const std::lock_guard lock(mutex_);
  return cameras_;
}

bool CameraWatch::wantsInspection(const Kind& kind) const {
  return std::ranges::any_of(
      kind.found, [&](const CameraInfo& camera) { return wanted_.contains(camera.source); });
}

void CameraWatch::work(Kind& kind) {
  std::unique_lock lock(mutex_);
  const auto pause = kind.kind->network ? kAskEvery : kListEvery;
  while (!ending_) {
    wake_.wait(lock, [&] { return ending_ || watched_; });
    if (ending_) return;
    lock.unlock();
    std::vector<CameraInfo> found = kind.list();
    lock.lock();
    for (const CameraInfo& camera : found)
      if (!kind.listed) known_.insert(camera.source);
    for (const CameraInfo& before : kind.found) {  // a camera that comes back may be another one
      const bool stays = std::ranges::any_of(
          found, [&](const CameraInfo& camera) { return camera.source == before.source; });
      if (stays) continue;
      opened_.erase(before.source);
      known_.erase(before.source);
    }
    kind.found = std::move(found);
    kind.listed = true;
    publish();
    do inspectWanted(kind, lock);
    while (wake_.wait_for(lock, pause,
                          [&] { return ending_ || !watched_ || wantsInspection(kind); }) &&
           !ending_ && watched_);
  }
}

void CameraWatch::inspectWanted(Kind& kind, std::unique_lock<std::mutex>& lock) {
  for (size_t i = 0; i < kind.found.size() && !ending_; ++i) {
    CameraInfo camera = kind.found[i];
    if (wanted_.erase(camera.source) == 0 || !camera.modes.empty() || !camera.holder.empty())
      continue;
    lock.unlock();
    kind.kind->inspect(camera);
    lock.lock();
    opened_.insert_or_assign(camera.source, std::move(camera));
    publish();
  }
}

/// Makes the result of cameras(), and calls changed_() if it differs from the last one. Called with
/// the lock.
void CameraWatch::publish() {
  auto now = std::make_shared<Cameras>();
  now->complete = std::ranges::all_of(kinds_, [](const Kind& kind) { return kind.listed; });
  for (const Kind& kind : kinds_) {
    for (const CameraInfo& camera : kind.found) {
      if (!known_.contains(camera.source)) now->plugged.insert(camera.source);
      const auto opened = opened_.find(camera.source);
      if (opened != opened_.end()) now->opened.insert(camera.source);
      now->all.push_back(opened == opened_.end() ? camera : opened->second);
    }
  }
  if (*now == *cameras_) return;
  cameras_ = std::move(now);
  changed_();
}

}  // namespace glint::capture
