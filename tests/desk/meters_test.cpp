// Tests what the window shows about a recording in progress, and about rates and latencies.
#include <algorithm>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "app/shell/desk/rates.h"
#include "app/shell/desk/recording_meter.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

TEST(RecordingMeter, TellsTimeRowsRateAndHowLongTheDiskLasts) {
  shell::RecordingMeter meter(100, 40);
  // The file grows by 1000 bytes per second, and in the last 30 s by 2000.
  for (int i = 0; i <= 60; ++i) {
    const uint64_t bytes = static_cast<uint64_t>(i <= 30 ? i * 1000 : 30'000 + (i - 30) * 2000);
    meter.update(100 + i, 40 + static_cast<uint64_t>(i) * 7, bytes, 720'000);
  }
  const shell::RecordingMeter::Status& status = meter.status();
  EXPECT_EQ(status.elapsed, 60);
  EXPECT_EQ(status.rows, 420U);
  EXPECT_EQ(status.bytes, 90'000U);
  EXPECT_NEAR(status.bytesPerSecond, 2000, 1e-9);
  ASSERT_TRUE(status.lasts);
  EXPECT_NEAR(*status.lasts, 360, 1e-9);
}

TEST(RecordingMeter, WithoutARateNothingIsForetold) {
  shell::RecordingMeter meter(0, 0);
  meter.update(0, 0, 0, 1000);
  EXPECT_FALSE(meter.status().lasts);
  meter.update(1, 0, 0, 1000);
  EXPECT_FALSE(meter.status().lasts) << "nothing is written";
  meter.update(2, 0, 500, std::nullopt);
  EXPECT_FALSE(meter.status().lasts) << "nobody knows the disk";
  EXPECT_EQ(meter.status().bytesPerSecond, 250);
  meter.update(3, 0, 400, 1000);
  EXPECT_EQ(meter.status().bytes, 400U);
}

TEST(RecordingMeter, SeesFilesAndWhatTheySpool) {
  const test::Folder folder;
  std::ofstream(folder / "a.csv") << "12345";
  std::ofstream(folder / "b.tsv.rows") << "123";
  EXPECT_EQ(shell::bytesOf({folder / "a.csv", folder / "b.tsv", folder / "none"}), 8U);
  const auto here = shell::freeBytes(folder / "not/yet/there.csv");
  ASSERT_TRUE(here);
  EXPECT_GT(*here, 0U);
  shell::RecordingMeter meter(0, 0);
  meter.update(1, 5, shell::bytesOf({folder / "a.csv"}), here);
  EXPECT_EQ(meter.status().bytes, 5U);
  EXPECT_TRUE(meter.status().freeBytes);
}

TEST(RecordingMeter, CountsRowsAsTheySettle) {
  shell::RowCounter counter;
  const auto frame = std::make_shared<motion::Frame>();
  frame->cameras.resize(2);
  frame->cameras[0].finalised.resize(3);
  frame->cameras[1].finalised.resize(4);
  counter.accept(frame);
  counter.accept(frame);
  EXPECT_EQ(counter.rows(), 14U);
}

TEST(RecordingMeter, TextsCanBeReadAtAGlance) {
  EXPECT_EQ(shell::clockText(0), "0:00");
  EXPECT_EQ(shell::clockText(59.99), "0:59");
  EXPECT_EQ(shell::clockText(754), "12:34");
  EXPECT_EQ(shell::clockText(3723), "1:02:03");
  EXPECT_EQ(shell::aboutText(59), "less than a minute");
  EXPECT_EQ(shell::aboutText(300), "~5 min");
  EXPECT_EQ(shell::aboutText(7200), "~2 h");
  EXPECT_EQ(shell::aboutText(1e9), "more than a day");
  EXPECT_EQ(shell::bytesText(0), "0 B");
  EXPECT_EQ(shell::bytesText(999), "999 B");
  EXPECT_EQ(shell::bytesText(1500), "1.5 kB");
  EXPECT_EQ(shell::bytesText(9'960), "10 kB");
  EXPECT_EQ(shell::bytesText(23'400'000), "23 MB");
  EXPECT_EQ(shell::bytesText(999'600), "1.0 MB");
  EXPECT_EQ(shell::bytesText(UINT64_MAX), "18447 PB");
}

TEST(Rates, AreEventsASecondOverTheWindow) {
  shell::RateMeter meter(2);
  EXPECT_EQ(meter.rate(0), 0);
  for (int i = 0; i <= 300; ++i) meter.event(i / 30.0);
  EXPECT_NEAR(meter.rate(10), 30, 1e-9);
  for (int i = 1; i <= 300; ++i) meter.event(10 + i / 60.0);
  EXPECT_NEAR(meter.rate(15), 60, 1e-9);
  EXPECT_EQ(meter.rate(17.1), 0) << "paused";
  for (int i = 0; i <= 300; ++i) meter.event(100 + i / 30.0);
  EXPECT_NEAR(meter.rate(110), 30, 1e-9);
}

TEST(Rates, FollowACounterThatBeginsAnew) {
  shell::RateMeter meter(2);
  for (int i = 0; i <= 40; ++i) meter.update(i / 10.0, static_cast<uint64_t>(i) * 10);
  EXPECT_NEAR(meter.rate(4), 100, 1e-9);
  meter.update(4.1, 0);
  EXPECT_EQ(meter.rate(4.1), 0);
  meter.update(4.2, 5);
  EXPECT_NEAR(meter.rate(4.2), 50, 1e-6);
}

TEST(Rates, LatenciesAreThoseOfTheLastFrames) {
  shell::LatencyWindow window(100);
  EXPECT_EQ(window.percentile(0.5), 0);
  for (int i = 0; i < 50; ++i) window.add(9);
  std::vector<double> last;
  for (int i = 1; i <= 100; ++i) last.push_back(i / 1000.0);
  std::shuffle(last.begin(), last.end(), std::mt19937(3));
  for (const double latency : last) window.add(latency);
  EXPECT_EQ(window.count(), 100U);
  EXPECT_EQ(window.percentile(0), 0.001);
  EXPECT_EQ(window.percentile(0.5), 0.05);
  EXPECT_EQ(window.percentile(0.99), 0.099);
  EXPECT_EQ(window.percentile(1), 0.1);
  const std::vector<uint32_t> bins = window.histogram(4, 0.0602);
  EXPECT_EQ(bins, (std::vector<uint32_t>{15, 15, 15, 55}));
}

}  // namespace
}  // namespace glint
