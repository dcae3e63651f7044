// Transforms many volumes in one run, so that tests can compare the results with other programs.
// distance_batch METRIC SPACINGX SPACINGY SPACINGZ MOSTBYTES <volumes >results
// A volume consists of its width, height and depth as 32-bit words, and of one byte for each voxel.
// Its result has 32 bits for each voxel; for euclidean distances the indices of the nearest
// features follow.
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gpu/volume/slabs.h"
#include "tests/volume/volume_reference.h"

namespace glint {
namespace {

const std::map<std::string, gpu::Metric> kMetrics{{"euclidean", gpu::Metric::euclidean},
                                                  {"chamfer345", gpu::Metric::chamfer345},
                                                  {"chessboard", gpu::Metric::chessboard},
                                                  {"cityblock", gpu::Metric::cityblock}};

template <class T>
bool read(std::vector<T>& values) {
  std::cin.read(reinterpret_cast<char*>(values.data()),
                static_cast<std::streamsize>(values.size() * sizeof(T)));
  return static_cast<bool>(std::cin);
}

void write(const std::vector<uint32_t>& values) {
  std::cout.write(reinterpret_cast<const char*>(values.data()),
                  static_cast<std::streamsize>(values.size() * sizeof(uint32_t)));
}

int run(const std::vector<std::string>& arguments) {
  gpu::DistanceOptions options;
  options.metric = kMetrics.at(arguments.at(0));
  for (size_t i = 0; i < 3; ++i) options.spacing[i] = std::stod(arguments.at(1 + i));
  options.nearest = options.metric == gpu::Metric::euclidean;
  const char* name = std::getenv("GLINT_TEST_DEVICE");
  // The device is never destroyed: after its driver is unloaded, LeakSanitizer could not attribute
  // the memory that the driver leaves.
  static const gpu::Device* const shared =
      new gpu::Device({.name = name != nullptr ? name : "",
                       .validation = false,
                       .wroteBeside = [](const std::string& what) {
                         std::cerr << what << '\n';
                         std::_Exit(1);
                       }});
  const gpu::Device& device = *shared;
  const auto kernels = std::make_shared<gpu::KernelStore>(device);
  std::vector<uint32_t> shape(3);
  while (read(shape)) {
    reference::FeatureVolume volume;
    volume.shape = {shape[0], shape[1], shape[2]};
    volume.voxels.resize(volume.shape.voxels());
    if (!read(volume.voxels)) return 1;
    const auto result = gpu::transformVolume(device, volume.shape, volume.bits(), options, {},
                                             std::stoull(arguments.at(4)), kernels);
    write(result.values);
    write(result.nearest);
  }
  return 0;
}

}  // namespace
}  // namespace glint

int main(int argc, char** argv) {
  try {
    return glint::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "distance_batch: " << error.what() << '\n';
    return 1;
  }
}
