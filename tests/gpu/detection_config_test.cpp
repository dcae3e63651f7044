// A detector that measures each frame with another config.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "config/error.h"
#include "gpu/detect/detector.h"
#include "tests/gpu/marker_words.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

using reference::Image;
using test::lease;

const gpu::FrameFormat kFrames{{150, 90, 1, 8}, 2};

std::vector<Image> imagesOf(size_t pattern) {
  return test::makeImages(test::patterns()[pattern], kFrames.image, kFrames.layers);
}

gpu::Masks maskColumns(uint32_t from) {
  std::vector<gpu::LayerMask> masks;
  for (uint32_t l = 0; l < kFrames.layers; ++l) {
    auto& mask = masks.emplace_back(gpu::LayerMask{kFrames.image.width, kFrames.image.height, {}});
    for (size_t i = 0; i < kFrames.image.pixels(); ++i)
      mask.pixels.push_back(i % kFrames.image.width < from + l ? 1 : 0);
  }
  return std::make_shared<const std::vector<gpu::LayerMask>>(std::move(masks));
}

/// Returns configs that a user may cause within a second by dragging. In the order of the tests,
/// each follows several others.
std::vector<gpu::DetectionConfig> someConfigs() {
  std::vector<gpu::DetectionConfig> configs;
  const auto add = [&](auto change) {
    gpu::DetectionConfig config;
    test::edit(config).detect.threshold = 0.3;
    change(config);
    configs.push_back(config);
  };
  const auto masks = maskColumns(70);
  add([](gpu::DetectionConfig&) {});
  add([](gpu::DetectionConfig& w) { test::edit(w).detect.threshold = 0.6; });
  add([](gpu::DetectionConfig& w) { test::edit(w).response = {ResponseKind::blur, 2, 1, false}; });
  add([](gpu::DetectionConfig& w) {
    test::edit(w).response = {ResponseKind::blur, 2.25, 1, false};
  });
  add([](gpu::DetectionConfig& w) { test::edit(w).response = {ResponseKind::dog, 2, 9, true}; });
  add([](gpu::DetectionConfig& w) { test::edit(w).response.dark = true; });
  add([](gpu::DetectionConfig& w) { test::edit(w).detect.maxMarkers = 4096; });
  add([](gpu::DetectionConfig& w) { test::edit(w).detect.maxMarkers = 3; });
  add([](gpu::DetectionConfig& w) { test::edit(w).detect.method = DetectMethod::blobs; });
  add([&](gpu::DetectionConfig& w) { w.masks = masks; });
  add([&](gpu::DetectionConfig& w) { w.masks = maskColumns(20); });
  add([&](gpu::DetectionConfig& w) { w.masks = masks, w.rejected = true; });
  add([&](gpu::DetectionConfig& w) {
    w.masks = masks, w.rejected = true, test::edit(w).detect.method = DetectMethod::blobs;
  });
  return configs;
}

/// Returns everything in a result as words, to compare it.
std::vector<uint32_t> wordsOf(const gpu::FrameResult& result) {
  std::vector<uint32_t> words;
  for (const auto& layer : result.layers) {
    test::appendWords(words, layer.luminance);
    test::appendWords(words, layer.response);
    for (const size_t count : {layer.pixels, size_t{layer.threshold}, size_t{layer.candidates},
                               size_t{layer.partial}, layer.markers.size(), layer.rejected.size()})
      words.push_back(static_cast<uint32_t>(count));
    for (const auto& d : layer.markers) test::appendWords(words, d);
    for (const auto& r : layer.rejected) {
      test::appendWords(words, r.seen);
      words.push_back(static_cast<uint32_t>(r.reason));
      words.push_back(r.nearestRank);
    }
  }
  return words;
}

std::vector<uint32_t> measured(gpu::Detector& detector, const gpu::FrameLease& frame,
                               const gpu::DetectionConfig& config) {
  detector.submit(frame, config,
                  gpu::makeFeedback(*config.settings, kFrames.image,
                                    std::vector<gpu::LayerExpectation>(kFrames.layers)));
  return wordsOf(detector.collect().value());
}

void prepareAndWait(gpu::Detector& detector, const gpu::DetectionConfig& config) {
  while (!detector.prepare(config)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Returns the results of each config from a detector that has measured nothing else.
std::vector<std::vector<uint32_t>> measuredAlone(const gpu::FrameLease& frame) {
  std::vector<std::vector<uint32_t>> all;
  for (const auto& config : someConfigs()) {
    gpu::Detector detector(test::device(), kFrames, {});
    all.push_back(measured(detector, frame, config));
  }
  return all;
}

/// The result must not depend on earlier configs, nor on whether the config was prepared.
TEST(DetectionConfig, GivesWhatADetectorMadeForItGives) {
  gpu::FramePool pool(test::device(), kFrames, 2);
  const auto configs = someConfigs();
  const auto frame = lease(pool, imagesOf(7));
  const auto alone = measuredAlone(frame);
  EXPECT_NE(alone[0], alone[1]);
  for (const bool prepared : {false, true}) {
    gpu::Detector detector(test::device(), kFrames, {});
    for (size_t i = 0; i < 2 * configs.size(); ++i) {
      const size_t which = i * 7 % configs.size();  // 7 does not divide the number of configs
      SCOPED_TRACE("config " + std::to_string(which) + " at " + std::to_string(i));
      if (prepared) prepareAndWait(detector, configs[which]);
      EXPECT_EQ(measured(detector, frame, configs[which]), alone[which]);
    }
  }
}

/// Returns the names of the passes that a submitted frame took.
std::vector<std::string> passesOf(gpu::Detector& detector, const gpu::FrameLease& frame,
                                  const gpu::DetectionConfig& config) {
  detector.submit(frame, config, {});
  const auto result = detector.collect();
  std::vector<std::string> names;
  for (const gpu::PassTime& pass : result->times) names.push_back(pass.name);
  return names;
}

TEST(DetectionConfig, PlanesThatAreUsedAgainGiveTheSameResults) {
  gpu::FramePool pool(test::device(), kFrames, 2);
  auto configs = someConfigs();
  const gpu::FrameLease frames[]{lease(pool, imagesOf(7)), lease(pool, imagesOf(3))};
  const std::vector<std::vector<uint32_t>> alone[]{measuredAlone(frames[0]),
                                                   measuredAlone(frames[1])};
  gpu::Detector detector(test::device(), kFrames, {});
  for (gpu::DetectionConfig& config : configs) config.reusesPlanes = true;
  for (size_t i = 0; i < 4 * configs.size(); ++i) {
    // Every frame is measured several times in succession, with the same config or with others.
    const size_t which = i * 7 / 2 % configs.size(), picture = i / 5 % 2;
    SCOPED_TRACE("config " + std::to_string(which) + " at " + std::to_string(i));
    if (i % 3 == 0) detector.measure(frames[picture], configs[which]);
    EXPECT_EQ(measured(detector, frames[picture], configs[which]), alone[picture][which]);
  }
}

TEST(DetectionConfig, PlanesAreMadeAgainUnlessTheyMayBeUsedAgain) {
  gpu::FramePool pool(test::device(), kFrames, 2);
  const auto frame = lease(pool, imagesOf(7)), other = lease(pool, imagesOf(3));
  gpu::Detector detector(test::device(), kFrames, {});
  const auto makes = [&](const gpu::FrameLease& of, const gpu::DetectionConfig& config) {
    const auto names = passesOf(detector, of, config);
    EXPECT_FALSE(names.empty());
    return std::ranges::any_of(names, [](const auto& name) { return name.starts_with("dog_"); });
  };
  gpu::DetectionConfig config;
  test::edit(config).response = {ResponseKind::dog, 2, 4, false};
  EXPECT_TRUE(makes(frame, config));
  EXPECT_TRUE(makes(frame, config)) << "the caller may have changed its pixels";
  config.reusesPlanes = true;
  EXPECT_TRUE(makes(frame, config));
  EXPECT_FALSE(makes(frame, config));
  test::edit(config).detect.thresholdSigma = 2;
  EXPECT_FALSE(makes(frame, config)) << "only the threshold differs";
  EXPECT_TRUE(makes(other, config));
  EXPECT_TRUE(makes(frame, config));
  test::edit(config).response.dark = true;
  EXPECT_TRUE(makes(frame, config));
}

/// Counts the calls of Vulkan's functions that create pipelines and memory, beneath the program.
struct Made {
  static inline std::atomic<int> count = 0, refused = 0;
  static inline PFN_vkCreateComputePipelines pipelines = nullptr;
  static inline PFN_vkAllocateMemory memory = nullptr;

  static VKAPI_ATTR VkResult VKAPI_CALL makePipelines(VkDevice device, VkPipelineCache cache,
                                                      uint32_t n,
                                                      const VkComputePipelineCreateInfo* info,
                                                      const VkAllocationCallbacks* with,
                                                      VkPipeline* made) {
    ++count;
    return pipelines(device, cache, n, info, with, made);
  }
  static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                                 const VkAllocationCallbacks* with,
                                                 VkDeviceMemory* made) {
    ++count;
    if (!refuse) return memory(device, info, with, made);
    ++refused;
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  static inline std::atomic<bool> refuse = false;

  Made() {
    pipelines = table().vkCreateComputePipelines;
    memory = table().vkAllocateMemory;
    table().vkCreateComputePipelines = makePipelines;
    table().vkAllocateMemory = allocate;
    count = 0;
  }
  ~Made() {
    refuse = false;
    table().vkCreateComputePipelines = pipelines;
    table().vkAllocateMemory = memory;
  }
  static vk::raii::DeviceDispatcher& table() {
    return const_cast<vk::raii::DeviceDispatcher&>(*test::device().handle().getDispatcher());
  }
};

TEST(DetectionConfig, OnceItIsPreparedAFrameMakesNothing) {
  gpu::FramePool pool(test::device(), kFrames, 2);
  const auto frame = lease(pool, imagesOf(7));
  gpu::Detector detector(test::device(), kFrames, {});
  const Made made;
  int before = 0;
  for (const auto& config : someConfigs()) {
    prepareAndWait(detector, config);
    before = Made::count;
    measured(detector, frame, config);
    detector.measure(frame, config);
    EXPECT_EQ(Made::count, before);
  }
  EXPECT_GT(before, 5) << "nothing was counted";
  for (const auto& config : someConfigs()) {
    if (config.masks) continue;  // the masks look the same, but are others
    EXPECT_TRUE(detector.prepare(config)) << "what was prepared once stays";
  }
  EXPECT_EQ(Made::count, before);
}

TEST(DetectionConfig, FramesGoOnWhileAnotherIsPrepared) {
  gpu::FramePool pool(test::device(), kFrames, 2);
  const auto frame = lease(pool, imagesOf(7));
  gpu::Detector detector(test::device(), kFrames, {});
  gpu::DetectionConfig now, next;
  test::edit(next).response = {ResponseKind::dog, 6.5, 2, false};
  const auto want = measured(detector, frame, now);
  int waited = 0;
  for (; !detector.prepare(next); ++waited) EXPECT_EQ(measured(detector, frame, now), want);
  EXPECT_GT(waited, 0);
  EXPECT_NE(measured(detector, frame, next), want);
}

/// Returns why prepare() cannot prepare a config; empty if it can.
std::string refusalOf(gpu::Detector& detector, const gpu::DetectionConfig& config) {
  try {
    prepareAndWait(detector, config);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(DetectionConfig, WhatCannotBeFulfilledIsSaidOnceAndCostsNothing) {
  gpu::FramePool pool(test::device(), kFrames, 2);
  const auto frame = lease(pool, imagesOf(7));
  gpu::Detector detector(test::device(), kFrames, {});
  const gpu::DetectionConfig now;
  gpu::DetectionConfig next, oneMask;
  test::edit(next).detect.method = DetectMethod::blobs;
  oneMask.masks = std::make_shared<const std::vector<gpu::LayerMask>>(1);
  const auto want = measured(detector, frame, now);
  {
    const Made made;
    Made::refuse = true;
    EXPECT_THROW(prepareAndWait(detector, next), Error);
    const int before = Made::refused;
    EXPECT_EQ(measured(detector, frame, now), want);
    EXPECT_TRUE(detector.prepare(now));
    EXPECT_FALSE(detector.prepare(next));
    while (Made::refused == before) std::this_thread::yield();
    EXPECT_NO_THROW(prepareAndWait(detector, now));
    // The next config is tried once the one before has ended.
    EXPECT_EQ(refusalOf(detector, oneMask), "there must be one mask for each camera")
        << "what is not wanted any more is not told of";
    EXPECT_THROW(measured(detector, frame, next), Error) << "unprepared, it says so itself";
    EXPECT_EQ(measured(detector, frame, now), want);
  }
  prepareAndWait(detector, next);  // there is room again
  EXPECT_NE(measured(detector, frame, next), want);

  next = now;
  next.masks = std::make_shared<const std::vector<gpu::LayerMask>>(
      2, gpu::LayerMask{3, 3, std::vector<uint8_t>(9, 1)});
  EXPECT_THROW(detector.prepareNow(next), Error) << "masks of another size";
  EXPECT_EQ(measured(detector, frame, now), want);
}

TEST(DetectionConfig, ADetectorMayGoWhileOneIsPrepared) {
  gpu::DetectionConfig config;
  test::edit(config).response = {ResponseKind::dog, 7.5, 2, false};
  gpu::Detector detector(test::device(), kFrames, {});
  EXPECT_FALSE(detector.prepare(config));
}

TEST(DetectionConfig, AFrameIsMeasuredAgainInTheMiddleOfARun) {
  gpu::FramePool pool(test::device(), kFrames, 3);
  gpu::Detector detector(test::device(), kFrames, {});
  gpu::DetectionConfig grey, dark;
  test::edit(dark).response.dark = true;
  dark.masks = maskColumns(40);
  measured(detector, lease(pool, imagesOf(0)), grey);
  const auto images = imagesOf(7);
  const auto frame = lease(pool, images);
  const auto statistics = detector.measure(frame, dark);
  for (uint32_t l = 0; l < kFrames.layers; ++l) {
    Image response = reference::inverted(images[l]);
    response.mask = (*dark.masks)[l].pixels;
    const auto want = reference::statistics(response);
    EXPECT_EQ(statistics[l].pixels, (40U + l) * kFrames.image.height);
    EXPECT_EQ(statistics[l].values.sumLow, want.sum);
    EXPECT_EQ(statistics[l].values.squaresLow, want.squares);
    EXPECT_EQ(statistics[l].values.most, want.most);
    EXPECT_EQ(statistics[l].values.mostIndex, want.mostIndex);
  }
  const auto first = measured(detector, frame, dark);
  EXPECT_NE(measured(detector, frame, grey), first);
  EXPECT_EQ(measured(detector, frame, dark), first) << "the same frame, paused";
  detector.submit(frame, grey, {});
  EXPECT_THROW(detector.measure(frame, grey), Error) << "its memory is in use";
  EXPECT_TRUE(detector.collect().has_value());
}

}  // namespace
}  // namespace glint
