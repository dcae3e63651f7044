// Tests `glint bench --volumes`: its peers are right, it finds differences, and its reports state
// them.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/volume_peer.h"
#include "bench/volumes.h"
#include "tests/gpu/rig.h"
#include "tests/volume/volume_reference.h"

namespace glint::bench {
namespace {

TEST(VolumePeers, EqualTheDefinitions) {
  for (const auto& volume : reference::adversarialVolumes({19, 19, 19})) {
    EXPECT_EQ(squaredDistances(volume.voxels, 19, 3), reference::columnEuclidean(volume, {}).values)
        << volume.name;
    EXPECT_EQ(chamferDistances(volume.voxels, 19),
              reference::fixedPoint(volume, gpu::Metric::chamfer345))
        << volume.name;
  }
}

TEST(VolumeScene, HoldsWhatItSays) {
  for (const uint32_t side : {16U, 48U}) {
    const auto count = [&](VolumeContent content) {
      const auto voxels = makeVolume(content, side);
      EXPECT_EQ(voxels.size(), size_t{side} * side * side);
      return static_cast<double>(std::count(voxels.begin(), voxels.end(), 1));
    };
    const double all = static_cast<double>(size_t{side} * side * side);
    EXPECT_NEAR(count(VolumeContent::half) / all, 0.5, 0.02);
    EXPECT_NEAR(count(VolumeContent::ball) / all, 4.18879 / 27, 0.02);
    EXPECT_EQ(count(VolumeContent::single), 1);
    EXPECT_GT(count(VolumeContent::vessels), side);
    EXPECT_LT(count(VolumeContent::vessels) / all, 0.1);
  }
}

TEST(VolumeBench, MeasuresEveryCaseAndReportsIt) {
  const auto cases = volumeCases({9, 32});
  EXPECT_EQ(cases.size(), 16U);
  size_t reported = 0;
  auto results = measureVolumes(test::device(), cases, {.warmUp = 0, .measure = 0},
                                [&](const VolumeResult&) { ++reported; });
  EXPECT_EQ(reported, cases.size());
  for (const VolumeResult& r : results) {
    EXPECT_EQ(r.skipped, "");
    EXPECT_EQ(r.differences, 0U) << describe(r.what);
    EXPECT_GE(r.wall.count, 3U);
    const size_t passes = r.what.metric == gpu::Metric::euclidean ? 4 : 3;
    EXPECT_EQ(r.passes.size(), r.device.count == 0 ? 0U : passes);
  }
  results[0].differences = 4711;
  results[1].skipped = "there is no room";
  const std::string table = toTable(test::device().info(), results);
  for (const char* text : {"4711", "9^3 filled ball, euclidean", "skipped: there is no room",
                           "32^3 vessels, chamfer 3-4-5", "worst/best"})
    EXPECT_NE(table.find(text), std::string::npos) << text << " is not in\n" << table;
  const auto json = nlohmann::json::parse(toJson(test::device().info(), results));
  EXPECT_EQ(json["volumes"].size(), cases.size());
  EXPECT_EQ(json["volumes"][0]["differences"], 4711);
  EXPECT_EQ(json["volumes"][1]["skipped"], "there is no room");
  EXPECT_EQ(json["volumes"][2]["side"], 9);
}

}  // namespace
}  // namespace glint::bench
