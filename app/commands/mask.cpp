#include "app/mask/mask.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "app/capture/source.h"
#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/commands/stop_signal.h"
#include "app/mask/learn_mask.h"
#include "app/base/paths.h"
#include "config/error.h"

namespace glint {
namespace {

struct MaskOptions {
  std::vector<std::string> sources;
  SettingOptions settings;
  std::string output;
  std::optional<uint64_t> frames;
  double share = 0.5;
  std::optional<int> grow;
};

/// Reads a source to its end, so many frames, or a signal.
MaskLearner learn(Source& source, const MaskOptions& options, const Settings& settings) {
  const ImageFormat& format = source.format();
  MaskLearner learner(settings, format);
  std::vector<std::byte> pixels(format.pixels() * format.bytesPerPixel());
  const ImageView image{format, pixels.data(), size_t{format.width} * format.bytesPerPixel()};
  const std::atomic<bool>& stop = stopOnSignal();
  while (!stop && learner.frames() < options.frames.value_or(UINT64_MAX) &&
         source.read(image).state == CameraState::frame)
    learner.add(image);
  if (learner.frames() == 0) throw Error(fmt::format("'{}' gave no frame", source.name()));
  return learner;
}

void learnMasks(const MaskOptions& options) {
  const Settings settings = options.settings.settings();
  const int cameras = static_cast<int>(options.sources.size());
  const auto path = [&](int camera) {
    return cameraPath(options.output, camera, cameras).string();
  };
  if (std::filesystem::path(options.output).extension() != ".png")
    throw UsageError(fmt::format("'{}' is no name for a mask; use .png", options.output));
  for (const std::string& source : options.sources) {
    for (int camera = 0; camera < cameras; ++camera) {
      if (!sameFile(source, path(camera))) continue;
      throw UsageError(fmt::format("'{}' is read by this run; name another output", source));
    }
  }
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& name : options.sources) sources.push_back(openSource(name));
  const int grow = options.grow.value_or(
      static_cast<int>(std::ceil(std::min(settings.detect.separation, 64.0) / 2)));
  for (int camera = 0; camera < cameras; ++camera) {
    const MaskLearner learner = learn(*sources[static_cast<size_t>(camera)], options, settings);
    const LayerMask mask = learner.mask(options.share, grow);
    saveMask(mask, path(camera));
    const size_t masked = mask.pixels.size() - mask.measured();
    fmt::print("camera {}: {} of {} pixels masked ({:.2f} %), from {} frames -> {}\n", camera,
               masked, mask.pixels.size(),
               100 * static_cast<double>(masked) / static_cast<double>(mask.pixels.size()),
               learner.frames(), path(camera));
  }
}

}  // namespace

void addMaskCommand(CLI::App& app) {
  const auto options = std::make_shared<MaskOptions>();
  CLI::App* command = app.add_subcommand(
      "mask",
      "Learn from frames without markers what to ignore, for detect.mask; from their luminance (of "
      "dark markers its inverse), also where response.kind is \"blur\" or \"dog\"");
  command
      ->add_option("sources", options->sources,
                   "As of `glint track`; each camera gets a mask of its own")
      ->required()
      ->type_name("SOURCE");
  command
      ->add_option("-o,--output", options->output,
                   "Mask, 0 = ignore (.png); of several cameras each gets _camN")
      ->required()
      ->type_name("FILE");
  command->add_option("--frames", options->frames, "Look at no more than this many frames")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command
      ->add_option("--share", options->share,
                   "Ignore what is too bright in at least this share of the frames; 0: in any")
      ->capture_default_str()
      ->check(kFinite)
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("SHARE");
  command
      ->add_option("--grow", options->grow,
                   "Ignore also what is as near to it, px; half of detect.separation if not given")
      ->check(CLI::Range(0, 1000))
      ->type_name("N");
  options->settings.addTo(*command);
  command->callback([options] { learnMasks(*options); });
}

}  // namespace glint
