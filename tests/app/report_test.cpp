// Tests the statistics of a report with cases that were worked out by hand.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "app/output/catalog/outputs.h"
#include "app/output/report/charts.h"
#include "app/output/report/page.h"
#include "app/output/report/path_writer.h"
#include "app/output/report/run.h"
#include "app/output/report/svg.h"
#include "app/study/record/run_record.h"
#include "config/error.h"

namespace glint::output::report {
namespace {

TrackPoint point(uint32_t frame, uint64_t track, double x, double y, bool measured = true) {
  return {.frame = frame,
          .time = frame / 100.0,
          .track = track,
          .measured = measured,
          .x = x,
          .y = y,
          .sigmaX = 0.01,
          .sigmaY = 0.02};
}

TEST(Report, LogHistogramQuantiles) {
  LogHistogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0);
  for (const double value : {0.0, 1.0, 2.0, 3.0, 1000.0}) histogram.add(value);
  EXPECT_EQ(histogram.count(), 5u);
  EXPECT_EQ(histogram.zeros(), 1u);
  EXPECT_EQ(histogram.quantile(0.2), 0);
  EXPECT_NEAR(histogram.quantile(0.4), 1, 0.012);
  EXPECT_NEAR(histogram.quantile(0.5), 2, 0.024);
  EXPECT_NEAR(histogram.quantile(1), 1000, 12);
  histogram.add(1e9);
  EXPECT_EQ(histogram.bins().back(), 1u);
}

TEST(Report, PhasesOfAllSignsAndSwing) {
  PhaseHistogram histogram;
  for (const double x : {5.0, -3.0, 4.99999, 0.0249, 0.025, -0.5}) histogram.add(x);
  EXPECT_EQ(histogram.bins()[0], 4u);  // tracks.csv has four decimals, and 4.99999 is 5.0000 there.
  EXPECT_EQ(histogram.bins()[1], 1u);
  EXPECT_EQ(histogram.bins()[PhaseHistogram::kBins / 2], 1u);

  PhaseHistogram locked, even;
  for (int i = 0; i < 1000; ++i) {
    locked.add(i);
    even.add(i / 1000.0);
  }
  EXPECT_NEAR(locked.swing(), 2, 1e-12);
  EXPECT_NEAR(even.swing(), 0, 1e-9);
  for (const uint64_t count : even.bins()) EXPECT_EQ(count, 25u);
}

TEST(Report, IntervalsAndMissingFrames) {
  FrameTimes times;
  // Two tracks follow each other, as in a file that is sorted by track.
  for (const uint32_t frame : {0u, 1u, 2u, 6u, 7u}) times.add(frame, frame * 0.1);
  for (const uint32_t frame : {1u, 2u, 3u}) times.add(frame, frame == 3 ? 0.35 : frame * 0.1);
  times.finish();
  ASSERT_EQ(times.all().size(), 6u);
  EXPECT_EQ(times.all()[3].frame, 3u);
  const Intervals result = intervals(times);
  EXPECT_EQ(result.count, 4u);  // The intervals are 0-1, 1-2, 2-3 and 6-7.
  EXPECT_EQ(result.missing, 2u);
  EXPECT_NEAR(result.median, 0.1, 1e-12);
  EXPECT_NEAR(result.longest, 0.15, 1e-12);
  EXPECT_NEAR(times.timeAt(4), 0.6, 1e-12);
  EXPECT_NEAR(times.timeAt(9), 0.9, 1e-12);
}

TEST(Report, FrameTimesStaySmallWhenFramesComeAgainAndAgain) {
  FrameTimes times;
  for (int track = 0; track < 500; ++track)
    for (uint32_t frame = 0; frame < 100; ++frame) {
      times.add(frame, frame * 0.5);
      ASSERT_LE(times.all().size(), 2000u);
    }
  times.finish();
  EXPECT_EQ(times.all().size(), 100u);
}

TEST(Report, StepsGapsAndLengths) {
  CameraSummary camera;
  // Track 1 has steps of 5 px, two predicted frames, and one frame without a row. Track 2 has two
  // steps of 0 px.
  for (const TrackPoint& p :
       {point(10, 1, 0, 0), point(10, 2, 7, 7), point(11, 1, 3, 4), point(11, 2, 7, 7),
        point(12, 1, 6, 8, false), point(12, 2, 7, 7), point(13, 1, 9, 12, false),
        point(14, 1, 12, 16), point(15, 1, 15, 20), point(17, 1, 21, 28)})
    ASSERT_TRUE(camera.add(p));
  EXPECT_FALSE(camera.add(point(17, 1, 0, 0)));  // This frame comes again.
  EXPECT_FALSE(camera.add(point(16, 1, 0, 0)));  // This frame comes too late.
  camera.finish();

  EXPECT_EQ(camera.rows(), 10u);
  EXPECT_EQ(camera.predicted(), 2u);
  EXPECT_EQ(camera.steps.count(), 4u);
  EXPECT_EQ(camera.steps.zeros(), 2u);
  EXPECT_NEAR(camera.steps.quantile(1), 5, 0.06);
  EXPECT_EQ(camera.gaps, (std::map<uint32_t, uint64_t>{{1, 1}, {2, 1}}));
  ASSERT_EQ(camera.tracks().size(), 2u);
  EXPECT_EQ(camera.tracks()[0].length(), 8u);
  EXPECT_EQ(camera.tracks()[1].length(), 3u);
  EXPECT_EQ(camera.medianLength(), 3u);
  EXPECT_EQ(camera.sigmaX.count(), 8u);  // Only measured rows count.
  EXPECT_EQ(camera.phaseX.count(), 8u);
  EXPECT_NEAR(camera.sigmaY.quantile(0.5), 0.02, 0.0003);
  EXPECT_EQ(camera.x.least, 0);
  EXPECT_EQ(camera.y.most, 28);
}

TEST(Report, BinsKeepEveryRowAndTheirExtremes) {
  CameraSummary camera;
  constexpr uint32_t kFrames = 5000, kStart = 777;
  for (uint32_t i = 0; i < kFrames; ++i)
    ASSERT_TRUE(camera.add(point(kStart + i, 1, i, -1.0 * i, i % 10 != 5)));
  EXPECT_EQ(camera.shift(), 3u);  // A shift of 3 is enough, because 5000 / 8 < 1024.
  const TrackSummary& track = camera.tracks()[0];
  EXPECT_LE(track.bins.size(), CameraSummary::kMostBins);
  uint64_t measured = 0, predicted = 0;
  for (size_t i = 0; i < track.bins.size(); ++i) {
    measured += track.bins[i].measured;
    predicted += track.bins[i].predicted;
    const auto from = static_cast<double>(size_t{track.bins[i].at} << camera.shift());
    const double least = std::max(0.0, from - kStart), most = std::min(from + 7 - kStart, 4999.0);
    EXPECT_EQ(track.bins[i].x.least, least);
    EXPECT_EQ(track.bins[i].x.most, most);
    EXPECT_EQ(track.bins[i].y.least, -most);
  }
  EXPECT_EQ(measured, 4500u);
  EXPECT_EQ(predicted, 500u);
}

TEST(Report, GapClassesHoldEveryGap) {
  EXPECT_TRUE(gapClasses({}).empty());
  const auto classes = gapClasses({{1, 4}, {3, 2}, {6, 1}, {7, 1}, {12, 5}, {250, 9}});
  const auto countUpTo = [&](uint32_t most) -> uint64_t {
    for (const GapClass& c : classes)
      if (c.most == most) return c.count;
    return 999;
  };
  EXPECT_EQ(countUpTo(1), 4u);
  EXPECT_EQ(countUpTo(2), 0u);
  EXPECT_EQ(countUpTo(3), 2u);
  EXPECT_EQ(countUpTo(7), 2u);
  EXPECT_EQ(countUpTo(15), 5u);
  EXPECT_EQ(classes.back().most, 300u);
  EXPECT_EQ(classes.back().count, 9u);
  for (size_t i = 1; i < classes.size(); ++i) EXPECT_EQ(classes[i].least, classes[i - 1].most + 1);
  EXPECT_EQ(gapClasses({{4'000'000'000, 1}}).back().count, 1u);
}

TEST(Report, TicksAndText) {
  EXPECT_DOUBLE_EQ(niceStep(10, 5), 2);
  EXPECT_DOUBLE_EQ(niceStep(0.3, 4), 0.1);
  const Axis axis = linearAxis("x", 3, 97, 5, true);
  EXPECT_EQ(axis.least, 0);
  EXPECT_EQ(axis.most, 100);
  ASSERT_EQ(axis.ticks.size(), 6u);
  EXPECT_EQ(axis.ticks[1].label, "20");
  const Axis minutes = timeAxis(0, 600);
  EXPECT_EQ(minutes.title, "time (min)");
  EXPECT_DOUBLE_EQ(minutes.place(300), 0.5);
  EXPECT_DOUBLE_EQ(logAxis("", 0.01, 100).place(1), 0.5);
  const Axis point = linearAxis("", 2, 2, 5);
  EXPECT_LT(point.least, point.most);

  EXPECT_EQ(escaped("a<b & \"c\" 'd'>"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
  EXPECT_EQ(escaped("\xc3\xa9\xff\n"), "\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567),
            "1\xe2\x80\xaf"
            "234\xe2\x80\xaf"
            "567");
  EXPECT_EQ(rounded(0.02134), "0.0213");
  EXPECT_EQ(rounded(1240.4), "1240");
}

TEST(Report, PathsAreRelativeAndLevelLinesAreOne) {
  PathWriter path;
  path.move(10, 20);
  for (int x = 11; x < 15; ++x) path.line(x, 20);
  path.line(15, 19);
  path.line(16, 21);
  path.move(20, 20);
  EXPECT_EQ(path.take(), "M40 80l16 0 4-4 4 8m16-4");
  path.band(1, 2, 2.5, false);  // The band is narrow, so it becomes a dot in its middle.
  EXPECT_EQ(path.take(), "M4 9l0 0");
}

class ReportFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "report_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string failure(const std::string& path, const std::string& stats = {}) {
    try {
      readRun(path, stats);
    } catch (const Error& error) {
      return error.what();
    }
    return "no failure";
  }

  static constexpr const char* kHeader = "camera,frame,time_s,track,state,x,y,sigma_x,sigma_y\n";
  static constexpr const char* kRows =
      "0,0,0.0,1,measured,1,1,0.1,0.1\n0,1,0.5,1,measured,2,1,0.1,0.1\n";
  std::filesystem::path folder_;
};

TEST_F(ReportFiles, RefusalsNameTheFault) {
  const std::string header = kHeader;
  EXPECT_NE(failure((folder_ / "none.csv").string()).find("none.csv cannot be opened"),
            std::string::npos);
  EXPECT_NE(failure(write("a.csv", "camera,frame,time_s\n")).find("no column \"track\""),
            std::string::npos);
  const auto fault = [&](const std::string& row) {
    const std::string text = failure(write("b.csv", header + row));
    return text.substr(text.find("b.csv"));
  };
  EXPECT_EQ(fault("0,0,0,1,lost,1,1,1,1\n"), "b.csv, line 2: \"lost\" is not a valid state");
  EXPECT_EQ(fault("16,0,0,1,measured,1,1,1,1\n"), "b.csv, line 2: \"16\" is not a valid camera");
  EXPECT_EQ(fault("0,0,0,1,measured,1,1,nan,1\n"), "b.csv, line 2: \"nan\" is not a valid sigma_x");
  EXPECT_EQ(fault("0,0,0,1,measured,1e9,1,1,1\n"), "b.csv, line 2: \"1e9\" is not a valid x");
  EXPECT_EQ(
      fault("0,5,0,1,measured,1,1,1,1\n0,4,0,1,measured,1,1,1,1\n"),
      "b.csv, line 3: frame 4 of track 1 is repeated or out of order; sort the rows by frame");
}

// Pandas and R write tables with missing scores like these.
TEST_F(ReportFiles, AScoreMayBeMissing) {
  const std::string header =
      "\"\",\"camera\",\"frame\",\"time_s\",\"track\",\"state\",\"x\",\"y\",\"sigma_x\",\"sigma_"
      "y\",\"score\"\n";
  const auto failureOf = [&](const std::string& score) {
    return failure(write("b.csv", header + "\"1\",0,0,0,1,\"measured\",1,1,1,1," + score + "\n"));
  };
  for (const char* score : {"0.5", "", "NA"}) EXPECT_EQ(failureOf(score), "no failure") << score;
  EXPECT_NE(failureOf("none").find("\"none\" is not a valid score"), std::string::npos);
}

TEST_F(ReportFiles, StatsBesideGiveFramesAndDrops) {
  const std::string tracks = write("tracks.csv", std::string(kHeader) + kRows);
  EXPECT_FALSE(readRun(tracks, "").allFrames);
  const std::string header = "camera,frame,time_s,dropped_before\n";
  write("stats.csv", header + "0,0,0.0,0\n0,1,0.5,3\n0,2,0.6,0\n");
  const output::report::Run with = readRun(tracks, "");
  EXPECT_TRUE(with.allFrames);
  EXPECT_TRUE(with.notes.empty());
  EXPECT_EQ(with.cameras.at(0).summary.frames.all().size(), 3u);
  ASSERT_EQ(with.cameras.at(0).drops.size(), 1u);
  EXPECT_EQ(with.cameras.at(0).drops[0].count, 3u);

  const std::string other = write("stats.csv", header + "0,0,0.0,0\n0,1,0.4,3\n");
  const output::report::Run without = readRun(tracks, "");
  EXPECT_FALSE(without.allFrames);
  ASSERT_EQ(without.notes.size(), 1u);
  EXPECT_NE(without.notes[0].find("does not belong to the run"), std::string::npos);
  EXPECT_NE(failure(tracks, other).find("does not belong to the run"), std::string::npos);
}

TEST_F(ReportFiles, ABrokenRunRecordIsANote) {
  const std::string tracks = write("tracks.csv", std::string(kHeader) + kRows);
  for (const char* text : {"{", "[]", "{\"glint\": 3}", ""}) {
    write("tracks.json", text);
    const output::report::Run run = readRun(tracks, "");
    EXPECT_FALSE(run.facts);
    ASSERT_EQ(run.notes.size(), 1u);
    EXPECT_NE(run.notes[0].find("tracks.json is not the record of a run"), std::string::npos);
  }
}

// Paths are arbitrary bytes, but JSON has to be UTF-8.
TEST_F(ReportFiles, ARunRecordTakesPathsThatAreNoUtf8) {
  const std::string tracks = write("tracks.csv", std::string(kHeader) + kRows);
  study::RunInputs inputs{
      .sources = {"dark\xff.mp4"}, .formats = {gpu::ImageFormat{}}, .device = {}, .settings = {}};
  session::SessionResult result;
  result.counts.tracks = 100;
  result.counts.cameras = {{.frames = 1}};
  result.failure = "cannot read 'dark\xff.mp4'";
  session::SettingsChange& change = result.settingsChanges.emplace_back();
  change.settings.detect.mask = inputs.settings.device.name = "edge\xff.png";
  study::writeRunRecord(output::runRecordPath(tracks), inputs, result, {});
  const RunFacts facts = readRunFacts(output::runRecordPath(tracks));
  EXPECT_EQ(facts.sources, std::vector<std::string>{"dark\uFFFD.mp4"});
  EXPECT_EQ(facts.failure, "cannot read 'dark\uFFFD.mp4'");
}

// 16 cameras have 300 tracks each that jump about. No other run needs a larger page.
TEST(Report, PagesStaySmall) {
  output::report::Run run;
  run.name = "many";
  uint32_t random = 1;
  for (uint16_t camera = 0; camera < 16; ++camera) {
    CameraSummary& summary = run.cameras[camera].summary;
    for (uint32_t frame = 0; frame < 600; ++frame)
      for (uint64_t track = 1; track <= 300; ++track) {
        random = random * 1664525 + 1013904223;
        ASSERT_TRUE(summary.add(
            point(frame, track, random >> 21, random >> 16 & 1023, (random >> 12 & 7) != 0)));
      }
    summary.finish();
  }
  const std::string page = makePage(run);
  EXPECT_LT(page.size(), 2'000'000u);
  // The page says that not all tracks are drawn.
  EXPECT_NE(page.find("of 300."), std::string::npos);
}

// Two rows far apart take two bins, and none for the frames between them. A file of 150,000 such
// tracks used to take 3.6 GB.
TEST(Report, ATrackTakesRoomForItsRowsOnly) {
  CameraSummary camera;
  for (uint64_t id = 0; id < 100; ++id) ASSERT_TRUE(camera.add(point(0, id, 1, 2)));
  for (uint64_t id = 0; id < 100; ++id) ASSERT_TRUE(camera.add(point(1'000'000, id, 3, 4)));
  for (const TrackSummary& track : camera.tracks()) {
    ASSERT_EQ(track.bins.size(), 2u);
    EXPECT_EQ(track.bins[0].at, 0u);
    EXPECT_EQ(track.bins[1].at, 1'000'000u >> camera.shift());
    EXPECT_EQ(track.bins[1].x.least, 3);
  }
}

}  // namespace
}  // namespace glint::output::report
