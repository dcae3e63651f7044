#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/cases.h"
#include "bench/image.h"
#include "bench/measure.h"
#include "bench/result_text.h"
#include "config/error.h"
#include "gpu/detect/detector.h"

namespace glint::bench {
namespace {

const gpu::Device& device() {
  const char* name = std::getenv("GLINT_TEST_DEVICE");
  static const gpu::Device shared(
      {.name = name != nullptr ? name : "", .validation = false, .cacheFolder = ""});
  return shared;
}

constexpr Effort kLeast{.warmUp = 0, .measure = 0};

std::vector<Result> measureNow(const std::vector<Case>& cases, const MeasurePeers& peers = {}) {
  return measureAll(device(), Settings(), cases, kLeast, peers, {});
}

/// Returns a result in which every time on the device is `microseconds`.
Result invented(const Case& what, double microseconds) {
  const Duration time{microseconds, microseconds - 1, microseconds + 1, 7};
  const Timings timings{time, {}, time, {}, {}, {}, {{"scan", time}}};
  return {.what = what,
          .skipped = {},
          .found = what.markers,
          .threshold = 27,
          .markers = {},
          .detection = timings,
          .statistics = timings,
          .peers = {}};
}

TEST(BenchCases, CoverWhatIsPromised) {
  EXPECT_EQ(everyCase().size(), 300U);
  const auto usual = usualCases();
  for (auto i = usual.begin(); i != usual.end(); ++i)
    EXPECT_EQ(std::find(i + 1, usual.end(), *i), usual.end()) << describe(*i);
  const auto has = [&](const Case& what) {
    return std::find(usual.begin(), usual.end(), what) != usual.end();
  };
  EXPECT_TRUE(has({{{7680, 4320, 1, 8}, 1}, 50}));
  EXPECT_TRUE(has({{{1920, 1080, 1, 8}, 16}, 50}));
  EXPECT_TRUE(has({{{1920, 1080, 1, 8}, 1}, 1024}));
  EXPECT_TRUE(has({{{1920, 1080, 3, 16}, 1}, 50}));
}

TEST(BenchImage, HasTheMarkersAskedForFarEnoughApart) {
  for (const uint32_t count : {0U, 1U, 16U, 50U, 256U, 1024U}) {
    for (const auto& [width, height] :
         {std::pair{640U, 480U}, {1280U, 720U}, {1000U, 700U}, {480U, 640U}}) {
      const Image image = makeImage({width, height, 1, 8}, count);
      ASSERT_EQ(image.markers.size(), count);
      for (auto a = image.markers.begin(); a != image.markers.end(); ++a) {
        EXPECT_TRUE(a->x >= 6.4 && a->y >= 6.4 && a->x <= width - 7.4 && a->y <= height - 7.4);
        for (auto b = a + 1; b != image.markers.end(); ++b)
          EXPECT_GE(std::max(std::abs(a->x - b->x), std::abs(a->y - b->y)), 13.999);
      }
    }
  }
}

TEST(BenchImage, HasTheBackgroundAndNoiseThatItSays) {
  for (const uint32_t bits : {8U, 16U}) {
    const Image image = makeImage({640, 480, 1, bits}, 0);
    const double unit = bits == 8 ? 1 : 257;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < image.format.pixels(); ++i) {
      const double value = bits == 8
                               ? std::to_integer<uint8_t>(image.pixels[i])
                               : reinterpret_cast<const uint16_t*>(image.pixels.data())[i] / unit;
      sum += value;
      squares += value * value;
    }
    const double mean = sum / static_cast<double>(image.format.pixels());
    EXPECT_NEAR(mean, 10, 0.02);
    // Rounding to whole values adds 1/12 to the variance.
    const double variance = squares / static_cast<double>(image.format.pixels()) - mean * mean;
    EXPECT_NEAR(variance, 4 + (bits == 8 ? 1.0 / 12 : 0), 0.08);
  }
}

TEST(BenchImage, RefusesMoreMarkersThanHaveRoom) {
  EXPECT_THROW(makeImage({64, 64, 1, 8}, 100), UsageError);
}

TEST(BenchMeasure, FindsEveryMarkerWhereItWasPlaced) {
  for (const uint32_t channels : {1U, 3U}) {
    for (const uint32_t bits : {8U, 16U}) {
      const gpu::ImageFormat format{640, 480, channels, bits};
      const Image image = makeImage(format, 50);
      auto found = detectOnce(device(), Settings(), {{format, 2}, 50}, image);
      ASSERT_EQ(found.layers.size(), 2U);
      for (auto& layer : found.layers) {
        ASSERT_EQ(layer.markers.size(), 50U);
        for (const auto& marker : image.markers) {
          const auto near = [&](const shared::Detection& d) {
            return std::hypot(d.x - marker.x, d.y - marker.y) < 0.2;
          };
          EXPECT_TRUE(std::any_of(layer.markers.begin(), layer.markers.end(), near));
        }
      }
    }
  }
}

TEST(BenchMeasure, TimesEveryPassOfEveryCase) {
  const auto results = measureNow({{{{320, 240, 1, 8}, 1}, 1}, {{{320, 240, 3, 16}, 2}, 200}});
  ASSERT_EQ(results.size(), 2U);
  for (const Result& r : results) {
    EXPECT_EQ(r.skipped, "");
    EXPECT_EQ(r.found, r.what.markers * r.what.format.layers);
    EXPECT_GE(r.detection.wall.count, 3U);
    for (const Timings* t : {&r.detection, &r.statistics}) {
      EXPECT_GT(t->wall.median, 0);
      for (const Pass& pass : t->passes)
        EXPECT_LE(pass.device.median, pass.device.p90) << pass.name;
      if (t->device.count != 0) {
        EXPECT_GT(t->device.median, 0);
        EXPECT_FALSE(t->passes.empty());
      }
    }
  }
}

TEST(BenchMeasure, SkipsWhatDoesNotFitAndGoesOn) {
  const auto results = measureNow({{{{64, 64, 1, 8}, 1}, 4000}, {{{64, 64, 1, 8}, 1}, 2}});
  EXPECT_NE(results[0].skipped.find("4000 markers"), std::string::npos) << results[0].skipped;
  EXPECT_EQ(results[1].found, 2U);
}

TEST(BenchMeasure, AsksPeersForGreyLayersOfEightBitsOnly) {
  std::vector<uint32_t> asked;
  const MeasurePeers peers = [&](const PeerTask& task) {
    asked.push_back(task.markers);
    EXPECT_GT(task.threshold, 10U);
    return std::vector<Peer>{{.name = "peer", .wall = {}, .found = task.markers}};
  };
  const auto results = measureNow({{{{64, 64, 1, 8}, 1}, 1},
                                   {{{64, 64, 1, 8}, 2}, 2},
                                   {{{64, 64, 3, 8}, 1}, 3},
                                   {{{64, 64, 1, 16}, 1}, 4}},
                                  peers);
  EXPECT_EQ(asked, std::vector<uint32_t>{1});
  EXPECT_EQ(results[0].peers.size(), 1U);
}

TEST(BenchTiming, SummarisesByNearestRank) {
  const Duration d = summarise({11, 3, 1, 7, 5, 9, 2, 4, 6, 8, 10});
  EXPECT_EQ(d.median, 6);
  EXPECT_EQ(d.p10, 2);
  EXPECT_EQ(d.p90, 10);
  EXPECT_EQ(d.count, 11U);
  EXPECT_EQ(summarise({}).count, 0U);
}

TEST(BenchText, ComparesCasesThatDifferInOneThing) {
  const gpu::ImageFormat hd{1920, 1080, 1, 8};
  const std::vector<Result> results{invented({{hd, 1}, 1}, 100),
                                    invented({{hd, 1}, 1024}, 120),
                                    invented({{hd, 16}, 1}, 400),
                                    invented({{{3840, 2160, 1, 8}, 1}, 50}, 200),
                                    invented({{{7680, 4320, 1, 8}, 1}, 50}, 700),
                                    invented({{{7680, 4320, 1, 16}, 1}, 50}, 900)};
  const auto all = growth(results);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_DOUBLE_EQ(all[0].ratio, 3.5);
  EXPECT_DOUBLE_EQ(all[1].ratio, 1.2);
  EXPECT_DOUBLE_EQ(all[2].ratio, 0.25);
}

TEST(BenchText, SaysTheSameInTableAndJson) {
  std::vector<Result> results{invented({{{640, 480, 1, 8}, 1}, 5}, 40.25),
                              invented({{{640, 480, 3, 16}, 4}, 1}, 90)};
  results[0].peers = {{.name = "slow", .wall = {80.5, 80, 81, 9}, .found = 4}};
  results[1].skipped = "the \"device\" is too small";
  const Conditions conditions{
      {.index = 0, .name = "A GPU", .type = "discrete", .driver = "x 1", .refusals = {}}, 2};

  const auto json = nlohmann::json::parse(toJson(conditions, results));
  EXPECT_EQ(json["device"]["name"], "A GPU");
  EXPECT_EQ(json["peer_threads"], 2);
  const auto& first = json["cases"][0];
  EXPECT_EQ(first["width"], 640);
  EXPECT_EQ(first["found"], 5);
  EXPECT_EQ(first["detection"]["device_us"]["median"], 40.25);
  EXPECT_EQ(first["detection"]["upload_us"], nullptr);
  EXPECT_EQ(first["detection"]["passes"][0]["name"], "scan");
  EXPECT_EQ(first["peers"][0]["wall_us"]["median"], 80.5);
  EXPECT_EQ(json["cases"][1]["skipped"], "the \"device\" is too small");
  EXPECT_FALSE(json["cases"][1].contains("detection"));

  const std::string table = toTable(conditions, results);
  for (const char* text :
       {"A GPU (discrete, x 1)", "640x480 grey 8 bit, 5 markers", "40.2 (39.2-41.2)", "5/5",
        "640x480 x4 colour 16 bit, 1 marker", "skipped: the \"device\" is too small", "scan 40.2",
        "OpenCV on 2 threads", "80.5 (80.0-81.0)", " 0.50"}) {
    EXPECT_NE(table.find(text), std::string::npos) << text << " is not in\n" << table;
  }
}

}  // namespace
}  // namespace glint::bench
