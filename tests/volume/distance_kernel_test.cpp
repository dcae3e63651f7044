// Tests distance transforms against their definitions. Integer values must be exact.
#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "config/error.h"
#include "gpu/volume/distance.h"
#include "gpu/volume/slabs.h"
#include "tests/gpu/rig.h"
#include "tests/volume/volume_reference.h"

namespace glint {
namespace {

using reference::FeatureVolume;
using shared::kNoDistance;

/// Returns the kernels that all tests share, because compiling them takes longer than running them.
std::shared_ptr<gpu::KernelStore> kernels() {
  static auto* const made =  // The store lives as long as the device.
      new std::shared_ptr<gpu::KernelStore>(std::make_shared<gpu::KernelStore>(test::device()));
  return *made;
}

gpu::VolumeDistances transform(const FeatureVolume& volume, const gpu::DistanceOptions& options,
                               size_t mostBytes = SIZE_MAX) {
  return gpu::transformVolume(test::device(), volume.shape, volume.bits(), options, {}, mostBytes,
                              kernels());
}

void expectSame(const std::vector<uint32_t>& got, const std::vector<uint32_t>& want,
                const gpu::VolumeShape& shape, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  const auto [a, b] = std::mismatch(got.begin(), got.end(), want.begin());
  if (a == got.end()) return;
  const auto i = static_cast<size_t>(a - got.begin());
  ADD_FAILURE() << what << ": at (" << i % shape.width << ", " << i / shape.width % shape.height
                << ", " << i / shape.width / shape.height << ") " << *a << " for " << *b;
}

/// Checks squared euclidean distances in whole voxels, alone and together with the nearest
/// features.
void checkEuclidean(const FeatureVolume& volume, size_t mostBytes = SIZE_MAX,
                    gpu::ColumnMethod columns = gpu::ColumnMethod::envelope) {
  const auto want = reference::columnEuclidean(volume, {});
  gpu::DistanceOptions options;
  options.columns = columns;
  const auto plain = transform(volume, options, mostBytes);
  expectSame(plain.values, want.values, volume.shape, volume.name);
  options.nearest = true;
  const auto got = transform(volume, options, mostBytes);
  expectSame(got.values, want.values, volume.shape, volume.name + ", beside nearest features");
  expectSame(got.nearest, want.nearest, volume.shape, volume.name + ", nearest features");
}

void checkSteps(const FeatureVolume& volume, size_t mostBytes = SIZE_MAX) {
  for (const gpu::Metric metric :
       {gpu::Metric::chamfer345, gpu::Metric::chessboard, gpu::Metric::cityblock}) {
    gpu::DistanceOptions options;
    options.metric = metric;
    const auto got = transform(volume, options, mostBytes);
    expectSame(got.values, reference::fixedPoint(volume, metric), volume.shape,
               volume.name + ", metric " + std::to_string(static_cast<int>(metric)));
    EXPECT_LE(got.sweeps, 8U);
  }
}

/// Checks distances with a spacing: they must be right to 1e-6, and the named feature must be as
/// near as the nearest one.
void checkSpacing(const FeatureVolume& volume, const std::array<double, 3>& spacing,
                  size_t mostBytes = SIZE_MAX,
                  gpu::ColumnMethod columns = gpu::ColumnMethod::envelope) {
  gpu::DistanceOptions options;
  options.columns = columns;
  options.spacing = spacing;
  options.nearest = true;
  const auto got = transform(volume, options, mostBytes);
  const auto want = reference::columnEuclidean(volume, options);
  const gpu::VolumeShape& s = volume.shape;
  const auto position = [&](size_t i, size_t axis) {
    const size_t at = axis == 0   ? i % s.width
                      : axis == 1 ? i / s.width % s.height
                                  : i / s.width / s.height;
    return static_cast<double>(at) * spacing[axis] / options.unit();
  };
  size_t wrong = 0;
  for (size_t i = 0; i < got.values.size(); ++i) {
    if (want.nearest[i] == kNoDistance) {
      wrong += got.values[i] != kNoDistance || got.nearest[i] != kNoDistance;
      continue;
    }
    const double root = std::sqrt(want.squared[i]);
    wrong += std::abs(std::sqrt(double{std::bit_cast<float>(got.values[i])}) - root) > 1e-6 * root;
    ASSERT_LT(got.nearest[i], got.values.size());
    ASSERT_TRUE(volume.voxels[got.nearest[i]] != 0);
    double squared = 0;
    for (size_t axis = 0; axis < 3; ++axis)
      squared += std::pow(position(i, axis) - position(got.nearest[i], axis), 2);
    wrong += std::abs(std::sqrt(squared) - root) > 1e-6 * root;
  }
  EXPECT_EQ(wrong, 0U) << volume.name << ", spacing " << spacing[0] << ", " << spacing[1] << ", "
                       << spacing[2];
}

constexpr gpu::ColumnMethod kColumnMethods[] = {gpu::ColumnMethod::envelope,
                                                gpu::ColumnMethod::search};

const std::vector<gpu::VolumeShape> kShapes{{1, 1, 1},   {33, 1, 1}, {1, 40, 1},  {1, 1, 37},
                                            {31, 17, 1}, {1, 23, 9}, {34, 1, 12}, {20, 13, 11}};

TEST(DistanceReference, IsTheSameInThreeWaysOfWritingItDown) {
  for (const auto& volume : reference::adversarialVolumes({9, 7, 8})) {
    for (const auto& spacing :
         {std::array{1.0, 1.0, 1.0}, std::array{0.5, 2.0, 3.0}, std::array{100.0, 1.0, 0.1}}) {
      gpu::DistanceOptions options;
      options.spacing = spacing;
      const auto a = reference::bruteEuclidean(volume, options);
      const auto b = reference::columnEuclidean(volume, options);
      EXPECT_EQ(a.values, b.values) << volume.name;
      if (!options.floats()) {
        EXPECT_EQ(a.nearest, b.nearest) << volume.name;
      }
    }
    for (const gpu::Metric metric :
         {gpu::Metric::chamfer345, gpu::Metric::chessboard, gpu::Metric::cityblock})
      EXPECT_EQ(reference::fixedPoint(volume, metric), reference::bruteSteps(volume, metric))
          << volume.name;
  }
}

TEST(Distance, IsExactOnAdversarialVolumes) {
  for (const gpu::VolumeShape& shape : kShapes) {
    for (const auto& volume : reference::adversarialVolumes(shape)) {
      for (const gpu::ColumnMethod columns : kColumnMethods)
        checkEuclidean(volume, SIZE_MAX, columns);
      checkSteps(volume);
    }
  }
}

TEST(Distance, IsExactOnRandomVolumes) {
  for (uint32_t seed = 0; seed < 48; ++seed) {
    for (const gpu::ColumnMethod columns : kColumnMethods)
      checkEuclidean(reference::randomVolume(seed, 70), SIZE_MAX, columns);
  }
}

TEST(Distance, SearchesColumnsOfTheLengthsAroundItsLimit) {
  for (const gpu::VolumeShape& shape : {gpu::VolumeShape{33, 128, 2},
                                        {2, 3, 129},
                                        {3, 256, 5},
                                        {17, 257, 2},
                                        {1, 127, 512},
                                        {1, 2, 513}}) {
    for (const auto& volume : reference::adversarialVolumes(shape))
      checkEuclidean(volume, SIZE_MAX, gpu::ColumnMethod::search);
  }
}

TEST(Distance, CountsStepsOnRandomVolumes) {
  for (uint32_t seed = 100; seed < 124; ++seed) checkSteps(reference::randomVolume(seed, 40));
}

TEST(Distance, CountsStepsInRowsOfEveryKindOfWidth) {
  auto volume = reference::randomVolume(124, 6);
  volume.shape.height = 5;
  volume.shape.depth = 4;
  for (const uint32_t width : {1U, 3U, 4U, 5U, 16U, 31U, 32U, 33U, 64U, 127U, 128U, 129U, 260U}) {
    volume.shape.width = width;
    volume.name = "width " + std::to_string(width);
    volume.voxels.assign(volume.shape.voxels(), 0);
    for (size_t i = width / 2; i < volume.voxels.size(); i += 97) volume.voxels[i] = 1;
    checkSteps(volume);
  }
}

TEST(Distance, IsTheSameInSlabs) {
  for (uint32_t seed = 200; seed < 216; ++seed) {
    const auto volume = reference::randomVolume(seed, 30);
    const gpu::VolumeShape& s = volume.shape;
    const size_t row = std::max(s.width, 2 * s.words());
    // The memory must hold two planes, and three rows of every plane, whichever is more.
    const size_t bytes =
        4 * row * std::max<size_t>(2 * size_t{s.height}, std::min(3U, s.height) * size_t{s.depth});
    checkEuclidean(volume, bytes);
    checkSteps(volume, bytes);
    checkSpacing(volume, {0.3, 1, 2.5}, bytes);
    gpu::DistanceOptions steps;
    steps.metric = gpu::Metric::chamfer345;
    if (s.depth > 4 && 4 * row * s.height * s.depth > 2 * bytes) {
      EXPECT_GT(transform(volume, steps, bytes).slabs, 1U) << volume.name;
    }
  }
}

TEST(Distance, TakesColumnsLongerThanSharedMemoryHolds) {
  for (const gpu::VolumeShape& shape : {gpu::VolumeShape{3, 150, 2}, {2, 3, 300}, {5, 700, 1}}) {
    for (const auto& volume : reference::adversarialVolumes(shape)) checkEuclidean(volume);
  }
}

TEST(Distance, TakesRowsOfManyWords) {
  for (const gpu::VolumeShape& shape : {gpu::VolumeShape{1200, 3, 2}, {4096, 3, 1}}) {
    for (const auto& volume : reference::adversarialVolumes(shape)) {
      if (shape.width < 2000) checkSteps(volume);
      gpu::DistanceOptions options;
      options.metric = gpu::Metric::chamfer345;
      if (volume.name.starts_with("middle") || volume.name.starts_with("corners")) {
        expectSame(transform(volume, options).values,
                   reference::bruteSteps(volume, gpu::Metric::chamfer345), shape, volume.name);
        expectSame(transform(volume, {}).values, reference::bruteEuclidean(volume, {}).values,
                   shape, volume.name);
      }
    }
  }
}

TEST(Distance, TakesTheLongestColumns) {
  for (const gpu::VolumeShape& shape :
       {gpu::VolumeShape{9, gpu::kMaxVolumeSide, 1}, {9, 1, gpu::kMaxVolumeSide}}) {
    for (const auto& volume : reference::adversarialVolumes(shape)) {
      if (volume.name.starts_with("parabola")) checkEuclidean(volume);
    }
  }
}

TEST(Distance, KeepsSpacingsApart) {
  for (const auto& spacing :
       {std::array{1.0, 1.0, 2.0}, std::array{0.7, 1.3, 2.9}, std::array{1.0, 300.0, 7.0},
        std::array{0.001, 1.0, 20.0}, std::array{5000.0, 0.02, 1.0}, std::array{1e-3, 1e3, 1.0}}) {
    for (uint32_t seed = 300; seed < 303; ++seed) {
      for (const gpu::ColumnMethod columns : kColumnMethods)
        checkSpacing(reference::randomVolume(seed, 60), spacing, SIZE_MAX, columns);
    }
    for (const auto& volume : reference::adversarialVolumes({20, 13, 11}))
      checkSpacing(volume, spacing);
    for (const auto& volume : reference::adversarialVolumes({4, 260, 1}))
      checkSpacing(volume, spacing);
  }
}

/// This test takes minutes without a GPU, and 8 GiB of memory. It runs with
/// --gtest_also_run_disabled_tests.
TEST(Distance, DISABLED_TakesAThousandVoxelsASide) {
  const gpu::VolumeShape shape{1024, 1024, 1024};
  const std::array<std::array<uint32_t, 3>, 3> features{
      {{5, 1000, 17}, {700, 3, 512}, {1023, 640, 1009}}};
  std::vector<uint32_t> bits(shape.words() * shape.rows());
  for (const auto& [x, y, z] : features)
    bits[(size_t{z} * shape.height + y) * shape.words() + x / 32] |= 1U << x % 32;
  for (const gpu::Metric metric : {gpu::Metric::euclidean, gpu::Metric::chamfer345}) {
    gpu::DistanceOptions options;
    options.metric = metric;
    const auto got =
        gpu::transformVolume(test::device(), shape, bits, options, {}, SIZE_MAX, kernels());
    std::printf("%u slabs, %.4f s on the device\n", got.slabs, got.deviceSeconds);
    size_t wrong = 0, at = 0;
    for (uint32_t z = 0; z < shape.depth; ++z)
      for (uint32_t y = 0; y < shape.height; ++y)
        for (uint32_t x = 0; x < shape.width; ++x, ++at) {
          uint32_t least = kNoDistance;
          for (const auto& f : features) {
            std::array<uint32_t, 3> d{x > f[0] ? x - f[0] : f[0] - x,
                                      y > f[1] ? y - f[1] : f[1] - y,
                                      z > f[2] ? z - f[2] : f[2] - z};
            std::sort(d.begin(), d.end());
            least = std::min(least, metric == gpu::Metric::euclidean
                                        ? d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
                                        : 5 * d[0] + 4 * (d[1] - d[0]) + 3 * (d[2] - d[1]));
          }
          wrong += got.values[at] != least;
        }
    EXPECT_EQ(wrong, 0U) << static_cast<int>(metric);
  }
}

TEST(Distance, OfTheOtherVoxelsIsThatOfTheInvertedVolume) {
  auto volume = reference::randomVolume(405, 50);
  gpu::DistanceOptions options;
  options.invert = true;
  const auto inverted = transform(volume, options);
  for (auto& voxel : volume.voxels) voxel = voxel == 0 ? 1 : 0;
  expectSame(inverted.values, transform(volume, {}).values, volume.shape, volume.name);
}

TEST(Distance, RunsOnBuffersThatAreOnTheDevice) {
  auto volume = reference::randomVolume(503, 60);
  for (const uint32_t width : {31U, 32U, 36U}) {
    volume.shape.width = width;
    volume.voxels.resize(volume.shape.voxels());
    const gpu::DistanceTransform work(test::device(), volume.shape, {}, kernels());
    test::DeviceArray<uint8_t> bytes((volume.voxels.size() + 3) / 4 * 4);
    std::copy(volume.voxels.begin(), volume.voxels.end(), bytes.values().begin());
    test::DeviceArray<uint32_t> features(work.featureBytes() / 4), distances(work.valueBytes() / 4);
    test::runNow([&](gpu::Recorder& r) {
      work.pack(r, bytes.buffer, features.buffer);
      work.record(r, features.buffer, distances.buffer);
    });
    const auto values = distances.values().first(volume.voxels.size());
    expectSame({values.begin(), values.end()}, reference::columnEuclidean(volume, {}).values,
               volume.shape, volume.name);
  }
}

TEST(Distance, StopsWhenToldTo) {
  const auto volume = reference::randomVolume(600, 30);
  const auto stop = [](double) { return false; };
  EXPECT_THROW(gpu::transformVolume(test::device(), volume.shape, volume.bits(), {}, stop), Error);
}

TEST(Distance, RefusesWhatItCannotDo) {
  const auto refuses = [](const gpu::VolumeShape& shape, const gpu::DistanceOptions& options) {
    EXPECT_THROW(gpu::checkDistance(shape, options), UsageError) << gpu::describe(shape);
  };
  refuses({0, 3, 3}, {});
  refuses({gpu::kMaxVolumeSide + 1, 1, 1}, {});
  refuses({4096, 4096, 256}, {});
  gpu::DistanceOptions options;
  options.spacing = {1, 0, 1};
  refuses({3, 3, 3}, options);
  options.spacing = {1, NAN, 1};
  refuses({3, 3, 3}, options);
  options.spacing = {1, 2e6, 1};
  refuses({3, 3, 3}, options);
  options = {};
  options.metric = gpu::Metric::cityblock;
  options.nearest = true;
  refuses({3, 3, 3}, options);
  const auto volume = reference::adversarialVolumes({64, 64, 4})[1];
  EXPECT_THROW(transform(volume, {}, 4096), Error);
}

}  // namespace
}  // namespace glint
