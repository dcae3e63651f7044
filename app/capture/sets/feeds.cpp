#include "app/capture/sets/feeds.h"

#include <algorithm>
#include <utility>

#include "app/capture/sets/feed_work.h"
#include "app/capture/sets/timed_sets.h"

namespace glint::capture {

Feeds::Feeds(const gpu::Device& device, SourceList sources, const Settings::Live& live,
             Interrupt& interrupt, std::vector<double> offsets) {
  std::vector<gpu::ImageFormat> formats;
  length_ = 0;
  for (const auto& source : sources) live_ = live_ || source->isLive();
  byTime_ = !live_ && spreadByTime(sources, offsets);
  if (byTime_) offsets_ = std::move(offsets);
  for (const auto& source : sources) {
    formats.push_back(source->format());
    canSeek_ = canSeek_ && source->canSeek();
    const auto frames = source->frameCount();
    length_ = frames && length_ ? std::optional(std::max(*frames, *length_)) : std::nullopt;
  }
  canSeek_ = canSeek_ && !live_;
  groups_ = groupCameras(formats);
  work_ = live_ ? makeLiveFeeds(device, groups_, std::move(sources), live, interrupt)
                : makeRecordedFeeds(device, groups_, std::move(sources), interrupt);
}

Feeds::~Feeds() = default;

Feeds::Outcome Feeds::next(FrameSet& set, std::chrono::milliseconds patience) {
  return work_->next(set, patience);
}

void Feeds::wake() {
  work_->wake();
}

void Feeds::seek(SetIndex set, Epoch epoch) {
  if (!canSeek_) throw Error("these sources cannot seek");
  work_->seek(set, epoch);
}

void Feeds::rest(bool on) {
  work_->rest(on);
}

void Feeds::adjust(const Settings& settings) {
  work_->adjust(settings);
}

std::chrono::steady_clock::time_point Feeds::zero() const {
  return work_->zero();
}

std::vector<Feeds::CameraStatus> Feeds::status() const {
  return work_->status();
}

std::string Feeds::failure() const {
  return work_->failure();
}

base::TimeHistogram Feeds::readTimes() const {
  return work_->readTimes();
}

}  // namespace glint::capture
