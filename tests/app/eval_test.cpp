#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/motion/track/samples.h"
#include "app/study/eval/score.h"
#include "config/error.h"

namespace glint {
namespace {

// Returns two markers, 0 and 1, which are 100 px apart.
std::vector<motion::Sample> twoMarkers(uint32_t frames = 10) {
  std::vector<motion::Sample> truth;
  for (uint32_t f = 0; f < frames; ++f)
    for (uint64_t id = 0; id < 2; ++id)
      truth.push_back({static_cast<double>(f), 100.0 * static_cast<double>(id), id, f});
  return truth;
}

// Returns one marker that rests at (50, 50).
std::vector<motion::Sample> oneMarker(uint32_t frames = 10) {
  std::vector<motion::Sample> truth;
  for (uint32_t f = 0; f < frames; ++f) truth.push_back({50, 50, 7, f});
  return truth;
}

// Returns `count` rows at random places. Every other row is shifted by `shift`, and the others are
// all moved far away by the same distance.
std::vector<motion::Sample> scattered(uint64_t count, double side, double shift) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(0, side);
  std::vector<motion::Sample> samples;
  for (uint64_t id = 0; id < count; ++id) {
    const double x = place(random), y = place(random);
    samples.push_back({x + (id % 2 == 0 ? shift : 1e7), y - side / 2, id, 0});
  }
  return samples;
}

TEST(Score, Perfect) {
  const study::Score s = study::score(twoMarkers(), twoMarkers()).all;
  EXPECT_EQ(s.frames, 10u);
  EXPECT_EQ(s.truth, 20u);
  EXPECT_EQ(s.matched, 20u);
  EXPECT_EQ(s.missed + s.spurious + s.switches + s.fragments + s.ignored, 0u);
  for (const double one : {s.recall, s.precision, s.mota, s.idf1, s.hota}) EXPECT_DOUBLE_EQ(one, 1);
  EXPECT_EQ(s.rmse, 0);
  EXPECT_EQ(s.medianError, 0);
}

// Both tracks change places after half the time, which gives 2 switches. Either way to pair whole
// trajectories makes 10 of 20 rows right, so IDF1 = 2 * 10 / (20 + 20). Each match belongs to a
// pair that shares 5 of 10 + 10 - 5 frames, so A = 1/3. All detections are right, so HOTA =
// sqrt(1/3).
TEST(Score, OneSwap) {
  std::vector<motion::Sample> tracks = twoMarkers();
  for (motion::Sample& row : tracks)
    if (row.frame >= 5) row.id = 1 - row.id;
  const study::Score s = study::score(tracks, twoMarkers()).all;
  EXPECT_EQ(s.switches, 2u);
  EXPECT_EQ(s.fragments, 0u);
  EXPECT_DOUBLE_EQ(s.mota, 0.9);
  EXPECT_DOUBLE_EQ(s.idf1, 0.5);
  EXPECT_NEAR(s.hota, std::sqrt(1.0 / 3), 1e-12);
}

// A track has 9 of 10 frames, so IDF1 = 18 / 19. All 9 matches have A = 9 / 10, so HOTA = sqrt(9 *
// 0.9 / 10) = 0.9.
TEST(Score, OneMissIsAFragmentation) {
  std::vector<motion::Sample> tracks = oneMarker();
  tracks.erase(tracks.begin() + 4);
  const study::Score s = study::score(tracks, oneMarker()).all;
  EXPECT_EQ(s.missed, 1u);
  EXPECT_EQ(s.fragments, 1u);
  EXPECT_EQ(s.switches, 0u);
  EXPECT_DOUBLE_EQ(s.recall, 0.9);
  EXPECT_DOUBLE_EQ(s.precision, 1);
  EXPECT_DOUBLE_EQ(s.mota, 0.9);
  EXPECT_DOUBLE_EQ(s.idf1, 18.0 / 19);
  EXPECT_NEAR(s.hota, 0.9, 1e-12);
}

TEST(Score, ATrackThatEndsEarlyIsNoFragmentation) {
  std::vector<motion::Sample> tracks = oneMarker();
  tracks.resize(6);
  const study::Score s = study::score(tracks, oneMarker()).all;
  EXPECT_EQ(s.missed, 4u);
  EXPECT_EQ(s.fragments, 0u);
}

// A marker is track 1 for 6 frames and track 2 for 4, so IDTP = 6 and IDF1 = 12 / 20. 6 matches
// have A = 6 / 10 and 4 have A = 4 / 10, so HOTA = sqrt((3.6 + 1.6) / 10).
TEST(Score, PartUnderAnotherId) {
  std::vector<motion::Sample> tracks = oneMarker();
  for (motion::Sample& row : tracks) row.id = row.frame < 6 ? 1 : 2;
  const study::Score s = study::score(tracks, oneMarker()).all;
  EXPECT_EQ(s.switches, 1u);
  EXPECT_DOUBLE_EQ(s.mota, 0.9);
  EXPECT_DOUBLE_EQ(s.idf1, 0.6);
  EXPECT_NEAR(s.hota, std::sqrt(0.52), 1e-12);
}

// An error of 2 px at a radius of 5 px is a similarity of 0.6. So 12 of the 19 thresholds are met,
// with everything right, and 7 are not.
TEST(Score, PositionErrorLowersHota) {
  std::vector<motion::Sample> tracks = oneMarker();
  for (motion::Sample& row : tracks) row.x += 2;
  const study::Score s = study::score(tracks, oneMarker()).all;
  EXPECT_DOUBLE_EQ(s.idf1, 1);
  EXPECT_NEAR(s.hota, 12.0 / 19, 1e-12);
  EXPECT_DOUBLE_EQ(s.rmse, 2);
  EXPECT_DOUBLE_EQ(s.medianError, 2);
}

TEST(Score, BeyondTheRadiusIsMissedAndSpurious) {
  std::vector<motion::Sample> tracks = oneMarker(1);
  tracks[0].y += 5.01;
  const study::Score s = study::score(tracks, oneMarker(1)).all;
  EXPECT_EQ(s.missed, 1u);
  EXPECT_EQ(s.spurious, 1u);
  EXPECT_DOUBLE_EQ(s.mota, -1);
  EXPECT_DOUBLE_EQ(s.idf1, 0);
  EXPECT_DOUBLE_EQ(s.hota, 0);
  EXPECT_EQ(study::score(tracks, oneMarker(1), {.radius = 5.02}).all.matched, 1u);
}

TEST(Score, AMatchIsKeptWhileItIsWithinTheRadius) {
  const std::vector<motion::Sample> truth{{0, 0, 1, 0}, {3, 0, 2, 0}, {0, 0, 1, 1}, {3, 0, 2, 1}};
  const std::vector<motion::Sample> tracks{
      {0, 0, 1, 0}, {3, 0, 2, 0}, {1.6, 0, 1, 1}, {1.4, 0, 2, 1}};
  EXPECT_EQ(study::score(tracks, truth).all.switches, 0u);
  // In the first frame no earlier match has to be kept. The most pairs come first, and then the
  // least distance.
  const study::Score first = study::score(std::span(tracks).last(2), std::span(truth).last(2)).all;
  EXPECT_EQ(first.matched, 2u);
  EXPECT_NEAR(first.rmse, std::sqrt((1.4 * 1.4 + 1.4 * 1.4) / 2), 1e-12);
}

TEST(Score, MostPairsComeBeforeTheLeastDistance) {
  // Row 1 is nearest to marker 2, but if they were matched, marker 1 would have no row.
  const std::vector<motion::Sample> truth{{0, 0, 1, 0}, {4, 0, 2, 0}};
  const std::vector<motion::Sample> tracks{{4, 0, 1, 0}, {8, 0, 2, 0}};
  EXPECT_EQ(study::score(tracks, truth).all.matched, 2u);
}

TEST(Score, RowsOnHiddenMarkersAreIgnored) {
  std::vector<motion::Sample> truth = oneMarker();
  for (uint32_t f = 3; f < 6; ++f) truth[f].visible = false;
  std::vector<motion::Sample> tracks = oneMarker();
  tracks[5].x += 20;  // This row is too far from the hidden marker.
  const study::Score s = study::score(tracks, truth).all;
  EXPECT_EQ(s.truth, 7u);
  EXPECT_EQ(s.matched, 7u);
  EXPECT_EQ(s.ignored, 2u);
  EXPECT_EQ(s.spurious, 1u);
  EXPECT_EQ(s.rows, 8u);
  EXPECT_EQ(s.missed + s.fragments + s.switches, 0u);
  EXPECT_DOUBLE_EQ(s.idf1, 14.0 / 15);
}

TEST(Score, CamerasAreApartAndAddUp) {
  std::vector<motion::Sample> truth = oneMarker(), tracks = oneMarker();
  for (uint32_t f = 0; f < 10; ++f) {
    truth.push_back({50, 50, 7, f, 3});
    if (f < 5) tracks.push_back({50, 50, 7, f, 3});
  }
  const study::Scores scores = study::score(tracks, truth);
  ASSERT_EQ(scores.cameras.size(), 2u);
  EXPECT_EQ(scores.cameras[1].camera, 3);
  EXPECT_DOUBLE_EQ(scores.cameras[0].score.idf1, 1);
  EXPECT_DOUBLE_EQ(scores.cameras[1].score.idf1, 10.0 / 15);
  EXPECT_EQ(scores.all.truth, 20u);
  EXPECT_DOUBLE_EQ(scores.all.idf1, 30.0 / 35);
  // 10 of the 20 markers are matched with A = 1, and 5 with A = 5 / 10.
  EXPECT_NEAR(scores.all.hota, std::sqrt(12.5 / 20), 1e-12);
}

// A marker is hidden for 3 frames and comes back under another id: this is a switch, but the marker
// was never missed. Then it is missed for 2 frames and comes back under the same id: a
// fragmentation. Then it is missed for 1 frame and comes back under a third id: both. Being missed
// at the beginning and at the end is neither.
TEST(Score, SwitchesAndFragmentations) {
  std::vector<motion::Sample> truth = oneMarker(20), tracks;
  const std::string ids = ".11---22..22.33333..";  // '.' missed, '-' hidden
  for (uint32_t f = 0; f < ids.size(); ++f) {
    truth[f].visible = ids[f] != '-';
    if (ids[f] >= '1') tracks.push_back({50, 50, static_cast<uint64_t>(ids[f] - '0'), f});
  }
  const study::Score s = study::score(tracks, truth).all;
  EXPECT_EQ(s.truth, 17u);
  EXPECT_EQ(s.matched, 11u);
  EXPECT_EQ(s.missed, 6u);
  EXPECT_EQ(s.switches, 2u);
  EXPECT_EQ(s.fragments, 2u);
  EXPECT_DOUBLE_EQ(s.mota, 1 - 8.0 / 17);
  EXPECT_DOUBLE_EQ(s.idf1, 2 * 5.0 / (17 + 11));
}

// A scene of two cameras with one marker each. Camera 0 has 10 frames: track 1 is exact in 6 of
// them and 3 px off in 4, and track 2 has 3 rows where no marker is. Camera 1 has 5 frames: track 1
// has rows in 4 of them, each 1 px off.
struct TwoCameras {
  std::vector<motion::Sample> truth, tracks;

  TwoCameras() {
    for (uint32_t f = 0; f < 10; ++f) {
      truth.push_back({50, 50, 7, f});
      tracks.push_back({f < 6 ? 50.0 : 53.0, 50, 1, f});
      if (f >= 4 && f < 7) tracks.push_back({90, 50, 2, f});
    }
    for (uint32_t f = 0; f < 5; ++f) {
      truth.push_back({50, 50, 7, f, 1});
      if (f != 2) tracks.push_back({50, 51, 1, f, 1});
    }
  }
};

// The similarities are 1 and 0.4 in camera 0, and 0.8 in camera 1. Up to 0.4 (8 of the 19
// thresholds), camera 0 has 10 matches with A = 1 and 13 rows or markers, and camera 1 has 4 with A
// = 4 / 5 and 5 rows or markers. Up to 0.8 (8 more), camera 0 has 6 matches with A = 6 / 14 (10
// markers and 10 rows, 6 in common) and 10 + 13 - 6 rows or markers. Above that (3 thresholds),
// camera 1 has no match and 5 + 4 rows or markers.
TEST(Score, EveryFigureOfTwoCameras) {
  const TwoCameras scene;
  const study::Scores scores = study::score(scene.tracks, scene.truth);
  ASSERT_EQ(scores.cameras.size(), 2u);
  const study::Score &left = scores.cameras[0].score, &right = scores.cameras[1].score,
                     &all = scores.all;

  EXPECT_EQ(all.frames, 15u);
  EXPECT_EQ(all.truth, 15u);
  EXPECT_EQ(all.rows, 17u);
  EXPECT_EQ(all.matched, 14u);
  EXPECT_EQ(all.missed, 1u);
  EXPECT_EQ(all.spurious, 3u);
  EXPECT_EQ(all.switches, 0u);
  EXPECT_EQ(all.fragments, 1u);
  EXPECT_DOUBLE_EQ(left.recall, 1);
  EXPECT_DOUBLE_EQ(left.precision, 10.0 / 13);
  EXPECT_DOUBLE_EQ(left.mota, 0.7);
  EXPECT_DOUBLE_EQ(left.idf1, 20.0 / 23);
  EXPECT_DOUBLE_EQ(left.rmse, std::sqrt(3.6));  // 4 of the 10 rows are 3 px off.
  EXPECT_DOUBLE_EQ(left.medianError, 0);
  EXPECT_DOUBLE_EQ(right.recall, 0.8);
  EXPECT_DOUBLE_EQ(right.precision, 1);
  EXPECT_DOUBLE_EQ(right.mota, 0.8);
  EXPECT_DOUBLE_EQ(right.idf1, 8.0 / 9);
  EXPECT_DOUBLE_EQ(right.rmse, 1);
  EXPECT_DOUBLE_EQ(all.recall, 14.0 / 15);
  EXPECT_DOUBLE_EQ(all.precision, 14.0 / 17);
  EXPECT_DOUBLE_EQ(all.mota, 1 - 4.0 / 15);
  EXPECT_DOUBLE_EQ(all.idf1, 28.0 / 32);
  EXPECT_DOUBLE_EQ(all.rmse, std::sqrt(40.0 / 14));
  EXPECT_DOUBLE_EQ(all.medianError, 1);  // The errors are 6 times 0, 4 times 1 and 4 times 3.

  const double a = 36.0 / 14;  // The sum of A over the matches of camera 0 above 0.4.
  EXPECT_NEAR(left.hota, (8 * std::sqrt(10.0 / 13) + 11 * std::sqrt(a / 17)) / 19, 1e-9);
  EXPECT_NEAR(right.hota, 16 * std::sqrt(3.2 / 5) / 19, 1e-9);
  EXPECT_NEAR(
      all.hota,
      (8 * std::sqrt(13.2 / 18) + 8 * std::sqrt((a + 3.2) / 22) + 3 * std::sqrt(a / 26)) / 19,
      1e-9);
}

TEST(Score, WithoutTruthOrTracks) {
  const study::Score blind = study::score({}, oneMarker()).all;
  EXPECT_DOUBLE_EQ(blind.recall, 0);
  EXPECT_DOUBLE_EQ(blind.idf1, 0);
  EXPECT_TRUE(std::isnan(blind.precision));
  EXPECT_TRUE(std::isnan(blind.rmse));
  const study::Scores nothing = study::score({}, {});
  EXPECT_TRUE(nothing.cameras.empty());
  EXPECT_TRUE(std::isnan(nothing.all.idf1));
}

class Files : public testing::Test {
 protected:
  Files()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("glint_eval_" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) {
    const std::string path = (folder_ / "file.csv").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  template <class Read>
  static std::string messageOf(Read read) {
    try {
      read();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  std::filesystem::path folder_;
};

TEST_F(Files, ColumnsAreFoundByName) {
  const std::vector<motion::Sample> tracks = motion::readTracks(write(
      "y,more,x,track,frame,camera\r\n2.5,,1e1,18446744073709551615,4,1\r\n\r\n-1,z,0,2,3,1"));
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0].frame, 3u);  // The rows are sorted by frame.
  EXPECT_EQ(tracks[0].y, -1);
  EXPECT_EQ(tracks[1].id, 18446744073709551615u);
  EXPECT_EQ(tracks[1].x, 10);
  EXPECT_EQ(tracks[1].camera, 1);
}

// R's write.csv puts fields in quotes, and so do bodies' names with commas.
TEST_F(Files, FieldsMayBeQuoted) {
  const std::vector<motion::Sample> tracks =
      motion::readTracks(write("\xEF\xBB\xBF\"\",\"camera\",\"frame\",\"track\",\"x\",\"y\"\r\n"
                               "\"1\",0,3,\"7\",2.5,\"-1\"\n\"a, "
                               "\"\"b\"\"\",0,4,7,3,\"0\"\n\"\",0,5,7,3,1\n6\",0,6,7,3,2\n"));
  ASSERT_EQ(tracks.size(), 4u);
  EXPECT_EQ(tracks[0].id, 7u);
  EXPECT_EQ(tracks[0].x, 2.5);
  EXPECT_EQ(tracks[0].y, -1);
  EXPECT_EQ(tracks[1].y, 0);
  EXPECT_EQ(tracks[3].y, 2);
}

TEST_F(Files, TruthHasVisibility) {
  const std::vector<motion::Sample> truth =
      motion::readTruth(write("camera,frame,id,x,y,visible\n0,0,1,2,3,1\n0,0,2,4,5,0\n"));
  ASSERT_EQ(truth.size(), 2u);
  EXPECT_TRUE(truth[0].visible);
  EXPECT_FALSE(truth[1].visible);
  const std::string path = write("camera,frame,id,x,y,visible\n0,0,1,2,3,2\n");
  EXPECT_EQ(messageOf([&] { motion::readTruth(path); }),
            path + ", line 2: \"2\" is not a valid visible");
}

TEST_F(Files, ErrorsNameFileAndLine) {
  const std::string header = "camera,frame,track,x,y\n";
  const auto read = [&](const std::string& text) {
    const std::string path = write(text);
    const std::string message = messageOf([&] { motion::readTracks(path); });
    EXPECT_EQ(message.find(path), 0u) << message;
    return message.substr(path.size());
  };
  EXPECT_EQ(read("camera,frame,x,y\n"), ", line 1: there is no column \"track\"");
  EXPECT_EQ(read(header + "0,0,1,2,3\n0,1,1,2\n"), ", line 3: 4 fields where the header has 5");
  EXPECT_EQ(read(header + "0,0,1,2px,3\n"), ", line 2: \"2px\" is not a valid x");
  EXPECT_EQ(read(header + "0,0,1,nan,3\n"), ", line 2: \"nan\" is not a valid x");
  EXPECT_EQ(read(header + "0,-1,1,2,3\n"), ", line 2: \"-1\" is not a valid frame");
  EXPECT_EQ(read(header + "0,0,,2,3\n"), ", line 2: \"\" is not a valid track");
  EXPECT_EQ(read(header + "0,0,1,2,3\n0,0,1,2,3\n"), ": camera 0, frame 0 has track 1 twice");
  EXPECT_EQ(read(header + "0,0,1,\"2\"\"\",3\n"), ", line 2: \"2\"\" is not a valid x");
  EXPECT_EQ(read(header + "0,0,1,2,\"3\n"), ", line 2: a quotation mark is not closed in its line");
  EXPECT_EQ(read(""), " is empty: a header line is missing");
  EXPECT_EQ(messageOf([] { motion::readTruth("/nowhere/truth.csv"); }),
            "/nowhere/truth.csv cannot be opened for reading");
}

TEST(ScoreText, JsonHoldsTheFigures) {
  const nlohmann::json json = nlohmann::json::parse(study::toJson(study::score({}, oneMarker())));
  EXPECT_EQ(json["radius"], 5);
  EXPECT_EQ(json["all"]["truth"], 10);
  EXPECT_EQ(json["all"]["recall"], 0);
  EXPECT_TRUE(json["all"]["precision"].is_null());
  EXPECT_EQ(json["cameras"].size(), 1u);
  EXPECT_EQ(json["cameras"][0]["camera"], 0);
  EXPECT_EQ(json["cameras"][0]["missed"], 10);
}

TEST(ScoreText, JsonHasEveryFigureOfEveryCamera) {
  const TwoCameras scene;
  const study::Scores scores = study::score(scene.tracks, scene.truth);
  const nlohmann::json json = nlohmann::json::parse(study::toJson(scores));
  const auto expectSame = [](const nlohmann::json& object, const study::Score& s) {
    EXPECT_EQ(object["frames"], s.frames);
    EXPECT_EQ(object["truth"], s.truth);
    EXPECT_EQ(object["rows"], s.rows);
    EXPECT_EQ(object["ignored"], s.ignored);
    EXPECT_EQ(object["matched"], s.matched);
    EXPECT_EQ(object["missed"], s.missed);
    EXPECT_EQ(object["spurious"], s.spurious);
    EXPECT_EQ(object["switches"], s.switches);
    EXPECT_EQ(object["fragments"], s.fragments);
    EXPECT_EQ(object["recall"], s.recall);
    EXPECT_EQ(object["precision"], s.precision);
    EXPECT_EQ(object["mota"], s.mota);
    EXPECT_EQ(object["idf1"], s.idf1);
    EXPECT_EQ(object["hota"], s.hota);
    EXPECT_EQ(object["rmse"], s.rmse);
    EXPECT_EQ(object["median_error"], s.medianError);
  };
  expectSame(json["all"], scores.all);
  ASSERT_EQ(json["cameras"].size(), 2u);
  for (size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(json["cameras"][c]["camera"], c);
    expectSame(json["cameras"][c], scores.cameras[c].score);
  }
}

TEST(ScoreText, TableHasALinePerCameraAndOneOfAll) {
  std::vector<motion::Sample> truth = oneMarker();
  const std::string one = study::toTable(study::score(oneMarker(), truth));
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 2);
  truth.push_back({0, 0, 1, 0, 1});
  const std::string two = study::toTable(study::score(oneMarker(), truth));
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 4);
  EXPECT_NE(two.find("1.0000"), std::string::npos);
  EXPECT_NE(two.find(" -"), std::string::npos);  // Camera 1 has no row, so it has no precision.
  EXPECT_NE(two.find("\nall"), std::string::npos);
}

// The rows of a frame are looked up by their place, so that 40,000 of them take little time. The
// result is compared with the definition, at distances on and beyond the borders of the search.
TEST(Score, AFrameOfManyRowsIsMatchedByWhatIsNear) {
  constexpr uint64_t kCount = 40'000;
  for (const double shift : {0.0, 4.999, 5.001}) {
    const study::Score s =
        study::score(scattered(kCount, 1e5, shift), scattered(kCount, 1e5, 0)).all;
    EXPECT_EQ(s.truth, kCount);
    if (shift > 5)
      // Only the rows far away match, and a few others by chance.
      EXPECT_LT(s.matched, kCount / 2 + 100);
    else
      EXPECT_EQ(s.matched, kCount);
  }
  for (const double radius : {0.5, 3.0, 40.0}) {
    const auto truth = scattered(300, 100, 0), tracks = scattered(300, 100, 2);
    // The number of markers with any row within the radius; no more can be matched.
    uint64_t reached = 0;
    for (const motion::Sample& t : truth)
      reached += std::any_of(tracks.begin(), tracks.end(), [&](const motion::Sample& r) {
        return std::hypot(t.x - r.x, t.y - r.y) <= radius;
      });
    const study::Score s = study::score(tracks, truth, {.radius = radius}).all;
    if (radius < 2)
      EXPECT_LE(s.matched, reached);
    else
      EXPECT_EQ(s.matched, 300u) << "each has its own row within the radius";
    EXPECT_GE(s.matched, std::min<uint64_t>(reached, 150u));
  }
}

// 20,000 rows in one place used to take more than a minute and 10 GB.
TEST(Score, WhatCannotBeToldApartIsRefused) {
  std::vector<motion::Sample> heap;
  for (uint64_t id = 0; id < 20'000; ++id) heap.push_back({7, 7, id, 3});
  try {
    study::score(heap, heap);
    FAIL() << "no limit";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("frame 3"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--radius"), std::string::npos);
  }
  for (const double radius : {0.0, -1.0, 1e308, 1e-300, std::nan("")})
    EXPECT_THROW(study::score(oneMarker(), oneMarker(), {.radius = radius}), UsageError) << radius;
}

}  // namespace
}  // namespace glint
