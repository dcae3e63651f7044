#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "app/base/log.h"
#include "app/base/memory.h"
#include "app/base/paths.h"
#include "app/base/suffix.h"
#include "app/base/text.h"
#include "app/base/whole_file.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "app/study/volume/distance_map.h"
#include "app/study/volume/slice_picture.h"
#include "app/study/volume/volume_files.h"
#include "config/error.h"

namespace glint::shell {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, gpu::Metric> kMetrics{{"euclidean", gpu::Metric::euclidean},
                                                  {"chamfer345", gpu::Metric::chamfer345},
                                                  {"chessboard", gpu::Metric::chessboard},
                                                  {"cityblock", gpu::Metric::cityblock}};
const std::map<std::string, study::DistanceForm> kForms{{"integer", study::DistanceForm::integers},
                                                        {"float", study::DistanceForm::floats},
                                                        {"scaled", study::DistanceForm::scaled}};

struct DistanceCommand {
  std::string input, output, nearest, slice, device;
  std::string metric = "euclidean", form, type;
  std::vector<double> spacing;
  std::vector<uint32_t> shape;
  double threshold = 0;
  std::vector<int64_t> label;  ///< labels to take; empty: all but 0
  bool labels = false, both = false, inside = false, outside = false;

  gpu::Metric metricKind() const { return kMetrics.at(metric); }
  study::DistanceSide side() const {
    return both     ? study::DistanceSide::both
           : inside ? study::DistanceSide::inside
                    : study::DistanceSide::outside;
  }
  study::DistanceForm formKind() const {
    if (!form.empty()) return kForms.at(form);
    return metricKind() == gpu::Metric::euclidean ? study::DistanceForm::floats
                                                  : study::DistanceForm::integers;
  }
};

/// Returns the files of voxels beside the headers of the outputs.
std::vector<std::string> besideOf(const DistanceCommand& command) {
  std::vector<std::string> files;
  for (const auto& volume : {command.output, command.nearest})
    for (const auto& beside : study::filesBeside(volume)) files.push_back(beside);
  return files;
}

const CLI::Validator kLabel(
    [](const std::string& text) -> std::string {
      if (base::parseNumber<int64_t>(text)) return "";
      return fmt::format("'{}' is not a label: labels are whole numbers of 64 bits", text);
    },
    "");

/// Tells `files` of a volume: without a suffix it is a folder of planes, which must be empty.
void checkVolume(output::RunFiles& files, const std::string& path) {
  if (path.empty() || base::isDevice(path)) return files.write(path);
  const fs::path clean =
      fs::path(path).has_filename() ? fs::path(path) : fs::path(path).parent_path();
  if (clean.has_extension()) return files.write(path);
  files.writeFolder(path);
  std::error_code error;
  if (fs::exists(clean, error) && !fs::is_empty(clean, error))
    throw Error("cannot write '{}': it exists and is not empty", path);
}

/// Before minutes are spent on a volume that cannot be kept.
output::RunFiles filesOf(const DistanceCommand& command) {
  std::vector<std::string> inputs{command.input};
  if (command.type.empty())
    for (const auto& beside : study::filesReadBeside(command.input)) inputs.push_back(beside);
  output::RunFiles files(inputs);
  for (const std::string& volume : {command.output, command.nearest}) checkVolume(files, volume);
  files.write(command.slice);
  for (const auto& beside : besideOf(command)) files.writeBeside(beside);
  base::checkSuffix(command.slice, "the picture", ".png");
  return files;
}

std::optional<study::RawLayout> rawLayout(const DistanceCommand& command) {
  if (command.shape.empty() && command.type.empty()) return std::nullopt;
  if (command.shape.empty() || command.type.empty())
    throw UsageError("a headerless file needs both --shape and --type");
  study::RawLayout raw;
  raw.shape = {command.shape[0], command.shape[1], command.shape[2]};
  for (const study::VoxelType type : study::kVoxelTypes) {
    if (command.type == study::nameOf(type)) raw.type = type;
  }
  gpu::checkDistance(raw.shape, {});
  return raw;
}

void refuseWithoutMemory(const DistanceCommand& command, const gpu::VolumeShape& shape) {
  const auto left = base::memoryLeft();
  const double words = 2 + (command.both ? 1 : 0) + (command.nearest.empty() ? 0 : 2);
  const double bytes = words * sizeof(uint32_t) * static_cast<double>(shape.voxels());
  if (left && bytes > *left)
    throw Error(
        "'{}': the distances of {} voxels need {:.1f} GiB, but only {:.1f} GiB of memory are free",
        command.input, gpu::describe(shape), bytes / 1073741824, *left / 1073741824);
}

gpu::DistanceOptions optionsOf(const DistanceCommand& command, study::VolumeData& volume) {
  gpu::DistanceOptions options;
  options.metric = command.metricKind();
  options.nearest = !command.nearest.empty();
  if (!command.spacing.empty()) {
    std::copy(command.spacing.begin(), command.spacing.end(), volume.spacing.begin());
    volume.placement.clear();  // the placement might contain another spacing
  }
  // The volume has no extent along z.
  if (volume.shape.depth == 1) volume.spacing[2] = volume.spacing[0];
  if (options.metric == gpu::Metric::euclidean) options.spacing = volume.spacing;
  return options;
}

/// A line on the terminal that shows the progress.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_) std::fprintf(stderr, "\r\x1b[K");
  }
  void show(double done) {
    if (shown_) std::fprintf(stderr, "\r\x1b[K%3.0f %%", 100 * done);
  }

 private:
  bool shown_ = ::isatty(STDERR_FILENO) == 1;
};

study::DistanceMap measure(const gpu::Device& device, const DistanceCommand& command,
                           const study::VolumeData& volume, const study::Features& features,
                           const gpu::DistanceOptions& options) {
  ProgressLine line;
  return study::mapDistances(device, volume, features, command.side(), options, [&](double done) {
    line.show(done);
    return true;
  });
}

std::string sayFarthest(const study::DistanceMap& map) {
  const auto farthest = map.farthest();
  if (!farthest) return "nothing to measure to";
  const gpu::VolumeShape& s = map.shape;
  return fmt::format("largest {:.6g} at ({}, {}, {})", map.at(*farthest), *farthest % s.width,
                     *farthest / s.width % s.height, *farthest / s.width / s.height);
}

void summarise(const DistanceCommand& command, const study::DistanceMap& map,
               const gpu::Device& device, double seconds, std::FILE* out) {
  static constexpr std::array kSides{"outside of the features", "inside of the features",
                                     "outside (positive) and inside (negative)"};
  std::string how;
  if (map.from.sweeps > 0) how += fmt::format(", {} sweeps", map.from.sweeps);
  if (map.from.slabs > 1) how += fmt::format(", {} slabs", map.from.slabs);
  printText(out, "{} distances {}: {}{}, {:.3f} s on {} -> {}\n", command.metric,
            kSides[static_cast<size_t>(map.side)], sayFarthest(map), how, seconds,
            device.info().name, command.output);
}

void writeAll(const DistanceCommand& command, const study::DistanceMap& map,
              const study::VolumeData& volume) {
  if (!command.nearest.empty())
    study::writeVolume(command.nearest, study::nearestVolume(map, volume));
  if (!command.slice.empty()) base::writeWholeFile(command.slice, study::drawSlices(map));
  study::writeVolume(command.output, study::toVolume(map, command.formKind(), volume));
}

void measureDistances(const DistanceCommand& command) {
  const auto raw = rawLayout(command);
  const output::RunFiles files = filesOf(command);
  study::VolumeData volume = study::readVolume(command.input, raw);
  for (const std::string& note : volume.notes) base::log(base::LogLevel::warning, note);
  const gpu::DistanceOptions options = optionsOf(command, volume);
  gpu::checkDistance(volume.shape, options);
  study::checkVolumeName(command.output,
                         study::typeOfMap(command.formKind(), command.side(), options));
  if (!command.nearest.empty()) study::checkVolumeName(command.nearest, study::VoxelType::u32);
  refuseWithoutMemory(command, volume.shape);

  study::FeatureRule rule{command.threshold, command.labels, std::nullopt};
  if (!command.label.empty()) rule.label = static_cast<double>(command.label[0]);
  const study::Features features = study::findFeatures(volume, rule);
  if (features.nans > 0)
    base::warn("'{}': {} voxels are NaN, so they are not features", command.input, features.nans);
  const auto& s = volume.spacing;
  printText(files.words(), "'{}': {} voxels of type {}, spacing {:g} x {:g} x {:g}, {} features\n",
            command.input, gpu::describe(volume.shape), study::nameOf(volume.type), s[0], s[1],
            s[2], features.count);
  volume.bytes = {};
  const gpu::Device device({command.device, false});
  const auto start = std::chrono::steady_clock::now();
  const study::DistanceMap map = measure(device, command, volume, features, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  stopOnSignal();  // from here on, a signal does not end the program, so all files are written
  summarise(command, map, device, seconds.count(), files.words());
  writeAll(command, map, volume);
}

void run(const DistanceCommand& command) {
  try {
    measureDistances(command);
  } catch (const std::bad_alloc&) {
    throw Error("'{}': there is not enough memory for a volume of this size", command.input);
  }
}

template <class Values>
std::vector<std::string> namesOf(const std::map<std::string, Values>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

void addMeasuring(CLI::App& command, DistanceCommand& options) {
  command.add_option("--metric", options.metric, "How distance is measured")
      ->capture_default_str()
      ->check(CLI::IsMember(namesOf(kMetrics)));
  auto* threshold = addValue(command, "--threshold", options.threshold,
                             "Features are the voxels above this value", "T", kFinite)
                        ->capture_default_str();
  auto* label = addValue(command, "--label", options.label,
                         "Features are the voxels with this label; without N, with any label but 0",
                         "[N]", kLabel)
                    ->expected(0, 1);
  label->excludes(threshold);
  addValue(command, "--spacing", options.spacing,
           "Distance between voxels along x, y and z, instead of the file's", "X,Y,Z", kFinite)
      ->delimiter(',')
      ->expected(3);
  auto* outside = command.add_flag("--outside", options.outside,
                                   "Measure from every voxel to the nearest feature (the default)");
  auto* inside =
      command.add_flag("--inside", options.inside,
                       "Measure from every feature to the nearest voxel that is not one");
  auto* both =
      command.add_flag("--signed", options.both, "Measure both: outside positive, inside negative");
  outside->excludes(inside)->excludes(both);
  inside->excludes(both);
  command.parse_complete_callback([label, &options] { options.labels = label->count() > 0; });
}

void addFiles(CLI::App& command, DistanceCommand& options) {
  addValue(command, "volume", options.input,
           "NumPy (.npy), TIFF, NRRD, MetaImage, image, folder of images, or raw voxels", "VOLUME")
      ->required();
  addFile(command, "-o,--output", options.output,
          "Distances to write: .npy, .tif, .nrrd, .mha, .mhd, .raw, .png or a folder",
          "FILE|FOLDER")
      ->required();
  command
      .add_option("--as", options.form,
                  "Type to write [float if euclidean, else integer]\ninteger: exact, and squared "
                  "if euclidean. float: in the unit of the spacing. scaled: 16 bits, with the "
                  "largest distance at 65535.")
      ->check(CLI::IsMember(namesOf(kForms)));
  addFile(command, "--nearest", options.nearest,
          "Also write the raster index of each voxel's nearest feature; formats as for -o",
          "FILE|FOLDER");
  addFile(command, "--slice", options.slice,
          "Picture (.png) of three slices through the largest distance, with isolines", "FILE");
  addValue(command, "--shape", options.shape, "Size of a raw volume along x, y and z, in voxels",
           "X,Y,Z")
      ->delimiter(',')
      ->expected(3);
  std::vector<std::string> types;
  for (const study::VoxelType type : study::kVoxelTypes) types.emplace_back(study::nameOf(type));
  command.add_option("--type", options.type, "Type of raw voxels, little endian")
      ->check(CLI::IsMember(types));
  addValue(command, "--device", options.device, "Vulkan device: part of its name, or its number",
           "NAME|INDEX");
}

}  // namespace

void addDistanceCommand(CLI::App& app) {
  const auto options = std::make_shared<DistanceCommand>();
  CLI::App* command = app.add_subcommand(
      "distance", "Map each voxel of a volume to its distance from the nearest feature");
  addFiles(*command, *options);
  addMeasuring(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
