// What stands between a measurement and the disk: whole rows, a queue that loses nothing, time
// percentiles.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "app/base/timing.h"
#include "app/export/formats.h"
#include "app/export/queue.h"
#include "app/export/row_file.h"
#include "config/error.h"

namespace glint {
namespace {

std::string load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(RowFile, IsCutBackToWholeRowsWhenNoMoreFits) {
  const std::string path = testing::TempDir() + "glint_row_file.csv";
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // the write fails with EFBIG instead
  rlimit small = before;
  small.rlim_cur = 1003;  // in the middle of a row
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  {
    RowFile file(path);
    try {
      for (int i = 0; i < 500; ++i) {
        file.add("0123456,89\n");
        if (i % 7 == 0) file.flush();
      }
    } catch (const Error& error) {
      message = error.what();
    }
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  const std::string text = load(path);
  EXPECT_EQ(text.size(), 1003U / 11 * 11) << "as many whole rows as fit";
  EXPECT_EQ(text.back(), '\n');
  EXPECT_NE(message.find(path), std::string::npos);
  std::filesystem::remove(path);
}

TEST(RowFile, RefusesAPathThatCannotBeWritten) {
  EXPECT_THROW(RowFile("/no/such/folder/rows.csv"), Error);
}

/// Keeps the indices it was given; may be slow, or fail at one of them.
struct Keeper : Exporter {
  Keeper(std::vector<uint64_t>& list, bool slowly, std::optional<uint64_t> failing)
      : seen(list), slow(slowly), failsAt(failing) {}
  void write(const SessionFrame& frame) override {
    if (slow) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (failsAt == frame.droppedBefore) throw Error("the disk is full");
    seen.push_back(frame.droppedBefore);
  }
  void finish() override { seen.push_back(~uint64_t{0}); }
  std::vector<uint64_t>& seen;
  bool slow;
  std::optional<uint64_t> failsAt;
};

/// Pushes frames numbered in droppedBefore; returns how many were taken.
uint64_t pushFrames(ExportQueue& queue, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    SessionFrame frame;
    frame.droppedBefore = i;
    if (!queue.push(std::move(frame))) return i;
  }
  return count;
}

TEST(ExportQueue, ASlowExporterGetsEveryFrameInOrder) {
  std::vector<uint64_t> seen;
  std::vector<std::unique_ptr<Exporter>> exporters;
  exporters.push_back(std::make_unique<Keeper>(seen, true, std::nullopt));
  ExportQueue queue(std::move(exporters));
  EXPECT_EQ(pushFrames(queue, 3 * ExportQueue::kCapacity), 3 * ExportQueue::kCapacity);
  queue.finish();
  ASSERT_EQ(seen.size(), 3 * ExportQueue::kCapacity + 1);
  for (size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_EQ(seen[i], i);
  EXPECT_EQ(seen.back(), ~uint64_t{0}) << "finish() comes last";
}

TEST(ExportQueue, RowsReachTheFileThoughNoFrameFollows) {
  for (const TrackFormat& format : trackFormats()) {
    SCOPED_TRACE(format.name);
    const std::string path = testing::TempDir() + "glint_export_poll";
    const std::string file = path + (format.spools ? ".rows" : "");
    std::vector<std::unique_ptr<Exporter>> exporters;
    exporters.push_back(format.make(path, 0));
    ExportQueue queue(std::move(exporters));
    SessionFrame frame;
    frame.cameras.resize(1);
    frame.cameras[0].measured.stamp = FrameStamp{3, 0.1};
    frame.cameras[0].settled.resize(1);
    frame.cameras[0].settled[0].frame = 3;
    frame.cameras[0].settled[0].x = 1234.5;
    queue.push(std::move(frame));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (load(file).find("1234.5000") == std::string::npos) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "nobody polls";
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    queue.finish();
    std::filesystem::remove(path);
  }
}

TEST(ExportQueue, AFailureIsToldAndTheOthersKeepTheirFrames) {
  std::vector<uint64_t> broken, whole;
  std::vector<std::unique_ptr<Exporter>> exporters;
  exporters.push_back(std::make_unique<Keeper>(broken, false, 5));
  exporters.push_back(std::make_unique<Keeper>(whole, false, std::nullopt));
  ExportQueue queue(std::move(exporters));
  const uint64_t taken = pushFrames(queue, 100000);
  EXPECT_LT(taken, 100000U) << "push() says that there is no use in going on";
  EXPECT_THROW(queue.finish(), Error);
  EXPECT_EQ(whole.size(), taken + 2) << "also the frame that was answered with no, and the end";
}

TEST(TimeHistogram, PercentilesAreWithinABucket) {
  TimeHistogram histogram;
  for (int i = 1; i <= 10000; ++i) histogram.add(i);
  for (const double share : {0.01, 0.5, 0.95, 0.99, 1.0}) {
    EXPECT_NEAR(histogram.percentile(share), share * 10000, share * 10000 * 0.012);
  }
  EXPECT_EQ(TimeHistogram().percentile(0.5), 0);
}

TEST(ExportQueue, AReaderThatLeavesEndsItsOwnOutputOnly) {
  struct Pipe : Exporter {
    void write(const SessionFrame&) override { throw ReaderLeft("its reader has left"); }
    void finish() override {}
  };
  std::vector<uint64_t> whole;
  std::vector<std::unique_ptr<Exporter>> exporters;
  exporters.push_back(std::make_unique<Pipe>());
  exporters.push_back(std::make_unique<Keeper>(whole, false, std::nullopt));
  ExportQueue queue(std::move(exporters));
  EXPECT_EQ(pushFrames(queue, 1000), 1000U);
  EXPECT_THROW(queue.finish(), ReaderLeft) << "but it is told";
  EXPECT_EQ(whole.size(), 1001U);

  exporters.clear();
  exporters.push_back(std::make_unique<Pipe>());
  ExportQueue alone(std::move(exporters));
  EXPECT_LT(pushFrames(alone, 100000), 100000U) << "there is nobody left to go on for";
}

TEST(RowFile, IsOneRunsOwnAndItsRemovalIsTold) {
  const std::string path = testing::TempDir() + "glint_row_file_removed.csv";
  std::filesystem::remove(path + ".1");
  {
    RowFile file(path);
    EXPECT_THROW(RowFile{path}, Error) << "another one writes it";
    file.add("1\n");
    file.flush();
    std::filesystem::remove(path);
    file.add("2\n");
    EXPECT_THROW(file.finish(), Error);
  }
  EXPECT_EQ(load(path), "1\n2\n");
  {
    RowFile file(path);
    file.add("3\n");
    file.flush();
    std::filesystem::remove(path);
    std::ofstream(path) << "another's\n";
    EXPECT_THROW(file.finish(), Error);
  }
  EXPECT_EQ(load(path), "another's\n");
  EXPECT_EQ(load(path + ".1"), "3\n");
  {
    RowFile file(path);
    file.add("4\n");
    file.flush();
    std::filesystem::rename(path, path + ".1");
    EXPECT_THROW(file.finish(), Error);
  }
  EXPECT_EQ(load(path + ".1"), "4\n");
  std::filesystem::remove(path + ".1");
}

}  // namespace
}  // namespace glint
