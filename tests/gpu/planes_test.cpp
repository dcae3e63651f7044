// Planes of a frame that are kept for drawing.
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/plane_images.h"
#include "gpu/statistics.h"
#include "tests/gpu/blob_reference.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

using reference::Image;
using test::lease;

constexpr double kThreshold = 0.3;

/// Returns the words of a kept plane, once the timeline says that they are complete.
std::vector<uint32_t> wordsOf(const gpu::PlaneImages& planes, const gpu::PlaneImage& plane) {
  vk::SemaphoreWaitInfo wait{};
  const vk::Semaphore semaphore = *planes.timeline->semaphore;
  wait.setSemaphores(semaphore);
  wait.setValues(planes.value);
  EXPECT_EQ(test::device().handle().waitSemaphores(wait, uint64_t{60} * 1000000000),
            vk::Result::eSuccess);
  const gpu::Buffer host(test::device(), plane.buffer->size(), gpu::MemoryUse::readback,
                         "plane to look at");
  test::runNow([&](gpu::Recorder& r) { r.copy(*plane.buffer, host, host.size()); });
  const auto words = host.as<uint32_t>();
  return {words.begin(), words.end()};
}

/// Returns the values of a layer, row after row.
std::vector<uint16_t> valuesOf(const std::vector<uint32_t>& words, const gpu::PlaneImage& plane,
                               uint32_t layer) {
  std::vector<uint16_t> values;
  const uint32_t perWord = 32 / plane.format.bits;
  for (uint32_t y = 0; y < plane.format.height; ++y) {
    for (uint32_t x = 0; x < plane.format.width * plane.format.channels; ++x) {
      const size_t at = size_t{layer} * plane.shape.layerStride + y * plane.shape.pitch;
      const uint32_t word = words[at + x / perWord];
      values.push_back(static_cast<uint16_t>(word >> (x % perWord * plane.format.bits) &
                                             ((1U << plane.format.bits) - 1)));
    }
  }
  return values;
}

std::vector<uint16_t> candidatesOf(const Image& response, uint32_t threshold, DetectMethod method) {
  std::vector<uint16_t> bits(response.format.pixels(), 0);
  if (method == DetectMethod::blobs) {
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] = response.counts(i) && response.values[i] >= threshold;
  } else {
    for (const auto& peak : reference::candidates(response, threshold))
      bits[peak.y * response.format.width + peak.x] = 1;
  }
  return bits;
}

struct Case {
  uint32_t channels, bits, layers;
  Settings::Response response;
  DetectMethod method = DetectMethod::peaks;
  bool masked = false;
};

Image responseOf(const Image& grey, const Settings::Response& settings) {
  const bool dark = settings.dark || settings.kind == ResponseKind::inverted;
  const Image measured = dark ? reference::inverted(grey) : grey;
  if (settings.kind == ResponseKind::blur) return reference::blurred(measured, settings.radius);
  if (settings.kind == ResponseKind::dog)
    return reference::differenceOfGaussians(measured, settings.radius,
                                            static_cast<uint64_t>(settings.gain));
  return measured;
}

gpu::Masks maskStripes(const gpu::FrameFormat& format) {
  std::vector<gpu::LayerMask> masks;
  for (uint32_t l = 0; l < format.layers; ++l) {
    auto& mask = masks.emplace_back(gpu::LayerMask{format.image.width, format.image.height, {}});
    for (size_t i = 0; i < format.image.pixels(); ++i) mask.pixels.push_back((i / 5 + l) % 3 != 0);
  }
  return std::make_shared<const std::vector<gpu::LayerMask>>(std::move(masks));
}

shared::Feedback feedbackOf(const gpu::DetectionConfig& config, const gpu::FrameFormat& format) {
  return gpu::makeFeedback(*config.settings, format.image,
                           std::vector<gpu::LayerExpectation>(format.layers));
}

class KeptPlanes : public testing::TestWithParam<Case> {};

TEST_P(KeptPlanes, EqualTheirDefinitionsBitForBit) {
  const Case& c = GetParam();
  const gpu::FrameFormat format{{131, 67, c.channels, c.bits}, c.layers};
  gpu::DetectionConfig config;
  test::edit(config).detect.threshold = kThreshold;
  test::edit(config).detect.method = c.method;
  test::edit(config).response = c.response;
  config.planes = {true, true, true, true};
  if (c.masked) config.masks = maskStripes(format);
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector detector(test::device(), format, {});
  const uint32_t threshold = gpu::fixedThreshold(kThreshold, format.image.fullScale());
  for (const size_t pattern : {0U, 3U, 7U}) {
    SCOPED_TRACE(test::patterns()[pattern].name);
    const auto images = test::makeImages(test::patterns()[pattern], format.image, c.layers);
    detector.submit(lease(pool, images), config, feedbackOf(config, format));
    const auto planes = detector.collect()->planes;
    ASSERT_NE(planes, nullptr);
    EXPECT_EQ(planes->layers, c.layers);
    const auto source = wordsOf(*planes, planes->source);
    const auto luminance = wordsOf(*planes, planes->luminance);
    const auto response = wordsOf(*planes, planes->response);
    const auto candidates = wordsOf(*planes, planes->candidates);
    for (uint32_t l = 0; l < c.layers; ++l) {
      const Image grey = c.channels == 3 ? reference::luminance(images[l]) : images[l];
      Image want = responseOf(grey, c.response);
      if (c.masked) want.mask = (*config.masks)[l].pixels;
      EXPECT_EQ(valuesOf(source, planes->source, l), images[l].values);
      EXPECT_EQ(valuesOf(luminance, planes->luminance, l), grey.values);
      EXPECT_EQ(valuesOf(response, planes->response, l), want.values);
      EXPECT_EQ(valuesOf(candidates, planes->candidates, l),
                candidatesOf(want, threshold, c.method));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, KeptPlanes,
    testing::Values(Case{1, 8, 1, {ResponseKind::luminance, 2, 2, false}},
                    Case{3, 8, 2, {ResponseKind::luminance, 2, 2, true}},
                    Case{3, 16, 2, {ResponseKind::dog, 2, 3, false}, DetectMethod::peaks, true},
                    Case{1, 16, 3, {ResponseKind::blur, 2, 2, true}, DetectMethod::blobs, true},
                    Case{3, 8, 1, {ResponseKind::inverted, 2, 2, false}, DetectMethod::blobs}),
    [](const auto& c) { return "case" + std::to_string(c.index); });

/// Takes a frame whose colours are all grey. For its first `stated` layers, the writer has left out
/// all but the grey.
gpu::FrameLease neutralLease(gpu::FramePool& pool, const std::vector<Image>& greys,
                             uint32_t stated) {
  const std::shared_ptr<gpu::FrameSlot> slot = pool.take();
  for (uint32_t l = 0; l < greys.size(); ++l) {
    const gpu::ImageView view = slot->layer(l);
    const uint32_t width = view.format.width;
    for (uint32_t i = 0; i < view.format.pixels(); ++i) {
      const auto value = static_cast<std::byte>(greys[l].values[i]);
      const bool alone = l < stated && view.grey != nullptr;
      for (uint32_t channel = 0; channel < 3; ++channel)
        view.row(i / width)[i % width * 3 + channel] = alone ? std::byte{99} : value;
      if (alone) view.greyRow(i / width)[i % width] = value;
    }
    slot->set(l, {.neutral = l < stated});
  }
  return slot;
}

/// Returns each grey value three times.
std::vector<uint16_t> colourOf(const Image& grey) {
  std::vector<uint16_t> values;
  for (const uint16_t value : grey.values) values.insert(values.end(), 3, value);
  return values;
}

/// Returns the pixels of an image of 8 bits.
std::vector<uint16_t> pixelsOf(const gpu::ImageView& view) {
  std::vector<uint16_t> values;
  for (uint32_t y = 0; y < view.format.height; ++y)
    for (uint32_t x = 0; x < view.format.width * view.format.channels; ++x)
      values.push_back(std::to_integer<uint16_t>(view.row(y)[x]));
  return values;
}

// CPUs do not compute the luminance again. Other devices have no room for it, and nothing changes
// there.
TEST(KeptPlanes, NeutralFramesAreMeasuredAsTheirColourWouldBe) {
  const gpu::FrameFormat format{{131, 67, 3, 8}, 2};
  const gpu::ImageFormat grey{131, 67, 1, 8};
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector detector(test::device(), format, {});
  gpu::DetectionConfig config;
  test::edit(config).detect.threshold = kThreshold;
  config.planes = {.source = true, .luminance = true};
  const auto measure = [&](const std::vector<Image>& images, uint32_t stated) {
    const gpu::FrameLease frame = neutralLease(pool, images, stated);
    EXPECT_EQ(frame->neutral(), stated == 2 && frame->grey.has_value());
    detector.submit(frame, config, feedbackOf(config, format));
    return detector.collect();
  };
  for (const size_t pattern : {0U, 3U, 7U}) {
    SCOPED_TRACE(test::patterns()[pattern].name);
    const auto images = test::makeImages(test::patterns()[pattern], grey, 2);
    const auto want = measure(images, 0);
    for (const uint32_t stated : {1U, 2U}) {
      const auto got = measure(images, stated);
      const bool neutral = stated == 2 && test::device().info().type == "cpu";
      EXPECT_EQ(got->planes->source.format.channels, neutral ? 1U : 3U);
      const auto source = wordsOf(*got->planes, got->planes->source);
      const auto luminance = wordsOf(*got->planes, got->planes->luminance);
      for (uint32_t l = 0; l < 2; ++l) {
        EXPECT_EQ(valuesOf(luminance, got->planes->luminance, l), images[l].values);
        const auto shown = valuesOf(source, got->planes->source, l);
        EXPECT_EQ(shown, neutral ? images[l].values : colourOf(images[l]));
        const gpu::LayerMeasurement &a = want->layers[l], &b = got->layers[l];
        EXPECT_EQ(std::memcmp(&a.luminance, &b.luminance, sizeof a.luminance), 0);
        ASSERT_EQ(a.markers.size(), b.markers.size());
        for (size_t i = 0; i < a.markers.size(); ++i)
          EXPECT_EQ(std::memcmp(&a.markers[i], &b.markers[i], sizeof a.markers[i]), 0);
      }
    }
  }
}

// Readers of the frame itself see colour, and so do filters, for every frame of a slot.
TEST(KeptPlanes, NeutralFramesGetTheirColourWhenItIsLookedAt) {
  for (const uint32_t width : {1U, 2U, 3U, 4U, 7U, 64U, 131U}) {
    const gpu::FrameFormat format{{width, 9, 3, 8}, 2};
    const gpu::ImageFormat grey{width, 9, 1, 8};
    gpu::FramePool pool(test::device(), format, 1);
    for (const size_t pattern : {3U, 7U}) {
      SCOPED_TRACE(std::to_string(width) + " " + test::patterns()[pattern].name);
      const auto images = test::makeImages(test::patterns()[pattern], grey, 2);
      const gpu::FrameLease frame = neutralLease(pool, images, 2);
      std::vector<std::jthread> others;
      for (int i = 0; i < 2; ++i) others.emplace_back([&] { frame->layer(1); });
      for (uint32_t l = 0; l < 2; ++l) EXPECT_EQ(pixelsOf(frame->layer(l)), colourOf(images[l]));
    }
  }
}

const gpu::FrameFormat kSmall{{96, 40, 1, 8}, 1};

std::vector<Image> imagesOf(size_t pattern) {
  return test::makeImages(test::patterns()[pattern], kSmall.image, 1);
}

std::shared_ptr<const gpu::PlaneImages> keep(gpu::Detector& detector, gpu::FramePool& pool,
                                             size_t pattern, const gpu::PlaneSet& planes) {
  gpu::DetectionConfig config;
  test::edit(config).detect.threshold = kThreshold;
  config.planes = planes;
  detector.submit(lease(pool, imagesOf(pattern)), config, feedbackOf(config, kSmall));
  return detector.collect()->planes;
}

TEST(KeptPlanes, OnlyThoseThatAreWantedAreThere) {
  gpu::FramePool pool(test::device(), kSmall, 2);
  gpu::Detector detector(test::device(), kSmall, {});
  EXPECT_EQ(keep(detector, pool, 0, {}), nullptr);
  const auto one = keep(detector, pool, 0, {.response = true});
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->source.buffer, nullptr);
  EXPECT_EQ(one->luminance.buffer, nullptr);
  EXPECT_NE(one->response.buffer, nullptr);
  EXPECT_EQ(one->candidates.buffer, nullptr);
  EXPECT_EQ(keep(detector, pool, 0, {}), nullptr);
}

TEST(KeptPlanes, AreNotOverwrittenWhileTheyAreHeld) {
  gpu::FramePool pool(test::device(), kSmall, 2);
  gpu::Detector detector(test::device(), kSmall, {});
  const gpu::PlaneSet wanted{.source = true};
  std::vector<std::shared_ptr<const gpu::PlaneImages>> held;
  for (const size_t pattern : {0U, 3U, 7U}) held.push_back(keep(detector, pool, pattern, wanted));
  EXPECT_EQ(keep(detector, pool, 4, wanted), nullptr) << "nothing waits for who draws";
  const auto expectContents = [&](size_t which, size_t pattern) {
    const auto& planes = *held[which];
    EXPECT_EQ(valuesOf(wordsOf(planes, planes.source), planes.source, 0),
              imagesOf(pattern)[0].values);
  };
  expectContents(0, 0);
  expectContents(1, 3);
  expectContents(2, 7);
  held[1] = nullptr;
  held[1] = keep(detector, pool, 4, wanted);
  ASSERT_NE(held[1], nullptr);
  expectContents(0, 0);
  expectContents(1, 4);
  expectContents(2, 7);
}

TEST(KeptPlanes, OutliveTheDetector) {
  std::shared_ptr<const gpu::PlaneImages> planes;
  {
    gpu::FramePool pool(test::device(), kSmall, 2);
    gpu::Detector detector(test::device(), kSmall, {});
    planes = keep(detector, pool, 7, {.luminance = true});
  }
  EXPECT_EQ(valuesOf(wordsOf(*planes, planes->luminance), planes->luminance, 0),
            imagesOf(7)[0].values);
}

TEST(KeptPlanes, OutliveTheDevice) {
  std::shared_ptr<const gpu::PlaneImages> planes;
  {
    const gpu::Device device({.name = test::device().info().name,
                              .validation = false,
                              .cacheFolder = "",
                              .wroteBeside = test::failOfGuards});
    gpu::FramePool pool(device, kSmall, 2);
    gpu::Detector detector(device, kSmall, {});
    planes = keep(detector, pool, 7, {.luminance = true, .candidates = true});
    ASSERT_NE(planes, nullptr);
  }
  EXPECT_GE(planes->timeline->semaphore.getCounterValue(), planes->value);
  planes = nullptr;  // now the Vulkan device is destroyed, too
}

}  // namespace
}  // namespace glint
