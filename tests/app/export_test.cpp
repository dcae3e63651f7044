// Tests what stands between a measurement and the disk: rows are written whole, queues lose
// nothing, and percentiles of times are right.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "app/base/timing.h"
#include "app/output/sinks/lossless_queue.h"
#include "app/output/sinks/row_file.h"
#include "app/output/tables/track_formats.h"
#include "config/error.h"
#include "tests/app/frames.h"

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
  // The signal is ignored, so that the write fails with EFBIG instead.
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1003;  // The limit lies in the middle of a row.
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  {
    output::RowFile file(path);
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
  EXPECT_THROW(output::RowFile("/no/such/folder/rows.csv"), Error);
}

/// A sink that keeps the indices of its sets. It may be slow, or fail at one of them.
struct Keeper : output::Sink {
  Keeper(std::vector<uint64_t>& list, bool slowly, std::optional<uint64_t> failing)
      : seen(list), slow(slowly), failsAt(failing) {}
  void accept(const motion::FramePtr& frame) override {
    if (slow) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (failsAt == frame->set.value()) throw Error("the disk is full");
    seen.push_back(frame->set.value());
  }
  void finish() override { seen.push_back(kFinished); }
  static constexpr uint64_t kFinished = ~uint64_t{0};
  std::vector<uint64_t>& seen;
  bool slow;
  std::optional<uint64_t> failsAt;
};

/// A sink that keeps the frames of its rows.
struct RowKeeper : output::Sink {
  explicit RowKeeper(std::vector<uint64_t>& list) : rows(list) {}
  void accept(const motion::FramePtr& frame) override {
    for (const motion::TrackRow& row : frame->cameras[0].finalised)
      rows.push_back(row.frame.value());
  }
  std::vector<uint64_t>& rows;
};

void add(output::LosslessQueue& queue, std::unique_ptr<output::Sink> sink, uint64_t id,
         SetIndex first = {}) {
  output::SinkGroup group{.id = id, .name = "test", .sinks = {}, .first = first};
  group.sinks.push_back(std::move(sink));
  queue.add(std::move(group));
}

/// Returns a measured frame with a row that became final two frames late.
motion::FramePtr frameOf(uint64_t index) {
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(index);
  motion::CameraFrame& camera = frame->cameras.emplace_back();
  camera.measured.state = gpu::CameraState::frame;
  camera.measured.stamp = stampOf(index, 0);
  if (index >= 2) camera.finalised.resize(1);
  if (index >= 2) static_cast<motion::FrameTime&>(camera.finalised[0]) = frameAt(index - 2, 0);
  return frame;
}

void pushFrames(output::LosslessQueue& queue, uint64_t from, uint64_t count) {
  for (uint64_t i = from; i < from + count; ++i) queue.push(frameOf(i));
}

TEST(LosslessQueue, ASlowSinkGetsEveryFrameInOrder) {
  std::vector<uint64_t> seen;
  output::LosslessQueue queue;
  add(queue, std::make_unique<Keeper>(seen, true, std::nullopt), 1);
  pushFrames(queue, 0, 3 * output::LosslessQueue::kCapacity);
  queue.finish();
  ASSERT_EQ(seen.size(), 3 * output::LosslessQueue::kCapacity + 1);
  for (size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_EQ(seen[i], i);
  EXPECT_EQ(seen.back(), Keeper::kFinished) << "finish() comes last";
  EXPECT_EQ(queue.status().at(0).frames, 3 * output::LosslessQueue::kCapacity);
  EXPECT_TRUE(queue.status().at(0).finished);
}

TEST(LosslessQueue, ARecordingGetsWhatLiesBetweenItsBeginningAndItsEnd) {
  std::vector<uint64_t> all, some, rows;
  std::string answer = "none";
  {
    output::LosslessQueue queue;
    add(queue, std::make_unique<Keeper>(all, false, std::nullopt), 1);
    pushFrames(queue, 0, 10);
    add(queue, std::make_unique<Keeper>(some, false, std::nullopt), 2);
    add(queue, std::make_unique<RowKeeper>(rows), 3, SetIndex(10));
    pushFrames(queue, 10, 5);
    queue.remove(2, nullptr, [&](const std::string& problem) { answer = problem; });
    queue.remove(3, frameOf(16));
    pushFrames(queue, 15, 5);
  }
  EXPECT_EQ(all.size(), 21U);
  EXPECT_EQ(some, (std::vector<uint64_t>{10, 11, 12, 13, 14, Keeper::kFinished}));
  EXPECT_EQ(answer, "") << "whole, and told so";
  EXPECT_EQ(rows, (std::vector<uint64_t>{10, 11, 12, 14})) << "no rows of frames before it began";
}

TEST(LosslessQueue, RowsReachTheFileThoughNoFrameFollows) {
  for (const output::TrackFormat& format : output::trackFormats()) {
    SCOPED_TRACE(format.name);
    const std::string path = testing::TempDir() + "glint_export_poll";
    const std::string file = path + (format.spools ? ".rows" : "");
    output::LosslessQueue queue;
    add(queue, format.make(path, 0), 1);
    auto frame = std::make_shared<motion::Frame>();
    frame->cameras.resize(1);
    frame->cameras[0].measured.stamp = stampOf(3, 0.1);
    frame->cameras[0].finalised.resize(1);
    frame->cameras[0].finalised[0].frame = FrameNumber(3);
    frame->cameras[0].finalised[0].x = 1234.5;
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

TEST(Formats, ARunWithoutAFrameLeavesWhatWasThere) {
  for (const bool earlier : {true, false}) {
    for (const output::TrackFormat& format : output::trackFormats()) {
      SCOPED_TRACE(format.name);
      const std::string path = testing::TempDir() + "glint_export_no_frame";
      if (earlier) std::ofstream(path) << "earlier\n";
      {
        const auto sink = format.make(path, 0);
        // The run is interrupted before the first frame, so only the empty file exists.
        const auto last = std::make_shared<motion::Frame>();
        last->cameras.resize(1);
        sink->accept(last);
        std::this_thread::sleep_for(output::RowFile::kFlushInterval);
        sink->poll();
        sink->finish();
      }
      if (earlier) {
        EXPECT_EQ(load(path), "earlier\n");
      }
      EXPECT_TRUE(std::filesystem::exists(path)) << "without rows, but there";
      EXPECT_FALSE(std::filesystem::exists(path + ".rows"));
      std::filesystem::remove(path);
    }
  }
}

TEST(LosslessQueue, AFailureIsToldAndTheOthersKeepTheirFrames) {
  std::vector<uint64_t> broken, whole;
  output::LosslessQueue queue;
  add(queue, std::make_unique<Keeper>(broken, false, 5), 1);
  add(queue, std::make_unique<Keeper>(whole, false, std::nullopt), 2);
  pushFrames(queue, 0, 1000);
  queue.finish();
  EXPECT_EQ(broken.size(), 5U);
  EXPECT_EQ(whole.size(), 1001U) << "all frames, and the end";
  EXPECT_TRUE(queue.stopped());
  EXPECT_EQ(queue.firstProblem(), "the disk is full");
  EXPECT_EQ(queue.status().at(0).problem, "the disk is full");
  EXPECT_EQ(queue.status().at(1).problem, "");
}

TEST(TimeHistogram, PercentilesAreWithinABucket) {
  base::TimeHistogram histogram;
  for (int i = 1; i <= 10000; ++i) histogram.add(i);
  for (const double share : {0.01, 0.5, 0.95, 0.99, 1.0}) {
    EXPECT_NEAR(histogram.percentile(share), share * 10000, share * 10000 * 0.012);
  }
  EXPECT_EQ(base::TimeHistogram().percentile(0.5), 0);
}

// An exception that is no Error ends its sink, but not the program.
TEST(LosslessQueue, OneWithoutMemoryEndsAlone) {
  struct Greedy : output::Sink {
    void accept(const motion::FramePtr&) override { throw std::bad_alloc(); }
  };
  std::vector<uint64_t> whole;
  output::LosslessQueue queue;
  add(queue, std::make_unique<Greedy>(), 1);
  add(queue, std::make_unique<Keeper>(whole, false, std::nullopt), 2);
  pushFrames(queue, 0, 100);
  queue.finish();
  EXPECT_EQ(whole.size(), 101U);
  EXPECT_NE(queue.status().at(0).problem, "");
  EXPECT_TRUE(queue.status().at(0).failed);
  EXPECT_EQ(queue.status().at(1).problem, "");
}

TEST(LosslessQueue, AReaderThatLeavesEndsItsOwnOutputOnly) {
  struct Pipe : output::Sink {
    void accept(const motion::FramePtr&) override {
      throw output::ReaderLeft("its reader has left");
    }
  };
  std::vector<uint64_t> whole;
  output::LosslessQueue queue;
  add(queue, std::make_unique<Pipe>(), 1);
  add(queue, std::make_unique<Keeper>(whole, false, std::nullopt), 2);
  pushFrames(queue, 0, 1000);
  queue.finish();
  EXPECT_FALSE(queue.stopped());
  EXPECT_EQ(queue.firstProblem(), "its reader has left") << "but it is told";
  EXPECT_EQ(whole.size(), 1001U);

  output::LosslessQueue alone;
  add(alone, std::make_unique<Pipe>(), 1);
  pushFrames(alone, 0, 10);
  alone.finish();
  EXPECT_TRUE(alone.stopped()) << "there is nobody left to go on for";
}

TEST(RowFile, IsOneRunsOwnAndItsRemovalIsTold) {
  const std::string path = testing::TempDir() + "glint_row_file_removed.csv";
  std::filesystem::remove(path + ".1");
  {
    output::RowFile file(path);
    EXPECT_THROW(output::RowFile{path}, Error) << "another one writes it";
    file.add("1\n");
    file.flush();
    std::filesystem::remove(path);
    file.add("2\n");
    EXPECT_THROW(file.finish(), Error);
  }
  EXPECT_EQ(load(path), "1\n2\n");
  {
    output::RowFile file(path);
    file.add("3\n");
    file.flush();
    std::filesystem::remove(path);
    std::ofstream(path) << "another's\n";
    EXPECT_THROW(file.finish(), Error);
  }
  EXPECT_EQ(load(path), "another's\n");
  EXPECT_EQ(load(path + ".1"), "3\n");
  {
    output::RowFile file(path);
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
