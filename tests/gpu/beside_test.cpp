// Frames whose markers are measured while `scan` still searches for others give the same results as
// any other frame.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/error.h"
#include "config/filter_use.h"
#include "gpu/detect/detector.h"
#include "gpu/statistics.h"
#include "tests/gpu/marker_words.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/ways_scenes.h"

namespace glint {
namespace {

using reference::Image;
using test::Dice;

/// Makes a device with the kernels that wait, also on a CPU. On a CPU there are barriers before
/// them, so that validation, which does not know about the waiting, can stay on.
std::unique_ptr<gpu::Device> makeDevice() {
  const bool cpu = test::device().info().type == "cpu";
  return std::make_unique<gpu::Device>(
      gpu::Device::Options{.name = std::to_string(test::device().info().index),
                           .validation = cpu && std::getenv("GLINT_TEST_NO_VALIDATION") == nullptr,
                           .cacheFolder = "",
                           .wideLoads = false,
                           .wroteBeside = test::failOfGuards});
}

gpu::DetectorOptions options(bool beside, bool inVain = false) {
  return {.timing = gpu::Timing::none,
          .search = gpu::SearchOptions{
              .measureListed = true, .measureBesideScan = beside, .waitInVain = inVain}};
}

std::vector<uint32_t> wordsOf(const gpu::FrameResult& result) {
  std::vector<uint32_t> words;
  for (const gpu::LayerMeasurement& layer : result.layers) {
    test::appendWords(words, layer.luminance);
    test::appendWords(words, layer.response);
    words.push_back(static_cast<uint32_t>(layer.candidates));
    words.push_back(static_cast<uint32_t>(layer.ground.sum));
    words.push_back(static_cast<uint32_t>(layer.markers.size()));
    for (const shared::Detection& d : layer.markers) test::appendWords(words, d);
  }
  return words;
}

/// Measures frames of all kinds, one after another, with both detectors. Some have more candidates
/// than there is room for markers, and some take another way. None must influence the frames that
/// follow. Returns how many markers both have found.
size_t compare(const gpu::Device& device, const gpu::FrameFormat& format, bool inVain,
               uint32_t frames) {
  gpu::FramePool pool(device, format, 1);
  gpu::Detector plain(device, format, options(false)),
      beside(device, format, options(true, inVain));
  Dice dice(format.image.width + format.layers);
  size_t found = 0;
  for (uint32_t n = 0; n < frames; ++n) {
    SCOPED_TRACE("frame " + std::to_string(n));
    std::vector<Image> images;
    for (uint32_t i = 0; i < format.layers; ++i)
      images.push_back(test::makeScene((n / 2 + i) % test::kSceneKinds, format.image, dice));
    gpu::DetectionConfig config = test::someConfig(true, format, dice);
    test::edit(config).detect.method = DetectMethod::peaks;
    test::edit(config).detect.maxMarkers = dice.oneOf({1, 7, 100, 300});
    if (n % 4 == 3) {  // behind filters, the kernels wait at barriers
      test::edit(config).response.dark = false;
      for (const char* use : {"gaussian:sigma=1", "gamma:gamma=0.8"})
        test::edit(config).filters.push_back(filters::parseUse(use, "test"));
    }
    const auto feedback = gpu::makeFeedback(*config.settings, format.image,
                                            std::vector<gpu::LayerExpectation>(format.layers));
    const gpu::FrameLease frame = test::lease(pool, images);
    std::vector<std::vector<uint32_t>> words;
    for (gpu::Detector* detector : {&plain, &beside}) {
      detector->submit(frame, config, feedback);
      const auto result = detector->collect();
      if (!result) throw Error("there is no result");
      for (const auto& layer : result->layers) found += layer.markers.size();
      words.push_back(wordsOf(*result));
    }
    EXPECT_EQ(words[0], words[1]);
  }
  return found;
}

TEST(Beside, FramesAreMeasuredAsOneAfterTheOther) {
  const auto device = makeDevice();
  size_t found = compare(*device, {{61, 37, 1, 8}, 1}, false, 20);
  found += compare(*device, {{61, 37, 1, 8}, 3}, false, 10);
  found += compare(*device, {{61, 37, 1, 8}, 2}, true, 10);  // a kernel that waits in vain gives up
  EXPECT_GT(found, 100U);
  EXPECT_EQ(device->validationMessages(), 0U);
}

}  // namespace
}  // namespace glint
