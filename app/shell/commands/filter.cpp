// `glint filter`: applies a chain of filters to a recording.
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/base/numbered_name.h"
#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "app/capture/filter/host_filters.h"
#include "app/capture/filter/images.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/pictures/image_writer.h"
#include "app/output/pictures/paced_video.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "config/error.h"
#include "gpu/device.h"
#include "gpu/filters/filter_run.h"

namespace glint::shell {
namespace {

struct FilterCommand {
  Address source;
  std::string output, plane;
  SettingOptions settings;
  std::optional<capture::From> from;
  std::optional<uint64_t> frames;
  bool colour = false;
};

bool isImageName(const std::string& name) {
  const std::string suffix = std::filesystem::path(name).extension().string();
  return suffix == ".png" || suffix == ".tif" || suffix == ".tiff" || suffix == ".pgm" ||
         suffix == ".ppm";
}

/// The output of the command. It writes frames into images, or into a video whose rate is that of
/// the first two frames.
class Output {
 public:
  Output(const std::string& name, const gpu::ImageFormat& format) : name_(name) {
    if (isImageName(name)) {
      numbered_ = base::NumberedName::in(name);
    } else {
      output::checkVideo(name, format);
      video_.emplace(name, output::VideoOptions{}, kRates);
    }
  }

  void write(const gpu::ImageView& image, const gpu::FrameStamp& stamp) {
    if (video_) return video_->write(image, stamp.time);
    if (!numbered_ && written_++ > 0)
      throw UsageError(
          "'{}' holds one frame; put a number into its name, such as frame_%04d.png, "
          "or use --frames 1",
          name_);
    output::writeImage(numbered_ ? numbered_->at(stamp.sequence.value()) : name_, image);
  }

  void finish() {
    if (video_) video_->finish();
  }

 private:
  static constexpr output::PacedVideo::Rates kRates{.usual = 30, .highest = 1e9};

  std::string name_;
  std::optional<base::NumberedName> numbered_;
  uint64_t written_ = 0;
  std::optional<output::PacedVideo> video_;
};

output::RunFiles filesOf(const FilterCommand& command, const Settings& settings) {
  output::RunFiles files(output::filesRead({command.source}, settings, command.settings.config()));
  const auto numbered =
      isImageName(command.output) ? base::NumberedName::in(command.output) : std::nullopt;
  if (numbered)
    files.write(*numbered);
  else
    files.writeInPlace(command.output);
  return files;
}

/// Returns words about the time of the last frame on the device.
std::string slowest(const std::vector<gpu::PassTime>& times) {
  double all = 0;
  for (const gpu::PassTime& time : times)
    if (time.name != "copy" && time.name != gpu::kUpload) all += time.microseconds;
  return times.empty() ? "" : fmt::format(", {:.0f} us a frame on the device", all);
}

void runFilters(const FilterCommand& command) {
  const std::atomic<bool>& stop = stopOnSignal();
  const Settings settings = command.settings.settings();
  const output::RunFiles files = filesOf(command, settings);
  if (settings.filters.empty())
    throw UsageError("give a --filter, or a --config with [[filter]] (`glint filters` lists all)");
  std::unique_ptr<capture::Source> source;
  {
    const base::Waiting waiting("the source", command.source.shown());
    source =
        capture::beginAt(capture::openSource(command.source, &interruptOnSignal()), command.from);
  }
  const gpu::Device device(capture::deviceOptions(settings.device));
  const gpu::FrameFormat format{source->format(), 1};
  gpu::FilterRun run(device, format, settings.filters,
                     capture::loadFilterImages(settings.filters, {0}, 1),
                     {command.plane, command.colour});
  Output output(command.output, run.format());
  const auto slot = std::move(gpu::makeSlots(device, format, 1)[0]);
  uint64_t frames = 0;
  std::vector<gpu::PassTime> times;
  for (const uint64_t most = command.frames.value_or(UINT64_MAX); frames < most && !stop;) {
    const capture::Reading reading = source->read(slot->room(0));
    if (reading.state == gpu::CameraState::ended) break;
    if (reading.state != gpu::CameraState::frame) continue;
    slot->set(0, reading.stamp);
    run.run(*slot, settings.filters);
    times = run.times();
    output.write(run.pixels(0), reading.stamp);
    ++frames;
  }
  if (frames == 0)
    throw Error("'{}' gave no frame{}", command.source.shown(),
                stop ? " before the signal to stop" : "");
  output.finish();
  printText(files.words(), "{} frames, {} filters on {}{}{} -> {}\n", frames,
            settings.filters.size(), device.info().name, slowest(times),
            stop ? " (stopped by a signal)" : "", command.output);
}

}  // namespace

void addFilterCommand(CLI::App& app) {
  const auto options = std::make_shared<FilterCommand>();
  CLI::App* command = app.add_subcommand(
      "filter", "Run a recording through a chain of filters and write the result");
  addValue(*command, "source", options->source, "A source, as for `glint track`", "SOURCE")
      ->required();
  addFile(*command, "-o,--output", options->output,
          "Video (.mkv is lossless) or images, such as out_%04d.png, as deep as the frames")
      ->required();
  addValue(*command, "--plane", options->plane,
           "Write the output of this filter instead of the last filter's", "ID");
  command->add_flag("--color", options->colour,
                    "Keep colour for every filter that accepts it, not only those that need it");
  addFrom(*command, options->from);
  addValue(*command, "--frames", options->frames, "Stop after this many frames", "N",
           wholeNumber(1));
  options->settings.addTo(*command, false);
  options->settings.addFilters(*command);
  command->callback([options] { runFilters(*options); });
}

}  // namespace glint::shell
