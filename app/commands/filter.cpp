// `glint filter`: what a chain of filters makes of a recording.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "app/capture/source_kinds.h"
#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/commands/stop_signal.h"
#include "app/commands/tell.h"
#include "app/filter/images.h"
#include "app/sinks/image_writer.h"
#include "app/sinks/video_writer.h"
#include "config/error.h"
#include "gpu/device.h"
#include "gpu/filters/filter_run.h"

namespace glint {
namespace {

struct FilterCommand {
  std::string source, output, plane;
  SettingOptions settings;
  std::optional<uint64_t> frames;
  bool colour = false;
};

/// "shot_%04d.png": what stands before and behind the number, and its digits.
struct NumberedName {
  std::string before, after;
  int digits = 0;

  static std::optional<NumberedName> in(const std::string& name) {
    const size_t percent = name.find('%');
    if (percent == std::string::npos) return std::nullopt;
    size_t end = percent + 1;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    const std::string width = name.substr(percent + 1, end - percent - 1);
    if (end == name.size() || name[end] != 'd' || width.size() > 3 ||
        name.find('%', end) != std::string::npos)
      throw UsageError(fmt::format("'{}' has no number such as %04d", name));
    return NumberedName{name.substr(0, percent), name.substr(end + 1),
                        width.empty() ? 0 : std::stoi(width)};
  }
  std::string at(uint64_t n) const { return fmt::format("{}{:0{}}{}", before, n, digits, after); }
};

bool isImageName(const std::string& name) {
  const std::string suffix = std::filesystem::path(name).extension().string();
  return suffix == ".png" || suffix == ".tif" || suffix == ".tiff" || suffix == ".pgm" ||
         suffix == ".ppm";
}

/// Frames into images or a video, whose rate is that of the first two frames.
class Output {
 public:
  Output(const std::string& name, const ImageFormat& format) : name_(name), format_(format) {
    if (isImageName(name)) {
      numbered_ = NumberedName::in(name);
    } else {
      checkVideo(name, format);
    }
  }

  void write(const ImageView& image, const FrameStamp& stamp) {
    if (isImageName(name_)) return writeOne(image, stamp.sequence.value());
    if (!video_ && !held_) return hold(image, stamp);
    if (!video_) open(stamp.time);
    video_->write(image, stamp.time);
  }

  void finish() {
    if (held_) open(heldTime_ + 1.0 / 30);
    if (video_) video_->finish();
  }

 private:
  void hold(const ImageView& image, const FrameStamp& stamp) {
    const size_t bytes = size_t{format_.width} * format_.bytesPerPixel();
    held_.emplace(bytes * format_.height);
    for (uint32_t y = 0; y < format_.height; ++y)
      std::memcpy(held_->data() + y * bytes, image.row(y), bytes);
    heldTime_ = stamp.time;
  }
  void open(double next) {
    const double step = next - heldTime_;
    video_.emplace(name_, format_, step > 0 ? 1 / step : 30.0);
    video_->write({format_, held_->data(), size_t{format_.width} * format_.bytesPerPixel()},
                  heldTime_);
    held_.reset();
  }
  void writeOne(const ImageView& image, uint64_t n) {
    if (!numbered_ && written_++ > 0)
      throw UsageError(
          fmt::format("'{}' holds one frame; write a number into its name, such as frame_%04d.png, "
                      "or use --frames 1",
                      name_));
    const int type =
        CV_MAKETYPE(format_.bits == 8 ? CV_8U : CV_16U, static_cast<int>(format_.channels));
    writeImage(numbered_ ? numbered_->at(n) : name_,
               cv::Mat(static_cast<int>(format_.height), static_cast<int>(format_.width), type,
                       image.data, image.rowPitch));
  }

  std::string name_;
  ImageFormat format_;
  std::optional<NumberedName> numbered_;
  uint64_t written_ = 0;
  std::optional<VideoWriter> video_;
  std::optional<std::vector<std::byte>> held_;
  double heldTime_ = 0;
};

void checkOutput(const FilterCommand& command, const Settings& settings) {
  std::vector<std::string> inputs = inputFiles(std::array{command.source});
  for (auto& file : filterFiles(settings.filters)) inputs.push_back(std::move(file.name));
  if (!command.settings.config().empty()) inputs.push_back(command.settings.config());
  const KnownFiles read(inputs);
  const auto numbered =
      isImageName(command.output) ? NumberedName::in(command.output) : std::nullopt;
  const bool clash =
      numbered
          ? std::any_of(inputs.begin(), inputs.end(),
                        [&](const std::string& input) {
                          const std::string name = std::filesystem::path(input).filename().string();
                          const std::string before =
                              std::filesystem::path(numbered->before).filename().string();
                          return name.starts_with(before) && name.ends_with(numbered->after) &&
                                 sameFile(
                                     std::filesystem::path(input).parent_path().string(),
                                     std::filesystem::path(command.output).parent_path().string());
                        })
          : read.has(command.output);
  if (clash)
    throw UsageError(fmt::format("'{}' is read by this run; name another output", command.output));
}

/// The pass that took longest on the device, of the last frame.
std::string slowest(const std::vector<PassTime>& times) {
  double all = 0;
  for (const PassTime& time : times)
    if (time.name != "copy" && time.name != kUpload) all += time.microseconds;
  return times.empty() ? "" : fmt::format(", {:.0f} us a frame on the device", all);
}

void runFilters(const FilterCommand& command) {
  const std::atomic<bool>& stop = stopOnSignal();
  const Settings settings = command.settings.settings();
  if (settings.filters.empty())
    throw UsageError("give a --filter, or a --config with [[filter]] (`glint filters` lists all)");
  checkOutput(command, settings);
  std::unique_ptr<Source> source;
  {
    const Waiting waiting("the source", command.source);
    source = openSource(command.source, &interruptOnSignal());
  }
  const Device device({settings.device.name, settings.device.validation});
  const FrameFormat format{source->format(), 1};
  FilterRun run(device, format, settings.filters, loadFilterImages(settings.filters, {0}, 1),
                {command.plane, command.colour});
  Output output(command.output, run.format());
  const auto slot = std::move(makeSlots(device, format, 1)[0]);
  uint64_t frames = 0;
  std::vector<PassTime> times;
  for (const uint64_t most = command.frames.value_or(UINT64_MAX); frames < most && !stop;) {
    const Reading reading = source->read(slot->layer(0));
    if (reading.state == CameraState::ended) break;
    if (reading.state != CameraState::frame) continue;
    slot->set(0, reading.stamp);
    run.run(*slot, settings.filters);
    times = run.times();
    output.write(run.pixels(0), reading.stamp);
    ++frames;
  }
  if (frames == 0)
    throw Error(fmt::format("'{}' gave no frame{}", command.source,
                            stop ? " before the signal to stop" : ""));
  output.finish();
  tell(anyStandardOutput(std::array{command.output}) ? stderr : stdout,
       "{} frames, {} filters on {}{}{} -> {}\n", frames, settings.filters.size(),
       device.info().name, slowest(times), stop ? " (stopped by a signal)" : "", command.output);
}

}  // namespace

void addFilterCommand(CLI::App& app) {
  const auto options = std::make_shared<FilterCommand>();
  CLI::App* command =
      app.add_subcommand("filter", "Write what a chain of filters makes of a recording");
  command->add_option("source", options->source, "As of `glint track`")
      ->required()
      ->type_name("SOURCE");
  command
      ->add_option(
          "-o,--output", options->output,
          "Video (.mkv is lossless) or images, such as out_%04d.png, 8 or 16 bits as the frames")
      ->required()
      ->check(kNamesFile)
      ->type_name("FILE");
  command
      ->add_option("--plane", options->plane, "Write the plane of this filter, not of the last one")
      ->type_name("ID");
  command->add_flag("--color", options->colour,
                    "Keep colour wherever filters take it, not only for those that need it");
  command->add_option("--frames", options->frames, "Stop after this many frames")
      ->check(wholeNumber(1))
      ->type_name("N");
  options->settings.addTo(*command, false);
  options->settings.addFilters(*command);
  command->callback([options] { runFilters(*options); });
}

}  // namespace glint
