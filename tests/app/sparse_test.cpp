#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/sparse_scenes.h"
#include "tests/numbers.h"

namespace glint {
namespace {

size_t idsOf(const std::vector<motion::TrackRow>& rows) {
  std::set<uint64_t> ids;
  for (const motion::TrackRow& row : rows) ids.insert(row.track.value());
  return ids.size();
}

class Sparse : public testing::TestWithParam<size_t> {};

// Markers that are far from each other are followed however they move, with default settings, and
// never worse than with nearest neighbours.
TEST_P(Sparse, IsFollowed) {
  const test::SparseScene scene = test::sparseScenes()[GetParam()];
  SCOPED_TRACE(scene.name);
  const test::Followed followed = test::follow(scene.recording);
  const study::Score own = test::judge(followed, scene.recording).score;
  const study::Score peer =
      test::judge(test::followNearest(scene.recording, 60), scene.recording).score;
  const size_t ids = idsOf(followed.rows);
  std::printf("%-28s recall %.4f IDF1 %.4f, %zu tracks; nearest neighbours %.4f\n",
              scene.name.c_str(), own.recall, own.idf1, ids, peer.idf1);
  EXPECT_GE(own.recall, scene.recall);
  EXPECT_GE(own.idf1, scene.idf1);
  EXPECT_GE(own.idf1, peer.idf1 - 1e-9);
  EXPECT_LE(ids, scene.mostTracks);
}

// Each setting of tracking is set to the ends of its range. Sparse markers must be followed all the
// same.
TEST(SparseSettings, AreFollowedWhateverIsSet) {
  const std::vector<std::pair<std::string, std::string>> ends{
      {"track.gate", "1"},           {"track.gate", "100"},      {"track.acceleration", "0.01"},
      {"track.acceleration", "100"}, {"track.max_speed", "160"}, {"track.max_speed", "10000"},
      {"track.max_gap", "0"},        {"track.max_gap", "10000"}, {"track.confirm", "1"},
      {"track.confirm", "20"},       {"track.stitch_gap", "0"},  {"track.stitch_gap", "3600"}};
  const std::vector<test::SparseScene> scenes = test::sparseScenes();
  for (const auto& [key, text] : ends)
    for (const size_t s : {0, 5, 8}) {
      SCOPED_TRACE(key + " = " + text + ", " + scenes[s].name);
      Settings settings;
      setFromText(settings, key, text, "test");
      const test::Followed followed = test::follow(scenes[s].recording, settings);
      EXPECT_GE(test::judge(followed, scenes[s].recording).score.idf1, 0.9);
    }
}

// Random combinations of settings are tried, too. Their values are evenly distributed in the
// logarithm of each range.
TEST(SparseSettings, AreFollowedWhateverIsSetTogether) {
  struct Span {
    const char* key;
    double least, most;
    bool whole;
  };
  const std::vector<Span> spans{
      {"track.gate", 1, 100, false},         {"track.acceleration", 0.01, 100, false},
      {"track.max_speed", 10, 10000, false}, {"track.max_gap", 1, 10000, true},
      {"track.confirm", 1, 20, true},        {"track.stitch_gap", 0.01, 3600, false}};
  std::mt19937_64 random(11);
  const test::SparseScene scene = test::sparseScenes()[8];
  for (int draw = 0; draw < 60; ++draw) {
    Settings settings;
    std::string changes;
    for (const Span& span : spans) {
      const double share = static_cast<double>(random() >> 11) / 9007199254740992.0;
      const double value = span.least * std::pow(span.most / span.least, share);
      const std::string text =
          span.whole ? std::to_string(std::lround(value)) : std::to_string(value);
      setFromText(settings, span.key, text, "test");
      changes += std::string(span.key) + "=" + text + " ";
    }
    const test::Followed followed = test::follow(scene.recording, settings);
    EXPECT_GE(test::judge(followed, scene.recording).score.idf1, 0.9) << changes;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Sparse, testing::Range(size_t{0}, test::sparseScenes().size()));

}  // namespace
}  // namespace glint
