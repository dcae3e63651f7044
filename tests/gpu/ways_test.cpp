// A frame has the same markers, bit for bit, whatever way they are searched for, and whatever the
// detector did before. They are those of the definitions.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/statistics.h"
#include "tests/gpu/marker_words.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/ways_scenes.h"

namespace glint {
namespace {

using reference::Image;
using test::Dice;

struct Way {
  const char* name;
  gpu::DetectorOptions options;
};

/// Returns the ways, the most different ones first. Only on a CPU does the host decide, and only
/// there are recordings without time stamps kept.
std::vector<Way> makeWays() {
  const bool cpu = test::device().info().type == "cpu";
  return {
      {"kernels decide, then peaks are measured",
       {.timing = gpu::Timing::none, .search = gpu::SearchOptions{}}},
      {"kernels decide, listed ones are measured, in parts, recorded anew",
       {.timing = gpu::Timing::passes,
        .search =
            gpu::SearchOptions{.measureListed = true, .measureInParts = true, .rehearse = true}}},
      {"as usual", {}},
      {"the host decides, all are measured at once",
       {.timing = gpu::Timing::whole,
        .search = gpu::SearchOptions{.hostDecides = cpu, .measureListed = true}}},
      {"kernels decide, listed ones are measured",
       {.timing = gpu::Timing::none, .search = gpu::SearchOptions{.measureListed = true}}},
      {"the host decides, then peaks are measured, in parts",
       {.timing = gpu::Timing::none,
        .search = gpu::SearchOptions{.hostDecides = cpu, .measureInParts = true}}}};
}

const std::vector<Way>& ways() {
  static const std::vector<Way> all = makeWays();
  return all;
}

/// Returns everything that is valid in a layer as words, to compare it.
std::vector<uint32_t> wordsOf(const gpu::LayerMeasurement& layer) {
  std::vector<uint32_t> words;
  if (!layer.stamp) return words;
  test::appendWords(words, layer.luminance);
  test::appendWords(words, layer.response);
  for (const size_t count :
       {layer.pixels, size_t{layer.threshold}, size_t{layer.prominence}, size_t{layer.candidates},
        size_t{layer.partial}, size_t{layer.elongated}, size_t{layer.ground.all},
        size_t{layer.ground.used}, size_t{layer.ground.bright}, layer.ground.sum,
        layer.markers.size(), layer.rejected.size()})
    words.push_back(static_cast<uint32_t>(count));
  for (const shared::Detection& d : layer.markers) test::appendWords(words, d);
  for (const gpu::Rejected& r : layer.rejected) {
    words.insert(words.end(),
                 {static_cast<uint32_t>(r.reason), r.nearestRank, r.candidates,
                  static_cast<uint32_t>(r.measured), r.seen.peakX, r.seen.peakY, r.seen.peak});
    if (r.measured) test::appendWords(words, r.seen);
  }
  return words;
}

/// Returns the image in which the markers of a layer are searched.
Image responseOf(Image image, const Settings::Response& settings, const gpu::LayerMask& mask) {
  if (image.format.channels == 3) image = reference::luminance(image);
  if (settings.dark) image = reference::inverted(image);
  if (settings.kind == ResponseKind::blur) image = reference::blurred(image, settings.radius);
  if (settings.kind == ResponseKind::dog)
    image = reference::differenceOfGaussians(image, settings.radius,
                                             static_cast<uint64_t>(settings.gain));
  image.mask = mask.pixels;
  return image;
}

/// Checks that a marker has the flag that a comparison with all predictions gives it, except for
/// rounding.
void expectFlagged(const shared::Detection& d, const shared::Feedback& feedback, size_t layer) {
  const auto& own = feedback.layers[layer];
  bool within = false, nearly = false;
  for (uint32_t i = 0; i < own.predictionCount; ++i) {
    const shared::Prediction& p = feedback.predictions[own.firstPrediction + i];
    const double beyond = std::hypot(double{d.x} - p.x, double{d.y} - p.y) - double{p.gate};
    within |= beyond <= 0;
    nearly |= beyond != 0 && std::abs(beyond) < 1e-3;
  }
  if (nearly) return;
  EXPECT_EQ((d.flags & shared::kFlagExpected) != 0, within) << d.x << ", " << d.y;
}

void expectStatisticsOf(const shared::PlaneStatistics& s, const Image& image) {
  const reference::Statistics got = reference::statisticsOf(s);
  EXPECT_EQ(got, reference::statistics(image)) << "the greatest at " << s.mostIndex;
}

/// Checks a layer with this response against the definitions.
void expectDefined(const gpu::LayerMeasurement& layer, const Image& response,
                   const Settings& settings) {
  expectStatisticsOf(layer.response, response);
  if (settings.detect.method == DetectMethod::blobs) return;
  EXPECT_EQ(layer.candidates,
            reference::candidates(response, layer.threshold, layer.prominence).size());
  if (settings.refine.method != RefineMethod::none) return;
  const auto peaks =
      reference::peaks(response, layer.threshold, settings.detect.separation,
                       static_cast<size_t>(settings.detect.maxMarkers), layer.prominence);
  ASSERT_EQ(layer.markers.size(), peaks.size());
  for (size_t i = 0; i < peaks.size(); ++i) {
    const shared::Detection& d = layer.markers[i];
    EXPECT_EQ((reference::Peak{d.peakX, d.peakY, d.peak}), peaks[i]) << "rank " << i;
    EXPECT_EQ(d.x, static_cast<float>(peaks[i].x));
    EXPECT_EQ(d.y, static_cast<float>(peaks[i].y));
  }
}

/// A frame, and the config with which it is measured.
struct WaysTask {
  std::vector<Image> images;  ///< the last layers may have no image
  gpu::FrameLease frame;
  gpu::DetectionConfig config;
  shared::Feedback feedback{};

  gpu::LayerMask maskOf(size_t layer) const {
    return config.masks ? (*config.masks)[layer] : gpu::LayerMask();
  }
};

/// The scenes of a run.
struct Scenes {
  std::vector<uint32_t> kinds{0, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8, 9};  ///< kinds of makeScene()
  bool fitted = false;  ///< true if all settings measure peaks
};

/// Counts of what a run has met, so that a test can check that it tests something.
struct WaysSeen {
  size_t markers = 0, split = 0, second = 0, expected = 0, listed = 0, many = 0, mapped = 0;
};

class WaysRun {
  template <class Things>
  auto& oneOf(Things& things) {
    return things[dice_.below(static_cast<uint32_t>(things.size()))];
  }

 public:
  WaysRun(const gpu::FrameFormat& format, size_t count, const Scenes& scenes, uint32_t seed)
      : format_(format), scenes_(scenes), dice_(seed), pool_(test::device(), format, 4) {
    for (size_t i = 0; i < count; ++i)
      detectors_.emplace_back(test::device(), format, ways()[i].options);
    for (int i = 0; i < 6; ++i) configs_.push_back(newConfig());
  }

  /// Measures a frame. Settings and frames come back later, so that their recordings are used
  /// again, and not only immediately.
  void frame(size_t number) {
    if (number % 5 == 4) oneOf(configs_) = newConfig();
    if (tasks_.empty() || !dice_.once(3)) {
      tasks_.push_back(newTask());
      if (tasks_.size() > 2) tasks_.pop_front();  // the slot of the first task is free
    }
    WaysTask& task = oneOf(tasks_);
    if (!dice_.once(3)) task.config = oneOf(configs_);
    expectSame(task);
  }

  const WaysSeen& seen() const { return seen_; }

 private:
  gpu::DetectionConfig newConfig() { return test::someConfig(scenes_.fitted, format_, dice_); }

  WaysTask newTask() {
    WaysTask task;
    const uint32_t layers = dice_.once(4) ? 1 : format_.layers;
    for (uint32_t l = 0; l < layers; ++l)
      task.images.push_back(test::makeScene(oneOf(scenes_.kinds), format_.image, dice_));
    task.frame = test::lease(pool_, task.images);
    task.config = oneOf(configs_);
    return task;
  }

  /// Makes the feedback from the first detector's statistics, which all other detectors must also
  /// have.
  void makeFeedbackOf(WaysTask& task) {
    std::vector<gpu::LayerExpectation> layers(format_.layers);
    const auto first = detectors_[0].measure(task.frame, task.config);
    for (size_t l = 0; l < task.images.size(); ++l)
      layers[l] = {first[l].values, first[l].pixels, test::somePredictions(format_.image, dice_),
                   first[l].ground};
    task.feedback = gpu::makeFeedback(*task.config.settings, format_.image, layers);
    if (dice_.once(4)) task.feedback.layers[0].prominence = dice_.below(40);
    for (size_t way = 1; way < detectors_.size(); ++way) {
      if (!dice_.once(3)) continue;
      const auto again = detectors_[way].measure(task.frame, task.config);
      for (size_t l = 0; l < task.images.size(); ++l) {
        EXPECT_EQ(std::memcmp(&again[l].values, &first[l].values, sizeof first[l].values), 0);
        EXPECT_EQ(again[l].ground, first[l].ground);
      }
    }
  }

  gpu::FrameResult measured(gpu::Detector& detector, const WaysTask& task) {
    detector.submit(task.frame, task.config, task.feedback);
    return detector.collect().value();
  }

  void expectSame(WaysTask& task) {
    makeFeedbackOf(task);
    const gpu::FrameResult first = measured(detectors_[0], task);
    for (size_t l = 0; l < task.images.size(); ++l) {
      SCOPED_TRACE("layer " + std::to_string(l));
      const gpu::LayerMeasurement& layer = first.layers[l];
      expectDefined(layer,
                    responseOf(task.images[l], task.config.settings->response, task.maskOf(l)),
                    *task.config.settings);
      // If a marker is fitted, light of others may move it after it was flagged.
      if (task.config.settings->refine.method == RefineMethod::none)
        for (const auto& d : layer.markers) expectFlagged(d, task.feedback, l);
      note(layer, *task.config.settings);
    }
    for (size_t way = 1; way < detectors_.size(); ++way) {
      SCOPED_TRACE(ways()[way].name);
      expectAs(first, measured(detectors_[way], task));
    }
    if (!dice_.once(20)) return;
    SCOPED_TRACE("by one that has seen nothing before");
    gpu::Detector fresh(test::device(), format_,
                        ways()[dice_.below(static_cast<uint32_t>(ways().size()))].options);
    expectAs(first, measured(fresh, task));
  }

  void expectAs(const gpu::FrameResult& first, const gpu::FrameResult& other) {
    for (size_t l = 0; l < format_.layers; ++l)
      EXPECT_EQ(wordsOf(first.layers[l]), wordsOf(other.layers[l])) << "layer " << l;
  }

  void note(const gpu::LayerMeasurement& layer, const Settings& settings) {
    seen_.markers += layer.markers.size();
    for (const auto& d : layer.markers) {
      seen_.split += (d.flags & shared::kFlagSplit) != 0 ? 1 : 0;
      seen_.expected += (d.flags & shared::kFlagExpected) != 0 ? 1 : 0;
    }
    for (const gpu::Rejected& r : layer.rejected)
      seen_.second +=
          r.reason == gpu::Rejection::tooNear && !r.measured && r.seen.extent > 0 ? 1 : 0;
    if (settings.detect.method == DetectMethod::blobs) return;
    if (layer.candidates > shared::kMaxListed)
      ++seen_.mapped;
    else
      ++(layer.candidates > shared::kMaxResolved ? seen_.many : seen_.listed);
  }

  gpu::FrameFormat format_;
  Scenes scenes_;
  Dice dice_;
  gpu::FramePool pool_;
  std::deque<gpu::Detector> detectors_;
  std::vector<gpu::DetectionConfig> configs_;
  std::deque<WaysTask> tasks_;
  WaysSeen seen_;
};

/// Runs the first `count` of ways(). GLINT_TEST_SEED sets another seed.
WaysSeen runWays(const gpu::FrameFormat& format, size_t count, size_t frames,
                 const Scenes& scenes = {}) {
  const char* const asked = std::getenv("GLINT_TEST_SEED");
  const auto seed = static_cast<uint32_t>(asked != nullptr ? std::atoi(asked) : 1);
  WaysRun own(format, count, scenes, seed);
  for (size_t i = 0; i < frames && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("frame " + std::to_string(i) + " of " + std::to_string(format.image.width) + "x" +
                 std::to_string(format.image.height) + ", seed " + std::to_string(seed));
    own.frame(i);
  }
  return own.seen();
}

TEST(Ways, FindTheSameInTheSmallestImages) {
  runWays({{1, 1, 1, 8}, 1}, 3, 8);
  runWays({{19, 1, 1, 16}, 2}, 3, 8);
}

TEST(Ways, FindTheSameInSomeLayers) {
  EXPECT_GT(runWays({{93, 67, 1, 8}, 3}, 4, 10).expected, 20U);
  runWays({{131, 90, 1, 16}, 2}, 3, 6);
  runWays({{90, 70, 3, 8}, 2}, 2, 5);
}

TEST(Ways, FindTheSameAmongThousands) {
  const WaysSeen seen =
      runWays({{403, 301, 1, 8}, 1}, ways().size(), 13, {.kinds = {0, 1, 2, 2, 2, 4, 5, 6, 7, 7}});
  EXPECT_GT(seen.markers, 50U);
  EXPECT_GT(seen.listed, 4U);
  EXPECT_GT(seen.many, 2U);
  EXPECT_GT(seen.mapped, 1U);
}

TEST(Ways, FindTheSameOnLargeObjects) {
  const WaysSeen seen =
      runWays({{171, 143, 1, 8}, 1}, ways().size(), 8, {.kinds = {8, 8, 8, 6}, .fitted = true});
  EXPECT_GT(seen.split, 5U);
  EXPECT_GT(seen.second, 5U);
}

Image drawn(const gpu::ImageFormat& format,
            const std::function<double(double x, double y)>& level) {
  Image image{format, {}};
  for (uint32_t y = 0; y < format.height; ++y)
    for (uint32_t x = 0; x < format.width; ++x)
      image.values.push_back(static_cast<uint16_t>(level(x, y) * format.fullScale()));
  return image;
}

/// Returns a disc with ripples, which has a few peaks.
Image lamp(const gpu::ImageFormat& format, Dice& dice) {
  const double left = dice.from(30, 140), top = dice.from(30, 110), apart = dice.from(6, 9);
  return drawn(format, [&](double x, double y) {
    const double ripple = std::cos((x - left) * 6.28 / apart) * std::cos((y - top) * 6.28 / apart);
    return 0.1 + (std::hypot(x - left, y - top) < 16 ? 0.6 + 0.03 * ripple : 0);
  });
}

Image dots(const gpu::ImageFormat& format) {
  return drawn(format, [](double x, double y) {
    const double u = std::fmod(x, 40) - 20, v = std::fmod(y, 40) - 20;
    return 0.1 + 0.6 * std::exp(-(u * u + v * v) / 4.5);
  });
}

/// The frames before it have only candidates that are small markers.
TEST(Ways, ALargeObjectThatAppearsIsMeasuredAsEver) {
  const gpu::FrameFormat format{{171, 143, 1, 8}, 1};
  gpu::DetectionConfig config{.rejected = true};
  test::edit(config).detect.threshold = 0.3;
  test::edit(config).detect.maxMarkers = 128;
  test::edit(config).detect.maxEccentricity = 1;
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector usual(test::device(), format, {});
  gpu::Detector byList(test::device(), format, ways()[0].options);
  Dice dice(2);
  size_t seconds = 0;
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    const bool large = i % 3 == 2;
    const gpu::FrameLease frame =
        test::lease(pool, {large ? lamp(format.image, dice) : dots(format.image)});
    const auto own = byList.measure(frame, config).front();
    const std::vector<gpu::LayerExpectation> layers{{own.values, own.pixels, {}, own.ground}};
    const shared::Feedback feedback = gpu::makeFeedback(*config.settings, format.image, layers);
    std::vector<std::vector<uint32_t>> words;
    for (gpu::Detector* detector : {&byList, &usual}) {
      detector->submit(frame, config, feedback);
      const gpu::FrameResult result = detector->collect().value();
      words.push_back(wordsOf(result.layers.front()));
      for (const gpu::Rejected& r : result.layers.front().rejected)
        seconds += r.reason == gpu::Rejection::tooNear && !r.measured && r.seen.extent > 0 ? 1 : 0;
    }
    EXPECT_EQ(words[0], words[1]);
  }
  EXPECT_GT(seconds, 5U);
}

/// Checks statistics as on a GPU: two planes, one after another, use the same memory in recordings
/// that are kept.
void expectStatisticsAtOnce(const gpu::ImageFormat& format, uint32_t layers, Dice& dice) {
  const gpu::Passes& passes = test::passes(8);
  const test::DevicePlane first(format, layers), second(format, layers);
  const gpu::ScanMemory memory(test::device(), passes, first.shape, layers);
  const test::DeviceArray<shared::PlaneStatistics> ofFirst(layers), ofSecond(layers);
  const test::DeviceArray<uint32_t> samples(size_t{shared::kMaxSamples} * layers);
  gpu::Recorder recorder(test::device(), gpu::Timing::none);
  for (int frame = 0; frame < 8; ++frame) {
    std::vector<std::vector<Image>> images(2);
    for (size_t i = 0; i < 2; ++i) {
      for (uint32_t l = 0; l < layers; ++l)
        images[i].push_back(test::makeScene(dice.below(test::kSceneKinds), format, dice));
      const test::DevicePlane now(images[i]);
      const auto to = (i == 0 ? first : second).buffer.mapped();
      std::ranges::copy(now.buffer.mapped(), to.begin());
    }
    recorder.begin();
    passes.statisticsAtOnce(recorder, first.plane(), memory, ofFirst.buffer);
    passes.statisticsAtOnce(recorder, second.plane(), memory, ofSecond.buffer, &samples.buffer);
    recorder.submit();
    recorder.wait();
    for (size_t i = 0; i < 2; ++i)
      for (uint32_t l = 0; l < layers; ++l)
        expectStatisticsOf((i == 0 ? ofFirst : ofSecond).values()[l], images[i][l]);
    for (uint32_t l = 0; l < layers; ++l) {
      const auto own = gpu::sampleGrid(format.width, format.height,
                                       samples.values().subspan(size_t{l} * shared::kMaxSamples));
      EXPECT_TRUE(
          std::ranges::equal(reference::samples(images[1][l], shared::kMaxSamples), own.values));
    }
  }
  EXPECT_EQ(recorder.recordings(), 1U);
}

TEST(Ways, StatisticsAtOnceLeaveTheirMemoryAsItWas) {
  Dice dice(6);
  expectStatisticsAtOnce({1, 1, 1, 8}, 1, dice);
  for (int i = 0; i < 8; ++i)
    expectStatisticsAtOnce({1 + dice.below(600), 1 + dice.below(400), 1, 8}, 1 + dice.below(4),
                           dice);
}

}  // namespace
}  // namespace glint
