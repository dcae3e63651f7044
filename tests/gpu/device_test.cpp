// The device: its queue between threads, the capabilities that others may ask for, and its loss;
// and the recorder.
#include "gpu/device.h"

#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/ticks.h"
#include "spirv/invert.h"
#include "tests/gpu/device_loss.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

gpu::Device::Options options() {
  const char* name = std::getenv("GLINT_TEST_DEVICE");
  return {.name = name != nullptr ? name : "",
          .validation = false,
          .cacheFolder = "",
          .wroteBeside = test::failOfGuards};
}

TEST(Ticks, DifferenceOfTwoTimeStamps) {
  EXPECT_EQ(gpu::ticksBetween(5, 12, 64), 7U);
  EXPECT_EQ(gpu::ticksBetween(5, 5, 1), 0U);
  EXPECT_EQ(gpu::ticksBetween(1, 0, 1), 1U);
  // The ticks pass the end of their range.
  EXPECT_EQ(gpu::ticksBetween(~uint64_t{0} - 1, 3, 64), 5U);
  EXPECT_EQ(gpu::ticksBetween((uint64_t{1} << 36) - 2, 3, 36), 5U);
  EXPECT_EQ(gpu::ticksBetween(0xfffffffe, 3, 32), 5U);
  // Bits that are not valid may have any value.
  EXPECT_EQ(gpu::ticksBetween(0xabcd000000000005, 0x123400000000000c, 36), 7U);
  EXPECT_EQ(gpu::ticksBetween(0xabcdf000000000fe, 0x1234000000000003, 8), 5U);
}

/// Records a pass that is valid, and one with too few buffers.
void recordNonsense(gpu::Recorder& recorder, const test::DevicePlane& plane) {
  static const auto* const kernel = new gpu::Kernel(test::device(), "invert", invert_spirv, {{8U}});
  recorder.clear(plane.buffer);
  recorder.run(*kernel, {&plane.buffer}, shared::InvertParams{plane.shape}, {});
}

TEST(Recorder, ARecordingThatBrokeOffIsForgotten) {
  const auto images = test::makeImages(test::patterns()[0], {40, 30, 1, 8}, 1);
  const test::DevicePlane in(images), out(images[0].format, 1);
  gpu::Recorder recorder(test::device());
  for (int i = 0; i < 3; ++i) {
    recorder.begin();
    EXPECT_THROW(recordNonsense(recorder, in), Error);
  }
  EXPECT_EQ(in.read()[0].values, images[0].values) << "what was recorded before did not run";
  recorder.begin();
  test::passes(8).invert(recorder, in.plane(), out.plane());
  recorder.submit();
  recorder.wait();
  EXPECT_EQ(out.read()[0].values, reference::inverted(images[0]).values);
  EXPECT_LE(recorder.times().size(), 1U) << "times of passes that never ran";
  recorder.begin();
  EXPECT_THROW(recordNonsense(recorder, in), Error);
}  // the destructor waits for nothing that never comes

TEST(Device, TwoThreadsShareItsQueue) {
  const auto images = test::makeImages(test::patterns()[0], {40, 30, 1, 8}, 1);
  const gpu::Passes& passes = test::passes(8);  // made by one thread
  const auto work = [&] {
    const test::DevicePlane in(images), out(images[0].format, 1);
    gpu::Recorder recorder(test::device());
    for (int i = 0; i < 100; ++i) {
      recorder.begin();
      passes.invert(recorder, in.plane(), out.plane());
      recorder.submit();
      recorder.wait();
      test::device().withQueue([](const vk::raii::Queue& queue) { queue.submit({}); });
    }
    EXPECT_EQ(out.read()[0].values, reference::inverted(images[0]).values);
  };
  std::thread other(work);
  work();
  other.join();
}

TEST(Device, QueuePresentsWhereAskedFor) {
  auto wanted = options();
  std::vector<uint32_t> asked;
  wanted.canPresent = [&](VkInstance instance, VkPhysicalDevice physical, uint32_t family) {
    EXPECT_NE(instance, nullptr);
    EXPECT_NE(physical, nullptr);
    asked.push_back(family);
    return true;
  };
  const gpu::Device device(wanted);
  EXPECT_NE(std::find(asked.begin(), asked.end(), device.queueFamily()), asked.end());
  const vk::raii::Context context;
  const vk::raii::Instance instance(context, vk::InstanceCreateInfo{});
  const auto families =
      vk::raii::PhysicalDevice(instance, device.physical()).getQueueFamilyProperties();
  const auto flags = families[device.queueFamily()].queueFlags;
  EXPECT_TRUE(flags & vk::QueueFlagBits::eCompute && flags & vk::QueueFlagBits::eGraphics);
}

TEST(Device, WhatItCannotGiveIsRefusedInWords) {
  const auto refusal = [](gpu::Device::Options wanted) -> std::string {
    try {
      const gpu::Device device(wanted);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  auto wanted = options();
  wanted.canPresent = [](VkInstance, VkPhysicalDevice, uint32_t) { return false; };
  EXPECT_NE(refusal(wanted).find("show pictures"), std::string::npos);
  wanted = options();
  wanted.deviceExtensions = {"VK_GLINT_unheard_of"};
  EXPECT_NE(refusal(wanted).find("VK_GLINT_unheard_of"), std::string::npos);
  wanted = options();
  wanted.instanceExtensions = {"VK_GLINT_unheard_of"};
  EXPECT_NE(refusal(wanted).find("VK_GLINT_unheard_of"), std::string::npos);
}

TEST(Device, GivesExtensionsThatOthersAskFor) {
  auto wanted = options();
  wanted.instanceExtensions = {"VK_KHR_surface"};
  wanted.deviceExtensions = {"VK_KHR_swapchain"};
  try {
    const gpu::Device device(wanted);
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();  // the driver has no window system
  }
}

const gpu::FrameFormat kSmall{{64, 48, 1, 8}, 1};

std::optional<gpu::FrameResult> detect(gpu::Detector& detector, const gpu::FrameLease& frame) {
  const Settings settings;
  detector.submit(frame, {std::make_shared<const Settings>(settings)},
                  gpu::makeFeedback(settings, kSmall.image, std::vector<gpu::LayerExpectation>(1)));
  return detector.collect();
}

TEST(DeviceLoss, IsToldApartAndEverythingCanBeMadeAnew) {
  const auto images = test::makeImages(test::patterns()[7], kSmall.image, 1);
  std::vector<shared::Detection> before;
  {
    const gpu::Device device(options());
    gpu::FramePool pool(device, kSmall, 2);
    gpu::Detector detector(device, kSmall, {});
    const auto frame = test::lease(pool, images);
    before = detect(detector, frame)->layers[0].markers;
    ASSERT_FALSE(before.empty());
    test::lose(device);
    EXPECT_THROW(detect(detector, frame), gpu::DeviceLost);
    EXPECT_THROW(detect(detector, frame), gpu::DeviceLost) << "it stays lost";
    EXPECT_THROW(device.withQueue([](const vk::raii::Queue& queue) { queue.submit({}); }),
                 gpu::DeviceLost);
    EXPECT_EQ(frame->layer(0).row(0)[0], std::byte(images[0].values[0])) << "pixels stay readable";
  }
  const gpu::Device device(options());
  gpu::FramePool pool(device, kSmall, 2);
  gpu::Detector detector(device, kSmall, {});
  const auto after = detect(detector, test::lease(pool, images));
  EXPECT_EQ(after->layers[0].markers.size(), before.size());
}

TEST(DeviceLoss, WhileAFrameIsOnTheDevice) {
  const gpu::Device device(options());
  gpu::FramePool pool(device, kSmall, 2);
  gpu::Detector detector(device, kSmall, {});
  const Settings settings;
  const auto images = test::makeImages(test::patterns()[7], kSmall.image, 1);
  detector.submit(test::lease(pool, images), {std::make_shared<const Settings>(settings)},
                  gpu::makeFeedback(settings, kSmall.image, std::vector<gpu::LayerExpectation>(1)));
  test::lose(device);
  EXPECT_THROW(detector.collect(), gpu::DeviceLost);
}

TEST(Device, LivesAsLongAsAFrameIsHeld) {
  gpu::FrameLease frame;
  const auto images = test::makeImages(test::patterns()[0], kSmall.image, 1);
  {
    const gpu::Device device(options());
    gpu::FramePool pool(device, kSmall, 2);
    frame = test::lease(pool, images);
  }
  EXPECT_EQ(frame->layer(0).row(47)[63], std::byte(images[0].values.back()));
}

}  // namespace
}  // namespace glint
