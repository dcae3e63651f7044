#include "app/output/pictures/raw_frames.h"

#include <cstring>
#include <utility>

namespace glint::output {
namespace {

class Keeper final : public Sink {
 public:
  explicit Keeper(std::shared_ptr<PreRoll> preRoll) : preRoll_(std::move(preRoll)) {}
  bool wantsPixels() const override { return true; }
  void accept(const motion::FramePtr& frame) override { preRoll_->take(*frame); }

 private:
  std::shared_ptr<PreRoll> preRoll_;
};

}  // namespace

size_t bytesOf(const RawSet& set) {
  size_t bytes = 0;
  for (const RawShot& shot : set.shots) bytes += shot.pixels->size();
  return bytes;
}

size_t rawBytes(const motion::Frame& frame) {
  size_t bytes = 0;
  for (const motion::CameraFrame& camera : frame.cameras) {
    if (!camera.pixels) continue;
    const gpu::ImageFormat& format = camera.image().format;
    bytes += format.pixels() * format.bytesPerPixel();
  }
  return bytes;
}

RawSet copyRaw(const motion::Frame& frame, RawSet spare) {
  RawSet set{.index = frame.set, .settings = frame.settings, .shots = {}};
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const motion::CameraFrame& camera = frame.cameras[i];
    if (!camera.pixels || !camera.measured.stamp) continue;
    const gpu::ImageView image = camera.image();
    const size_t pitch = size_t{image.format.width} * image.format.bytesPerPixel();
    const size_t number = set.shots.size();
    auto pixels = number < spare.shots.size() ? std::move(spare.shots[number].pixels)
                                              : std::make_shared<std::vector<std::byte>>();
    pixels->resize(pitch * image.format.height);
    for (uint32_t y = 0; y < image.format.height; ++y)
      std::memcpy(pixels->data() + pitch * y, image.row(y), pitch);
    set.shots.push_back({.camera = i,
                         .stamp = *camera.measured.stamp,
                         .format = image.format,
                         .stills = frame.session && frame.session->stills,
                         .pixels = std::move(pixels)});
  }
  return set;
}

void copyPixels(const RawShot& shot, const gpu::ImageView& to) {
  const size_t pitch = size_t{shot.format.width} * shot.format.bytesPerPixel();
  for (uint32_t y = 0; y < shot.format.height; ++y)
    std::memcpy(to.row(y), shot.pixels->data() + pitch * y, pitch);
}

void PreRoll::take(const motion::Frame& frame) {
  if (!frame.hasPixels()) return;
  if (frame.pass != std::exchange(pass_, frame.pass)) clear();
  RawSet set = copyRaw(frame);
  bytes_ += bytesOf(set);
  sets_.push_back(std::move(set));
  const double newest = timeOf(sets_.back());
  while (sets_.size() > 1 && (bytes_ > mostBytes_ || newest - timeOf(sets_.front()) > seconds_)) {
    bytes_ -= bytesOf(sets_.front());
    sets_.pop_front();
  }
}

void PreRoll::clear() {
  sets_.clear();
  bytes_ = 0;
}

std::unique_ptr<Sink> makePreRollKeeper(std::shared_ptr<PreRoll> preRoll) {
  return std::make_unique<Keeper>(std::move(preRoll));
}

}  // namespace glint::output
