// Gives the frames of one camera of a synthetic scene as a source.
#include "app/capture/source/source_kinds.h"
#include "app/capture/synth/scene.h"

namespace glint::capture {
namespace {

class SynthSource : public Source {
 public:
  explicit SynthSource(const std::string& spec)
      : name_(spec), scene_(makeScene(parseSynth(spec))) {}

  const gpu::ImageFormat& format() const override { return scene_->format(); }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return scene_->options().frames; }

  std::optional<double> statedRate() override { return scene_->options().fps; }
  std::vector<double> frameTimes() override {
    std::vector<double> times;
    for (uint64_t i = 0; i < scene_->options().frames; ++i) times.push_back(timeOf(i));
    return times;
  }

  bool canSeek() const override { return true; }
  void seek(FrameNumber frame) override { next_ = frame.value(); }

  Reading read(const gpu::ImageView& image) override {
    if (next_ >= scene_->options().frames) return {};
    scene_->render(next_, image);
    const double time = timeOf(next_);
    return {gpu::CameraState::frame, {.sequence = FrameNumber(next_++), .time = time}};
  }

 private:
  double timeOf(uint64_t frame) const { return static_cast<double>(frame) / scene_->options().fps; }

  std::string name_;
  std::unique_ptr<Scene> scene_;
  uint64_t next_ = 0;
};

}  // namespace

extern const SourceKind kSynthKind{.sort = SourceKind::Sort::scene,
                                   .help = "synth:SCENE",
                                   .accepts = isSynth,
                                   .open = [](const Address& address, const Interrupt*,
                                              const Settings::Camera&) -> std::unique_ptr<Source> {
                                     return std::make_unique<SynthSource>(address.shown());
                                   }};

}  // namespace glint::capture
