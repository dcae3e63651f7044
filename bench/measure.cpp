#include "bench/measure.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "gpu/row_copier.h"

namespace glint::bench {
namespace {

/// Collects the times of the frames of one kind.
class Collector {
 public:
  void addWall(double microseconds) { wall_.push_back(microseconds); }

  void addParts(double write, double submit, double wait) {
    write_.push_back(write);
    submit_.push_back(submit);
    wait_.push_back(wait);
    wall_.push_back(write + submit + wait);
  }

  void addDevice(const std::vector<gpu::PassTime>& times) {
    if (times.empty()) return;
    std::vector<double> sums(names_.size(), 0);
    std::optional<double> upload;
    double others = 0;
    for (const gpu::PassTime& time : times) {
      if (time.name == gpu::kUpload) {
        upload = upload.value_or(0) + time.microseconds;
        continue;
      }
      others += time.microseconds;
      const auto known = std::find(names_.begin(), names_.end(), time.name);
      const auto index = static_cast<size_t>(known - names_.begin());
      if (known == names_.end()) {
        names_.push_back(time.name);
        passes_.emplace_back();
        sums.push_back(0);
      }
      sums[index] += time.microseconds;
    }
    if (upload) upload_.push_back(*upload);
    device_.push_back(others);
    for (size_t i = 0; i < sums.size(); ++i) passes_[i].push_back(sums[i]);
  }

  Timings timings() const {
    Timings all{summarise(device_),
                summarise(upload_),
                summarise(wall_),
                summarise(write_),
                summarise(submit_),
                summarise(wait_),
                {}};
    for (size_t i = 0; i < names_.size(); ++i)
      all.passes.push_back({names_[i], summarise(passes_[i])});
    return all;
  }

 private:
  std::vector<double> wall_, device_, upload_, write_, submit_, wait_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> passes_;
};

/// A detector with a pool of its own.
class Rig {
 public:
  Rig(const gpu::Device& device, const Settings& settings, const Case& what, gpu::Timing timing)
      : settings_(withRoomFor(what.markers, settings)),
        pool_(device, what.format, 2, nullptr, gpu::Upload::early),
        copier_(device),
        detector_(device, what.format, {.timing = timing}) {}

  /// Takes the thresholds from a frame that shows `image`, as a recording takes them from the frame
  /// before.
  void expect(const Image& image) {
    const auto statistics = detector_.measure(lease(image), {settings_});
    std::vector<gpu::LayerExpectation> layers;
    for (uint32_t i = 0; i < statistics.size(); ++i)
      layers.push_back({statistics[i].values, statistics[i].pixels, {}, statistics[i].ground});
    feedback_ = gpu::makeFeedback(*settings_, image.format, layers);
  }

  gpu::FrameResult detect(const Image& image) {
    frame_ = {};
    frame_ = lease(image);
    return detectAgain();
  }

  /// Does the same, and adds the times of its three parts to `times`.
  gpu::FrameResult detect(const Image& image, Collector& times) {
    frame_ = {};
    const double write = wallTime([&] { frame_ = lease(image); });
    const double submit = wallTime([&] { detector_.submit(frame_, {settings_}, feedback_); });
    std::optional<gpu::FrameResult> result;
    const double wait = wallTime([&] { result = detector_.collect(); });
    times.addParts(write, submit, wait);
    return std::move(*result);
  }

  /// Puts the image into staging memory without uploading it, so that device times contain the
  /// whole upload.
  void write(const Image& image) {
    frame_ = {};
    frame_ = lease(image, false);
  }

  /// Detects markers in the frame that is in staging memory already.
  gpu::FrameResult detectAgain() {
    detector_.submit(frame_, {settings_}, feedback_);
    return *detector_.collect();
  }

  void measure(const Image& image) {
    frame_ = {};
    frame_ = lease(image);
    measureAgain();
  }

  /// Computes only the statistics of the frame in staging memory, and returns the times on the
  /// device.
  const std::vector<gpu::PassTime>& measureAgain() {
    detector_.measure(frame_, {settings_});
    return detector_.measureTimes();
  }

 private:
  static std::shared_ptr<const Settings> withRoomFor(uint32_t markers, Settings settings) {
    settings.detect.maxMarkers = std::max(settings.detect.maxMarkers, static_cast<int>(markers));
    return std::make_shared<const Settings>(std::move(settings));
  }

  /// Writes the image into staging memory, once per layer, and uploads it meanwhile if `early`.
  gpu::FrameLease lease(const Image& image, bool early = true) {
    const std::shared_ptr<gpu::FrameSlot> slot = pool_.take();
    const size_t rowBytes = size_t{image.format.width} * image.format.bytesPerPixel();
    for (uint32_t layer = 0; layer < slot->format.layers; ++layer) {
      copier_.copy(image.row(0), rowBytes, slot->layer(layer), [&](uint32_t rows) {
        if (early) slot->written(layer, rows);
      });
      slot->set(layer, gpu::FrameStamp{});
    }
    return slot;
  }

  std::shared_ptr<const Settings> settings_;
  gpu::FramePool pool_;
  gpu::RowCopier copier_;
  gpu::FrameLease frame_;
  gpu::Detector detector_;
  shared::Feedback feedback_{};
};

/// Measures wall times, each of a frame that is written, submitted and waited for.
void addWalls(Rig& rig, const Image& image, const Effort& effort, Collector& detection,
              Collector& statistics) {
  rig.expect(image);
  repeat(effort, [&](bool count) {
    Collector ignored;
    rig.detect(image, count ? detection : ignored);
  });
  repeat(effort, [&](bool count) {
    const double wall = wallTime([&] { rig.measure(image); });
    if (count) statistics.addWall(wall);
  });
}

/// Measures device times, with one frame again and again: a GPU that waits for the host to write
/// frames would slow its clock. The markers found go into `result`.
void addDeviceTimes(Rig& rig, const Image& image, const Effort& effort, Collector& detection,
                    Collector& statistics, Result& result) {
  rig.expect(image);
  rig.write(image);
  repeat(effort, [&](bool count) {
    gpu::FrameResult frame = rig.detectAgain();
    if (count) detection.addDevice(frame.times);
    result.found = 0;
    result.markers.clear();
    for (auto& layer : frame.layers) {
      result.found += layer.markers.size();
      result.markers.push_back(std::move(layer.markers));
    }
    result.threshold = frame.layers[0].threshold;
  });
  repeat(effort, [&](bool count) {
    const auto& times = rig.measureAgain();
    if (count) statistics.addDevice(times);
  });
}

/// Measures one case in three ways: wall times without timestamps, as in ordinary use; device times
/// of everything with timestamps at both ends only, because a timestamp between two passes keeps
/// them from overlapping (see Timing); and device times of each pass.
void measureCase(const gpu::Device& device, const Settings& settings, const Image& image,
                 const Effort& effort, Result& result) {
  Collector detection, statistics, detectionPasses, statisticsPasses;
  {
    Rig rig(device, settings, result.what, gpu::Timing::none);
    addWalls(rig, image, effort, detection, statistics);
  }
  {
    Rig rig(device, settings, result.what, gpu::Timing::whole);
    addDeviceTimes(rig, image, effort, detection, statistics, result);
  }
  Rig rig(device, settings, result.what, gpu::Timing::passes);
  addDeviceTimes(rig, image, effort, detectionPasses, statisticsPasses, result);
  result.detection = detection.timings();
  result.statistics = statistics.timings();
  result.detection.passes = detectionPasses.timings().passes;
  result.statistics.passes = statisticsPasses.timings().passes;
}

bool suitsPeers(const gpu::FrameFormat& format) {
  return format.layers == 1 && format.image.channels == 1 && format.image.bits == 8;
}

}  // namespace

WorkTimes measureWork(const gpu::Device& device, const Effort& effort,
                      const std::function<void(gpu::Recorder&)>& runOnce) {
  std::vector<double> deviceTimes, wallTimes, cpuTimes;
  gpu::Recorder whole(device, gpu::Timing::whole);
  repeat(effort, [&](bool count) {
    double wall = 0;
    const double cpu = cpuTime([&] { wall = wallTime([&] { runOnce(whole); }); });
    if (!count) return;
    cpuTimes.push_back(cpu);
    wallTimes.push_back(wall);
    if (!whole.times().empty()) deviceTimes.push_back(whole.times().front().microseconds);
  });
  Collector passes;
  gpu::Recorder apart(device, gpu::Timing::passes);
  repeat(effort, [&](bool count) {
    runOnce(apart);
    if (count) passes.addDevice(apart.times());
  });
  return {summarise(deviceTimes), summarise(wallTimes), summarise(cpuTimes),
          passes.timings().passes};
}

gpu::FrameResult detectOnce(const gpu::Device& device, const Settings& settings, const Case& what,
                            const Image& image) {
  Rig rig(device, settings, what, gpu::Timing::passes);
  rig.expect(image);
  return rig.detect(image);
}

std::vector<Result> measureAll(const gpu::Device& device, const Settings& settings,
                               const std::vector<Case>& cases, const Effort& effort,
                               const MeasurePeers& peers,
                               const std::function<void(const Result&)>& progress) {
  std::vector<Result> results;
  // The image of the case before, kept because to make an image may take longer than to measure.
  std::optional<Image> image;
  for (const Case& what : cases) {
    Result& result = results.emplace_back();
    result.what = what;
    try {
      if (!image || image->format != what.format.image || image->markers.size() != what.markers)
        image = makeImage(what.format.image, what.markers);
      measureCase(device, settings, *image, effort, result);
      if (peers && suitsPeers(what.format))
        result.peers = peers({*image, result.threshold, what.markers, effort});
    } catch (const std::exception& error) {
      result.skipped = error.what();
    }
    if (progress) progress(result);
  }
  return results;
}

}  // namespace glint::bench
