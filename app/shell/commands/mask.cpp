#include "app/capture/mask/mask.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "config/error.h"
#include "config/setting_key.h"

namespace glint::shell {
namespace {

struct MaskOptions {
  std::vector<Address> sources;
  SettingOptions settings;
  std::string output;
  std::optional<capture::From> from;
  std::optional<uint64_t> frames;
  double share = 0.5;
  std::optional<int> grow;
};

output::RunFiles filesOf(const MaskOptions& options, const Settings& settings,
                         const std::vector<std::string>& masks) {
  if (std::filesystem::path(options.output).extension() != ".png")
    throw UsageError("the mask '{}' needs a name that ends in .png", options.output);
  output::RunFiles files(output::filesRead(options.sources, settings, options.settings.config()));
  files.write(masks);
  return files;
}

/// A camera, its frames, and the mask that is learned from them.
class Camera {
 public:
  Camera(const Address& address, const Settings& settings, const std::optional<capture::From>& from)
      : source_(openNamed(address, from)),
        learner_(settings, source_->format()),
        buffer_(source_->format()) {}

  /// Learns from one more frame. Returns false at the source's end.
  bool learn() {
    const base::Waiting waiting("the source", source_->name());
    const gpu::ImageView image = buffer_.view();
    const gpu::CameraState state = source_->read(image).state;
    if (state == gpu::CameraState::frame) learner_.add(image);
    return state != gpu::CameraState::ended;
  }

  const std::string& name() const { return source_->name(); }
  const capture::MaskLearner& learner() const { return learner_; }

 private:
  static std::unique_ptr<capture::Source> openNamed(const Address& address,
                                                    const std::optional<capture::From>& from) {
    const base::Waiting waiting("the source", address.shown());
    return capture::beginAt(capture::openSource(address, &interruptOnSignal()), from);
  }

  std::unique_ptr<capture::Source> source_;
  capture::MaskLearner learner_;
  capture::FrameBuffer buffer_;
};

/// Reads the sources side by side until their ends, the wanted number of frames, or a signal. At a
/// signal, all of them have read equally many frames.
void learn(std::vector<Camera>& cameras, const MaskOptions& options,
           const std::atomic<bool>& stop) {
  std::vector<Camera*> open;
  for (Camera& camera : cameras) open.push_back(&camera);
  const uint64_t most = options.frames.value_or(UINT64_MAX);
  for (uint64_t n = 0; n < most && !open.empty() && !stop; ++n)
    std::erase_if(open, [](Camera* camera) { return !camera->learn(); });
  for (const Camera& camera : cameras) {
    if (camera.learner().frames() > 0) continue;
    throw Error("'{}' gave no frame{}", camera.name(), stop ? " before the signal to stop" : "");
  }
}

void learnMasks(const MaskOptions& options) {
  const std::atomic<bool>& stop = stopOnSignal();
  const Settings settings = options.settings.settings();
  const int count = static_cast<int>(options.sources.size());
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i)
    paths.push_back(base::cameraPath(options.output, i, count).string());
  const output::RunFiles files = filesOf(options, settings, paths);
  std::vector<Camera> cameras;
  for (const Address& address : options.sources)
    cameras.emplace_back(address, settings, options.from);
  learn(cameras, options, stop);
  const int grow = options.grow.value_or(capture::MaskLearner::usualGrow(settings));
  for (size_t i = 0; i < cameras.size(); ++i) {
    const gpu::LayerMask mask = cameras[i].learner().mask(options.share, grow);
    capture::saveMask(mask, paths[i]);
    const size_t masked = mask.pixels.size() - mask.measured();
    printText(files.words(),
              "camera {}: {} of {} pixels masked ({:.2f} %), from {} frames{} -> {}\n", i, masked,
              mask.pixels.size(),
              100 * static_cast<double>(masked) / static_cast<double>(mask.pixels.size()),
              cameras[i].learner().frames(), stop ? " (stopped by a signal)" : "", paths[i]);
  }
}

}  // namespace

void addMaskCommand(CLI::App& app) {
  const auto options = std::make_shared<MaskOptions>();
  CLI::App* command = app.add_subcommand(
      "mask",
      fmt::format(
          "Learn a mask from frames without markers\n{} names the mask, whose pixels are then "
          "ignored. The mask is learned from the luminance (for dark markers, from its inverse), "
          "also "
          "where {} is \"blur\" or \"dog\".",
          "detect.mask"_key, "response.kind"_key));
  addSources(*command, options->sources,
             "Sources, as for `glint track`; each camera gets its own mask")
      ->required();
  addValue(*command, "-o,--output", options->output,
           "Mask to write (.png), 0 = ignore; several cameras write FILE_camN", "FILE")
      ->required();
  addFrom(*command, options->from);
  addValue(*command, "--frames", options->frames, "Maximum number of frames to use", "N",
           wholeNumber(1));
  addValue(*command, "--share", options->share,
           "Ignore pixels that are too bright in this share of the frames; 0: in any frame",
           "SHARE", numberIn(0, 1))
      ->capture_default_str();
  addValue(
      *command, "--grow", options->grow,
      fmt::format("Also ignore pixels this near to them, px [half of {}]", "detect.separation"_key),
      "N", CLI::Range(0, 1000));
  options->settings.addTo(*command);
  command->callback([options] { learnMasks(*options); });
}

}  // namespace glint::shell
