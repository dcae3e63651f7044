#include "app/desk/memory_source.h"

#include <algorithm>
#include <utility>

namespace glint {
namespace {

class MemorySource final : public Source {
 public:
  MemorySource(std::string name, std::vector<RawShot> shots)
      : name_(std::move(name)), shots_(std::move(shots)) {}

  const ImageFormat& format() const override { return shots_.front().format; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return shots_.size(); }
  bool canSeek() const override { return true; }
  void seek(FrameNumber frame) override {
    next_ = static_cast<size_t>(std::min<uint64_t>(frame.value(), shots_.size()));
  }

  Reading read(const ImageView& image) override {
    if (next_ == shots_.size()) return {};
    const RawShot& shot = shots_[next_];
    copyPixels(shot, image);
    Reading reading{.state = CameraState::frame, .stamp = shot.stamp};
    reading.stamp.sequence = FrameNumber(next_++);
    reading.stamp.neutral = false;  // its grey was not kept
    return reading;
  }

 private:
  const std::string name_;
  const std::vector<RawShot> shots_;
  size_t next_ = 0;
};

}  // namespace

std::vector<RawShot> shotsOf(const std::vector<RawSet>& sets, size_t camera) {
  std::vector<RawShot> shots;
  for (const RawSet& set : sets)
    for (const RawShot& shot : set.shots)
      if (shot.camera == camera) shots.push_back(shot);
  return shots;
}

std::unique_ptr<Source> makeMemorySource(std::string name, std::vector<RawShot> shots) {
  return std::make_unique<MemorySource>(std::move(name), std::move(shots));
}

std::function<std::unique_ptr<Source>(const Interrupt&)> memoryOpener(std::string name,
                                                                      std::vector<RawShot> shots) {
  return [name = std::move(name), shots = std::move(shots)](const Interrupt&) {
    return makeMemorySource(name, shots);
  };
}

}  // namespace glint
