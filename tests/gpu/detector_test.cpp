// The whole detector: upload, colour, layers, the delay of one frame, devices and the frame pool.
#include "gpu/detect/detector.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "config/error.h"
#include "gpu/detect/blobs.h"
#include "gpu/statistics.h"
#include "tests/gpu/blob_reference.h"
#include "tests/gpu/marker_words.h"
#include "tests/gpu/refine_reference.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/spots.h"

namespace glint {
namespace {

using reference::Image;
using test::lease;

/// Checks that the result contains what the definitions find in `images` at a threshold.
void expectResult(const gpu::FrameResult& result, const std::vector<Image>& responses,
                  uint32_t threshold, const Settings& settings) {
  for (size_t l = 0; l < responses.size(); ++l) {
    const auto& layer = result.layers[l];
    EXPECT_EQ(layer.threshold, threshold);
    EXPECT_EQ(layer.candidates, reference::candidates(responses[l], threshold).size());
    const auto want = reference::peaks(responses[l], threshold, settings.detect.separation,
                                       static_cast<size_t>(settings.detect.maxMarkers));
    ASSERT_EQ(layer.markers.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(layer.markers[i].peakX, want[i].x);
      EXPECT_EQ(layer.markers[i].peakY, want[i].y);
      EXPECT_EQ(layer.markers[i].peak, want[i].value);
    }
    const auto s = reference::statistics(responses[l]);
    EXPECT_EQ(layer.response.most, s.most);
    EXPECT_EQ(layer.response.mostIndex, s.mostIndex);
    EXPECT_EQ(layer.response.sumLow, static_cast<uint32_t>(s.sum));
  }
}

struct Case {
  uint32_t channels, bits, layers;
  ResponseKind kind;
  bool dark = false;
};

const char* nameOfKind(ResponseKind kind) {
  switch (kind) {
    case ResponseKind::luminance:
      return "luminance";
    case ResponseKind::inverted:
      return "inverted";
    case ResponseKind::blur:
      return "blur";
    case ResponseKind::dog:
      return "dog";
  }
  return "";
}

Image responseOf(const Image& grey, const Settings::Response& settings) {
  const bool dark = settings.dark || settings.kind == ResponseKind::inverted;
  const Image measured = dark ? reference::inverted(grey) : grey;
  if (settings.kind == ResponseKind::blur) return reference::blurred(measured, settings.radius);
  if (settings.kind == ResponseKind::dog)
    return reference::differenceOfGaussians(measured, settings.radius,
                                            static_cast<uint64_t>(settings.gain));
  return measured;
}

class WholeDetector : public testing::TestWithParam<Case> {};

TEST_P(WholeDetector, EqualsTheDefinitions) {
  const auto [channels, bits, layers, kind, dark] = GetParam();
  const gpu::FrameFormat format{{123, 77, channels, bits}, layers};
  Settings settings;
  settings.response = {.kind = kind, .radius = 2, .gain = 3, .dark = dark};
  const double fraction = kind == ResponseKind::dog ? 0.06 : 0.4;
  settings.detect.threshold = fraction;
  settings.detect.separation = 4.5;
  settings.refine.method = RefineMethod::none;  // in noise, several peaks would be measured as one
  gpu::FramePool pool(test::device(), format, 2);
  const auto threshold = gpu::fixedThreshold(fraction, format.image.fullScale());
  for (const bool measureListed : {false, true}) {
    gpu::SearchOptions search = test::usualSearch();
    search.measureListed = measureListed;
    gpu::Detector detector(test::device(), format, {.search = search});
    for (const auto& pattern : test::patterns()) {
      SCOPED_TRACE(pattern.name + (measureListed ? ", listed ones measured" : ""));
      auto responses = test::makeImages(pattern, format.image, layers);
      const auto frame = lease(pool, responses);
      for (auto& image : responses) {
        if (channels == 3) image = reference::luminance(image);
        image = responseOf(image, settings.response);
      }
      detector.submit(
          frame, {std::make_shared<const Settings>(settings)},
          gpu::makeFeedback(settings, format.image, std::vector<gpu::LayerExpectation>(layers)));
      const auto result = detector.collect();
      ASSERT_TRUE(result.has_value());
      expectResult(*result, responses, threshold, settings);
      EXPECT_FALSE(result->times.empty());
    }
    EXPECT_FALSE(detector.collect().has_value());
  }
}

std::string nameOfCase(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return std::string(c.channels == 3 ? "color" : "grey") + std::to_string(c.bits) + "_" +
         std::to_string(c.layers) + "layers_" + (c.dark ? "dark_" : "") + nameOfKind(c.kind);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, WholeDetector,
    testing::Values(Case{1, 8, 1, ResponseKind::luminance}, Case{1, 16, 3, ResponseKind::inverted},
                    Case{3, 8, 2, ResponseKind::luminance},
                    Case{3, 16, 16, ResponseKind::luminance}, Case{3, 8, 5, ResponseKind::inverted},
                    Case{1, 8, 2, ResponseKind::blur}, Case{3, 16, 2, ResponseKind::dog},
                    Case{1, 8, 1, ResponseKind::luminance, true},
                    Case{1, 16, 2, ResponseKind::dog, true}),
    nameOfCase);

/// The dot on a slope is searched in the difference of Gaussians, and measured in the image itself.
TEST(Detector, MeasuresMarkersInTheLuminanceAlsoWhenSoughtElsewhere) {
  const gpu::FrameFormat format{{64, 48, 1, 16}, 1};
  for (const bool dark : {false, true}) {
    Image image{format.image, {}};
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 64; ++x) {
        const double spot = 8000 * std::exp(-((x - 30.25) * (x - 30.25) + (y - 20.5) * (y - 20.5)) /
                                            (2 * 1.5 * 1.5));
        image.values.push_back(static_cast<uint16_t>(30000 + 20 * x + (dark ? -spot : spot)));
      }
    }
    Settings settings;
    settings.response = {.kind = ResponseKind::dog, .radius = 3, .gain = 2, .dark = dark};
    settings.detect.threshold = 0.02;
    gpu::FramePool pool(test::device(), format, 2);
    gpu::Detector detector(test::device(), format, {});
    detector.submit(
        lease(pool, {image}), {std::make_shared<const Settings>(settings)},
        gpu::makeFeedback(settings, format.image, std::vector<gpu::LayerExpectation>(1)));
    const auto markers = detector.collect()->layers[0].markers;
    ASSERT_EQ(markers.size(), 1U);
    const reference::Peak peak{
        markers[0].peakX, markers[0].peakY,
        (dark ? reference::inverted(image) : image).at(markers[0].peakX, markers[0].peakY)};
    const auto want = reference::refine(dark ? reference::inverted(image) : image, peak, 0);
    EXPECT_NEAR(markers[0].x, want.x, 1e-3);
    EXPECT_NEAR(markers[0].y, want.y, 1e-3);
    EXPECT_NEAR(markers[0].x, 30.25, 0.1);
    EXPECT_NEAR(markers[0].mass, want.mass, 1e-3 * want.mass);
    EXPECT_NEAR(markers[0].background, dark ? 65535 - 30600 : 30600, 300);
  }
}

/// Checks a marker that was made from a blob and not refined, by the definition of blobs.
void expectBlob(const shared::Detection& d, const reference::Blob& want, uint32_t threshold) {
  EXPECT_EQ((reference::Peak{d.peakX, d.peakY, d.peak}), want.peak);
  const auto mass = static_cast<double>(want.mass);
  EXPECT_NEAR(d.x, static_cast<double>(want.massX) / mass, 1e-4);
  EXPECT_NEAR(d.y, static_cast<double>(want.massY) / mass, 1e-4);
  EXPECT_EQ(d.mass, static_cast<float>(want.mass));
  EXPECT_NEAR(d.radius, std::sqrt(static_cast<double>(want.area) / M_PI), 1e-5);
  // For eccentricities near 0, only the square is exact.
  EXPECT_NEAR(d.eccentricity * d.eccentricity, want.eccentricity() * want.eccentricity(), 1e-4);
  EXPECT_EQ(d.background, static_cast<float>(threshold) - 1);
}

/// The frames have masks, and more blobs than there is room for at first. The method changes
/// between frames.
TEST(DetectorBlobs, EqualTheirDefinition) {
  const gpu::FrameFormat format{{800, 540, 1, 8}, 2};
  gpu::DetectionConfig config;
  Settings settings;
  settings.detect.threshold = 0.93;
  settings.detect.separation = 9;
  settings.detect.maxMarkers = 700;
  settings.detect.maxEccentricity = 1;
  settings.refine.method = RefineMethod::none;
  const auto threshold = gpu::fixedThreshold(0.93, 255);
  auto images = test::makeImages(test::patterns()[0], format.image, 2);
  std::vector<gpu::LayerMask> masks;
  for (auto& image : images) {
    image.mask.assign(format.image.pixels(), 1);
    if (&image != &images[0]) std::fill_n(image.mask.begin(), 800 * 100 + 37, uint8_t{0});
    masks.push_back({800, 540, image.mask});
  }
  config.masks = std::make_shared<const std::vector<gpu::LayerMask>>(std::move(masks));
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector detector(test::device(), format, {});
  const auto feedback =
      gpu::makeFeedback(settings, format.image, std::vector<gpu::LayerExpectation>(2));
  for (const auto method : {DetectMethod::blobs, DetectMethod::peaks, DetectMethod::blobs}) {
    settings.detect.method = method;
    config.settings = std::make_shared<const Settings>(settings);
    detector.submit(lease(pool, images), config, feedback);
    const auto result = detector.collect();
    if (method == DetectMethod::peaks) continue;
    for (size_t l = 0; l < 2; ++l) {
      SCOPED_TRACE("layer " + std::to_string(l));
      const auto all = reference::blobs(images[l], threshold).all;
      ASSERT_GT(all.size(), l == 0 ? gpu::Blobs::kFirstCapacity : 0) << "too few to need more room";
      for (const auto& blob : all) ASSERT_LT(blob.area, 16U) << "large enough to be cut";
      EXPECT_EQ(result->layers[l].candidates, all.size());
      EXPECT_FALSE(result->layers[l].partial);
      EXPECT_EQ(result->layers[l].response.sumLow, reference::statistics(images[l]).sum);
      const auto want = reference::rank(all, settings.detect.separation, 700);
      const auto& markers = result->layers[l].markers;
      ASSERT_EQ(want.size(), 700U);
      ASSERT_EQ(markers.size(), want.size());
      for (size_t i = 0; i < want.size(); ++i) {
        SCOPED_TRACE("rank " + std::to_string(i));
        expectBlob(markers[i], want[i], threshold);
      }
    }
  }
}

/// The passes that find blobs in 8-bit images of discs and refine them.
class BlobFinder {
 public:
  BlobFinder(uint32_t width, uint32_t height)
      : format_{{width, height, 1, 8}, 1},
        pool_(test::device(), format_, 2),
        detector_(test::device(), format_, {}) {
    settings_.detect.method = DetectMethod::blobs;
    settings_.detect.threshold = 0.5;
  }

  /// Returns the blobs from left to right.
  std::vector<shared::Detection> find(const std::vector<test::Marker>& discs) {
    const auto [width, height] = std::pair(format_.image.width, format_.image.height);
    const Image image = test::expose(test::render(width, height, discs, 10), width, {}, random_);
    detector_.submit(
        lease(pool_, {image}), {std::make_shared<const Settings>(settings_)},
        gpu::makeFeedback(settings_, format_.image, std::vector<gpu::LayerExpectation>(1)));
    auto found = detector_.collect().value().layers[0].markers;
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    return found;
  }

 private:
  gpu::FrameFormat format_;
  Settings settings_;
  std::mt19937_64 random_{11};
  gpu::FramePool pool_;
  gpu::Detector detector_;
};

TEST(DetectorBlobs, TouchingDiscsStayWhereTheyAre) {
  BlobFinder finder(200, 120);
  for (const double radius : {10.0, 20.0, 40.0}) {
    for (const double gap : {0.0, 1.0, 2.0, 4.0, 8.0}) {
      for (const double amplitude : {180.0, 400.0}) {
        SCOPED_TRACE(std::to_string(radius) + " px, gap " + std::to_string(gap) + ", amplitude " +
                     std::to_string(amplitude));
        const double half = radius + gap / 2;
        const test::Marker left{
            .x = 100 - half, .y = 60, .amplitude = amplitude, .sigma = 0.6, .radius = radius};
        test::Marker right = left;
        right.x = 100 + half;
        const auto found = finder.find({left, right});
        ASSERT_EQ(found.size(), 2U);
        EXPECT_NEAR(found[0].x, left.x, 0.25);
        EXPECT_NEAR(found[1].x, right.x, 0.25);
        for (const auto& d : found) {
          EXPECT_NEAR(d.y, 60, 0.25);
          EXPECT_NEAR(d.radius, radius, 0.06 * radius);
          EXPECT_TRUE(gap > 0 || (d.flags & shared::kFlagMerged) != 0);
        }
      }
    }
  }
}

TEST(DetectorBlobs, WhatNoWindowHoldsKeepsItsOwnMeasures) {
  const test::Marker disc{.x = 250.3, .y = 249.6, .amplitude = 400, .sigma = 0.6, .radius = 200};
  const auto found = BlobFinder(500, 500).find({disc});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].x, disc.x, 0.05);
  EXPECT_NEAR(found[0].y, disc.y, 0.05);
  EXPECT_NEAR(found[0].radius, 200, 2);
  EXPECT_LE(found[0].sigmaX, 10.5);
  EXPECT_FALSE(found[0].flags & shared::kFlagMerged);
}

/// Returns the markers and counts of frames of markers and noise, one after another, as words to
/// compare them.
std::vector<std::vector<uint32_t>> wordsOf(const std::vector<std::vector<Image>>& frames,
                                           const gpu::DetectorOptions& options) {
  const gpu::FrameFormat format{frames[0][0].format, static_cast<uint32_t>(frames[0].size())};
  Settings settings;
  settings.detect.threshold = 0.3;
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector detector(test::device(), format, options);
  std::vector<std::vector<uint32_t>> words;
  for (const auto& images : frames) {
    detector.submit(lease(pool, images), {std::make_shared<const Settings>(settings)},
                    gpu::makeFeedback(settings, format.image,
                                      std::vector<gpu::LayerExpectation>(format.layers)));
    const gpu::FrameResult result = detector.collect().value();
    for (const auto& layer : result.layers) words.push_back(test::markerWords(layer));
  }
  return words;
}

TEST(Detector, FindsTheSameWhetherListedOnesAreMeasuredOrAcceptedOnes) {
  std::mt19937_64 random(5);
  std::vector<std::vector<Image>> frames;
  // The frames have few candidates, then many (so that the frame is measured again), and then few
  // once more.
  for (const uint32_t side : {3U, 12U, 60U, 3U, 5U}) {
    auto& layers = frames.emplace_back();
    for (uint32_t layer = 0; layer < 2; ++layer) {
      std::vector<test::Marker> markers;
      for (uint32_t i = 0; i < side * side; ++i)
        markers.push_back({.x = (i % side + 0.5) * 360 / side + layer,
                           .y = (i / side + 0.5) * 240 / side,
                           .amplitude = 150,
                           .sigma = side < 20 ? 1.5 : 0.8});
      layers.push_back(test::expose(test::render(360, 240, markers, 10), 360, {}, random));
    }
  }
  const auto wordsBy = [&](const gpu::SearchOptions& search) {
    return wordsOf(frames, {.search = search});
  };
  const auto accepted = wordsBy({.measureListed = false});
  EXPECT_EQ(accepted, wordsBy({.measureListed = true}));
  EXPECT_EQ(accepted, wordsBy({.measureListed = true, .rehearse = true}));
  EXPECT_EQ(accepted, wordsBy(test::usualSearch()));
  EXPECT_GT(accepted[4][0], 1000U) << "more than are measured";
  EXPECT_GT(accepted[0].size(), 9U * 12);
}

TEST(Detector, TimesAreTakenOfFramesThatAskForThem) {
  if (test::device().timestampBits() == 0) GTEST_SKIP() << "the device has no time stamps";
  const gpu::FrameFormat format{{64, 48, 1, 8}, 1};
  gpu::FramePool pool(test::device(), format, 2);
  const auto frame = test::lease(pool, test::makeImages(test::patterns()[0], format.image, 1));
  gpu::Detector detector(test::device(), format, {});
  for (const bool timed : {true, false, false, true, true, false}) {
    gpu::DetectionConfig config;
    config.timed = timed;
    detector.measure(frame, config);
    EXPECT_EQ(detector.measureTimes().empty(), !timed);
    detector.submit(frame, config, {});
    EXPECT_EQ(detector.collect()->times.empty(), !timed);
  }
}

TEST(DetectorFeedback, MeasureGivesFrameZeroItsOwnStatistics) {
  const gpu::FrameFormat format{{200, 100, 1, 8}, 2};
  const Settings settings;
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector detector(test::device(), format, {});
  const auto images = test::makeImages(test::patterns()[7], format.image, 2);
  const auto measured =
      detector.measure(lease(pool, images), {std::make_shared<const Settings>(settings)});
  ASSERT_EQ(measured.size(), 2U);
  for (size_t l = 0; l < 2; ++l) {
    const auto s = reference::statistics(images[l]);
    EXPECT_EQ(measured[l].values.sumLow, static_cast<uint32_t>(s.sum));
    EXPECT_EQ(measured[l].values.squaresLow, static_cast<uint32_t>(s.squares));
  }
}

TEST(DetectorFeedback, PredictionsAreSharedFairlyWhenThereAreTooMany) {
  std::vector<gpu::LayerExpectation> layers(3);
  layers[0].predictions.resize(shared::kMaxPredictions, {1, 1, 1, 1});
  layers[1].predictions.resize(5, {2, 2, 2, 2});
  layers[2].predictions.resize(shared::kMaxPredictions, {3, 3, 3, 3});
  const auto feedback = gpu::makeFeedback(Settings(), {64, 64, 1, 8}, layers);
  EXPECT_EQ(feedback.layers[1].predictionCount, 5U);
  EXPECT_EQ(feedback.layers[0].predictionCount + 5 + feedback.layers[2].predictionCount,
            shared::kMaxPredictions);
  EXPECT_LE(feedback.layers[0].predictionCount - feedback.layers[2].predictionCount, 1U);
  EXPECT_EQ(feedback.predictions[feedback.layers[1].firstPrediction].track, 2U);
  EXPECT_EQ(feedback.predictions[feedback.layers[2].firstPrediction].track, 3U);
}

TEST(Detector, RefusesFormatsItCannotMeasure) {
  EXPECT_THROW(gpu::Detector(test::device(), {{0, 10, 1, 8}, 1}, {}), Error);
  EXPECT_THROW(gpu::Detector(test::device(), {{40000, 10, 1, 8}, 1}, {}), Error);
  EXPECT_THROW(gpu::Detector(test::device(), {{64, 64, 1, 8}, 17}, {}), Error);
}

TEST(Device, RefusalsAreSentences) {
  try {
    gpu::Device missing({.name = "no such device"});
    FAIL() << "a device that does not exist was opened";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("no such device"), std::string::npos);
    EXPECT_NE(text.find(test::device().info().name), std::string::npos) << "names what there is";
  }
  const auto all = gpu::Device::list();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].index, 0U);
}

TEST(Device, TooLargeABufferIsRefusedInWords) {
  try {
    const gpu::Buffer buffer(test::device(), size_t{1} << 45, gpu::MemoryUse::device,
                             "a huge plane");
    FAIL() << "32 TiB were granted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a huge plane"), std::string::npos);
  }
}

}  // namespace
}  // namespace glint
