#include "bench/volumes.h"

#include <cstring>
#include <optional>

#include "bench/volume_peer.h"
#include "config/error.h"
#include "gpu/volume/distance.h"

namespace glint::bench {
namespace {

gpu::VolumeShape cube(uint32_t side) {
  return {side, side, side};
}

gpu::DistanceOptions optionsOf(const VolumeCase& what) {
  gpu::DistanceOptions options;
  options.metric = what.metric;
  return options;
}

/// A transform with its buffers and one volume on the device.
class VolumeBench {
 public:
  VolumeBench(const gpu::Device& device, const VolumeCase& what, const std::vector<uint8_t>& voxels)
      : device_(device),
        transform_(device, cube(what.side), optionsOf(what)),
        staging_(device, transform_.valueBytes(), gpu::MemoryUse::readback, "staging"),
        bytes_(device, voxels.size(), gpu::MemoryUse::device, "voxels"),
        features_(device, transform_.featureBytes(), gpu::MemoryUse::device, "features"),
        distances_(device, transform_.valueBytes(), gpu::MemoryUse::device, "distances") {
    std::memcpy(staging_.mapped().data(), voxels.data(), voxels.size());
    runNow([&](gpu::Recorder& r) { r.copy(staging_, bytes_, voxels.size(), gpu::kUpload); });
  }

  std::span<const uint32_t> read() const {
    runNow([&](gpu::Recorder& r) { r.copy(distances_, staging_, transform_.valueBytes()); });
    return staging_.as<uint32_t>();
  }

  void runOnce(gpu::Recorder& recorder) const {
    recorder.begin();
    transform_.pack(recorder, bytes_, features_);
    transform_.record(recorder, features_, distances_);
    recorder.submit();
    recorder.wait();
  }

 private:
  template <class Record>
  void runNow(const Record& record) const {
    gpu::Recorder recorder(device_);
    recorder.begin();
    record(recorder);
    recorder.submit();
    recorder.wait();
  }

  const gpu::Device& device_;
  gpu::DistanceTransform transform_;
  gpu::Buffer staging_, bytes_, features_, distances_;
};

uint64_t countDifferences(std::span<const uint32_t> got, const std::vector<uint32_t>& want) {
  uint64_t differences = 0;
  for (size_t i = 0; i < want.size(); ++i) differences += got[i] != want[i];
  return differences;
}

VolumeResult measureOne(const gpu::Device& device, const VolumeCase& what, const Effort& effort) {
  VolumeResult result;
  result.what = what;
  const auto voxels = makeVolume(what.content, what.side);
  std::optional<VolumeBench> bench;
  try {
    bench.emplace(device, what, voxels);
  } catch (const Error& error) {
    result.skipped = error.what();
    return result;
  }
  static_cast<WorkTimes&>(result) =
      measureWork(device, effort, [&](gpu::Recorder& recorder) { bench->runOnce(recorder); });
  std::vector<uint32_t> want;
  if (what.metric == gpu::Metric::euclidean) {
    std::vector<double> times;
    // Large volumes run only once, because it takes long to get the pages of so much memory.
    const int runs = what.side > 256 ? 1 : 3;
    for (int i = 0; i < runs; ++i)
      times.push_back(
          wallTime([&] { want = squaredDistances(voxels, what.side, kVolumeThreads); }));
    result.host = summarise(times);
  } else {
    want = chamferDistances(voxels, what.side);
  }
  result.differences = countDifferences(bench->read(), want);
  return result;
}

}  // namespace

std::string describe(const VolumeCase& what) {
  const std::string side = std::to_string(what.side);
  return side + "^3 " + describe(what.content) +
         (what.metric == gpu::Metric::euclidean ? ", euclidean" : ", chamfer 3-4-5");
}

std::vector<VolumeCase> volumeCases(const std::vector<uint32_t>& sides) {
  std::vector<VolumeCase> cases;
  for (const gpu::Metric metric : {gpu::Metric::euclidean, gpu::Metric::chamfer345}) {
    for (const uint32_t side : sides) {
      for (const VolumeContent content : kVolumeContents) cases.push_back({side, content, metric});
    }
  }
  return cases;
}

std::vector<VolumeResult> measureVolumes(const gpu::Device& device,
                                         const std::vector<VolumeCase>& cases, const Effort& effort,
                                         const std::function<void(const VolumeResult&)>& progress) {
  std::vector<VolumeResult> results;
  for (const VolumeCase& what : cases) {
    results.push_back(measureOne(device, what, effort));
    if (progress) progress(results.back());
  }
  return results;
}

}  // namespace glint::bench
