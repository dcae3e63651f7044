#include "app/shell/desk/memory_source.h"

#include <algorithm>
#include <utility>

#include "app/output/pictures/raw_recorder.h"

namespace glint::shell {
namespace {

class MemorySource final : public capture::Source {
 public:
  MemorySource(std::string name, std::vector<output::RawShot> shots)
      : name_(std::move(name)), shots_(std::move(shots)) {}

  const gpu::ImageFormat& format() const override { return shots_.front().format; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return shots_.size(); }
  bool canSeek() const override { return true; }
  void seek(FrameNumber frame) override {
    next_ = static_cast<size_t>(std::min<uint64_t>(frame.value(), shots_.size()));
  }

  capture::Reading read(const gpu::ImageView& image) override {
    if (next_ == shots_.size()) return {};
    const output::RawShot& shot = shots_[next_];
    output::copyPixels(shot, image);
    capture::Reading reading{.state = gpu::CameraState::frame, .stamp = shot.stamp};
    reading.stamp.sequence = FrameNumber(next_++);
    reading.stamp.neutral = false;  // the grey plane of the frame was not kept
    return reading;
  }

 private:
  const std::string name_;
  const std::vector<output::RawShot> shots_;
  size_t next_ = 0;
};

double secondsOf(const std::vector<output::RawSet>& sets) {
  return sets.back().shots.front().stamp.time - sets.front().shots.front().stamp.time;
}

}  // namespace

std::vector<output::RawShot> shotsOf(const std::vector<output::RawSet>& sets, size_t camera) {
  std::vector<output::RawShot> shots;
  for (const output::RawSet& set : sets)
    for (const output::RawShot& shot : set.shots)
      if (shot.camera == camera) shots.push_back(shot);
  return shots;
}

std::unique_ptr<capture::Source> makeMemorySource(std::string name,
                                                  std::vector<output::RawShot> shots) {
  return std::make_unique<MemorySource>(std::move(name), std::move(shots));
}

std::function<std::unique_ptr<capture::Source>(const capture::Interrupt&)> memoryOpener(
    std::string name, std::vector<output::RawShot> shots) {
  return [name = std::move(name), shots = std::move(shots)](const capture::Interrupt&) {
    return makeMemorySource(name, shots);
  };
}

RawSave::RawSave(std::string path, size_t cameras, std::vector<output::RawSet> sets,
                 std::function<void()> changed)
    : BackgroundTask(std::move(changed)), seconds_(secondsOf(sets)) {
  start([this, path = std::move(path), cameras, kept = std::move(sets)]() mutable {
    const uint64_t frames = kept.size();
    output::saveRaw(path, cameras, std::move(kept));
    set([&](Progress& progress) { progress.frames = frames; });
  });
}

}  // namespace glint::shell
