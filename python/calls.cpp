#include "python/calls.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/capture/filter/images.h"
#include "app/capture/mask/mask.h"
#include "app/capture/sets/frame_set.h"
#include "app/capture/source/source_kinds.h"
#include "app/capture/video/recorded_stamp.h"
#include "app/motion/frame/frame.h"
#include "app/study/advice/proposal.h"
#include "config/error.h"
#include "config/filter_catalog.h"
#include "config/filter_use.h"
#include "config/toml_text.h"
#include "gpu/device.h"
#include "gpu/filters/filter_run.h"
#include "python/devices.h"
#include "python/image_copy.h"

namespace glint::python {
namespace {

/// The times at which the files that settings name were last written, in the order of the settings.
using FileTimes = std::vector<std::filesystem::file_time_type>;

FileTimes fileTimesOf(const Settings& settings, size_t cameras) {
  FileTimes times;
  const auto add = [&](const std::string& name) {
    for (const std::string& path : capture::maskPaths(name, cameras)) {
      std::error_code missing;  // ignored: the reader of the file reports if it is missing
      times.push_back(std::filesystem::last_write_time(path, missing));
    }
  };
  add(settings.detect.mask);
  for (const FilterUse& filter : settings.filters)
    for (const auto& [input, from] : filter.inputs)
      if (const auto file = filters::fileOf(from)) add(file->shown());
  return times;
}

/// A detector for images of one format, used by one thread at a time.
struct KeptDetector {
  KeptDetector(const Images& images, const Settings& settings)
      : device(settings.device),
        format(images.format),
        cameras(images.cameras),
        files(fileTimesOf(settings, images.cameras)),
        detector(std::make_unique<ImageDetector>(settings, images.format, images.cameras)) {}

  /// Applies the settings. A detector never reads a file again, so it is replaced if the files that
  /// the settings name have changed.
  void apply(const Images& images, const Settings& settings) {
    const FileTimes now = fileTimesOf(settings, images.cameras);
    if (!now.empty() && !files.empty() && now != files)
      detector = std::make_unique<ImageDetector>(settings, images.format, images.cameras);
    detector->apply(settings);
    files = now;
  }

  const Settings::DeviceSettings device;
  const gpu::ImageFormat format;
  const size_t cameras;
  FileTimes files;
  std::unique_ptr<ImageDetector> detector;
  std::mutex mutex;
};

/// The detectors that were used last. They are never destroyed, because a forked process must not
/// destroy them.
struct KeptDetectors {
  static constexpr size_t kMost = 4;
  std::mutex mutex;
  std::vector<std::shared_ptr<KeptDetector>> all;  // the one used last comes first
};

KeptDetectors& keptDetectors() {
  static KeptDetectors* const detectors = new KeptDetectors;
  return *detectors;
}

std::shared_ptr<KeptDetector> detectorFor(const Images& images, const Settings& settings) {
  auto& [mutex, all] = keptDetectors();
  const std::lock_guard lock(mutex);
  const auto fits = [&](const std::shared_ptr<KeptDetector>& kept) {
    return kept->device == settings.device && kept->format == images.format &&
           kept->cameras == images.cameras;
  };
  const auto found = std::find_if(all.begin(), all.end(), fits);
  if (found != all.end()) {
    std::rotate(all.begin(), found, found + 1);
    return all.front();
  }
  auto made = std::make_shared<KeptDetector>(images, settings);
  all.insert(all.begin(), made);
  if (all.size() > KeptDetectors::kMost) all.pop_back();
  return made;
}

void forget(const std::shared_ptr<KeptDetector>& detector) {
  const std::lock_guard lock(keptDetectors().mutex);
  std::erase(keptDetectors().all, detector);
}

}  // namespace

void readSettings(Settings& settings, const std::string& path) {
  if (path.ends_with(".mkv"))
    readTomlText(settings, capture::recordedSettings(path), path);
  else
    readToml(settings, path);
}

void know(Settings& settings, std::optional<double> radius, bool elongated) {
  constexpr double kLeast = 0.5, kMost = 500;
  if (radius && !(*radius >= kLeast && *radius <= kMost))
    throw UsageError(
        fmt::format("marker_radius: '{}' is not a number from {} to {}", *radius, kLeast, kMost));
  study::apply(study::MarkerKind{.radius = radius, .elongated = elongated}, settings);
}

void addFilters(Settings& settings, const std::vector<std::string>& filters) {
  for (const std::string& filter : filters)
    settings.filters.push_back(filters::parseUse(filter, "filters"));
  filters::check(settings.filters, "filters");
}

study::SettingsFor settingsForKinds(Settings before, std::vector<std::string> filters,
                                    SettingEntries entries) {
  return [before = std::move(before), filters = std::move(filters),
          entries = std::move(entries)](const study::MarkerKind& kind) {
    Settings settings = before;
    study::apply(kind, settings);
    addFilters(settings, filters);
    for (const auto& [key, text, where] : entries) setFromText(settings, key, text, where);
    return settings;
  };
}

FrameTable detectOnce(const Images& images, const Settings& settings) {
  refuseForked();
  const std::shared_ptr<KeptDetector> kept = detectorFor(images, settings);
  std::shared_ptr<const motion::Frame> frame;
  try {
    const std::lock_guard lock(kept->mutex);
    kept->apply(images, settings);
    kept->detector->submit(images, 0, true);
    frame = kept->detector->collect();
  } catch (const gpu::DeviceLost&) {
    forgetDevices();
    forget(kept);
    throw;
  }
  FrameTable table(FrameTable::Kind::markers);
  table.add(*frame);
  return table;
}

OwnedImages applyFilters(const Images& images, const Settings& settings, const std::string& plane,
                         bool colour) {
  if (settings.filters.empty())
    throw UsageError("name a filter, such as \"median:radius=2\" (`glint filters` lists all)");
  const auto device = keptDevice(settings.device);
  const capture::CameraGroups groups =
      capture::groupCameras(std::vector(images.cameras, images.format));
  const size_t bytes = images.format.pixels() * images.format.bytesPerPixel();
  OwnedImages made{.format = {}, .cameras = images.cameras, .pixels = {}};
  size_t camera = 0;
  for (const gpu::FrameFormat& format : groups.formats) {  // each is for the next few cameras
    std::vector<size_t> cameras(format.layers);
    std::iota(cameras.begin(), cameras.end(), camera);
    gpu::FilterRun run(*device, format, settings.filters,
                       capture::loadFilterImages(settings.filters, cameras, images.cameras),
                       {plane, colour});
    const auto slot = std::move(gpu::makeSlots(*device, format, 1)[0]);
    for (uint32_t layer = 0; layer < format.layers; ++layer) {
      copyImage(images.pixels + cameras[layer] * bytes, slot->layer(layer));
      slot->set(layer, gpu::FrameStamp{});
    }
    run.run(*slot, settings.filters);
    made.format = run.format();
    const size_t out = made.format.pixels() * made.format.bytesPerPixel();
    made.pixels.resize(images.cameras * out);
    for (uint32_t layer = 0; layer < format.layers; ++layer)
      copyImage(run.pixels(layer), made.pixels.data() + cameras[layer] * out);
    camera += format.layers;
  }
  return made;
}

void addFilterFolder(const std::string& folder) {
  filters::catalog().addFolder(folder);
}

Probed probeSource(const Address& source, const study::SettingsFor& settingsFor, size_t pick,
                   const capture::Interrupt& interrupt) {
  const Settings base = settingsFor({});
  const auto opened = capture::openSource(source, &interrupt);
  const auto device = keptDevice(base.device);
  study::FrameSample sample(*device, *opened);
  study::TrialMemory trials(sample);
  const study::Proposal proposal = study::propose(trials, settingsFor, {.pick = pick});
  Probed probed{.found = proposal.found,
                .frames = sample.frames(),
                .dark = proposal.kind.dark,
                .markerRadius = proposal.kind.radius,
                .radius = proposal.radius,
                .contrast = proposal.contrast,
                .markers = proposal.markers,
                .command = {},
                .settings = {},
                .alternatives = proposal.alternatives};
  std::vector<std::string> words{"glint", "track", source.shown()};
  for (std::string& word : study::argumentsOf(proposal)) words.push_back(std::move(word));
  probed.command = study::commandLine(words);
  const auto from = listSettings(base), to = listSettings(study::settingsOf(proposal, settingsFor));
  for (size_t i = 0; i < std::min(from.size(), to.size()); ++i)
    if (from[i].value != to[i].value) probed.settings.emplace_back(to[i].key, to[i].value);
  return probed;
}

void closeAll() {
  if (isForked()) return;
  {
    const std::lock_guard lock(keptDetectors().mutex);
    keptDetectors().all.clear();
  }
  forgetDevices();
}

}  // namespace glint::python
