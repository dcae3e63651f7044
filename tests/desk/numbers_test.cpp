// Tests cameras of different rates: the numbers of sets, of a camera's frames and of what is shown
// must not be mixed up.
#include <fstream>

#include <gtest/gtest.h>

#include "app/capture/source/source_kinds.h"
#include "app/shell/desk/export_range.h"
#include "tests/app/driven_session.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

constexpr const char* kFast = "synth:dancer?size=96x64&frames=60&seed=4&cameras=1";
constexpr const char* kSlow = "synth:dancer?size=96x64&frames=60&seed=9&cameras=1";

/// A camera that has an image in every third set only. Its images are every third frame of a scene.
class SlowCamera final : public capture::Source {
 public:
  SlowCamera() : scene_(capture::openSource(kSlow)) {}
  const gpu::ImageFormat& format() const override { return scene_->format(); }
  const std::string& name() const override { return scene_->name(); }
  std::optional<uint64_t> frameCount() const override { return scene_->frameCount(); }
  bool canSeek() const override { return true; }
  void seek(FrameNumber frame) override {
    next_ = frame.value();
    scene_->seek(frame);
  }
  capture::Reading read(const gpu::ImageView& image) override {
    capture::Reading reading = scene_->read(image);
    if (reading.state != gpu::CameraState::frame) return reading;
    const uint64_t set = next_++;
    if (set % 3 != 0) return {.state = gpu::CameraState::none, .gap = true};
    reading.stamp.sequence = FrameNumber(set / 3);
    return reading;
  }

 private:
  std::unique_ptr<capture::Source> scene_;
  uint64_t next_ = 0;
};

std::vector<std::unique_ptr<capture::Source>> twoRates() {
  std::vector<std::unique_ptr<capture::Source>> sources = sourcesOf({kFast});
  sources.push_back(std::make_unique<SlowCamera>());
  return sources;
}

TEST(Numbers, AHistoryIsAskedBySetsWhateverACamerasOwnNumbers) {
  const auto history = std::make_shared<session::TrackHistory>(Settings(), 1, 2);
  const auto seen = std::make_shared<Seen>();
  session::SessionOptions options{.settings = {}, .listeners = {history}};
  options.open = opening([&] { return seeing(seen); });
  session::Session session(sessionDevice(), twoRates(), options);
  ASSERT_EQ(session.finish().failure, "");
  history->conclude();
  ASSERT_EQ(history->measured(), 60U);
  size_t rows = 0;
  for (const auto& [camera, row] : seen->rows) {
    const auto at = history->frame(CameraIndex(camera), row.set);
    ASSERT_TRUE(at);
    EXPECT_TRUE(at->measured);
    EXPECT_EQ(at->time, row.time);
    rows += camera;
  }
  EXPECT_GT(rows, 20U) << "of the slow camera";
  for (uint64_t set = 0; set < 60; ++set)
    EXPECT_EQ(history->frame(CameraIndex(1), SetIndex(set))->measured, set % 3 == 0);
  for (const session::TrackStretch& stretch : history->stretches(CameraIndex(1))) {
    EXPECT_EQ(stretch.first.value() % 3, 0U);
    EXPECT_EQ(stretch.last.value() % 3, 0U);
    EXPECT_GT(stretch.last, stretch.first) << "gaps of the camera do not cut a track";
  }
}

TEST(Numbers, TheSummaryTellsAGapFromAnEnd) {
  session::Session session(sessionDevice(), twoRates(), {.settings = {}});
  const session::SessionCounts& counts = session.finish().counts;
  EXPECT_EQ(counts.cameras[0].frames, 60U);
  EXPECT_EQ(counts.cameras[1].frames, 20U);
  EXPECT_EQ(counts.cameras[1].sets, 60U);
  EXPECT_FALSE(counts.cameras[1].ended);
}

/// If the cameras of raw recordings have different rates, an export of a range holds the rows of
/// the range's sets.
TEST(Numbers, ARangeIsOfSets) {
  const test::Folder folder;
  session::SessionOptions options{.settings = {}};
  const auto seen = std::make_shared<Seen>();
  options.open = [&](const capture::CameraGroups& groups) {
    std::vector<session::command::AddSink> all;
    all.push_back(output::makeGroup({.kind = "raw", .target = folder / "raw.mkv"}, 0,
                                    {.images = groups.images()}));
    return all;
  };
  session::Session recorded(sessionDevice(), twoRates(), options);
  ASSERT_EQ(recorded.finish().failure, "");
  const std::vector<std::string> files{folder / "raw_cam0.mkv", folder / "raw_cam1.mkv"};
  const Seen whole = runOf(sourcesOf(files));
  ASSERT_EQ(whole.frames.size(), 60U);
  shell::RangeExport exporting(sessionDevice(),
                               {.sources = {files.begin(), files.end()},
                                .settings = {},
                                .in = SetIndex(20),
                                .out = SetIndex(40),
                                .outputs = {{.kind = "tracks", .target = folder / "t.csv"}},
                                .record = false});
  exporting.wait();
  ASSERT_EQ(exporting.progress().problem, "");
  size_t expected = 0, slow = 0;
  for (const auto& [camera, row] : whole.rows) {
    const bool within = row.set >= 20U && row.set <= 40U;
    expected += within ? 1 : 0;
    slow += within && camera == 1 ? 1 : 0;
  }
  EXPECT_GT(slow, 8U);
  std::ifstream file(folder / "t.csv");
  std::string line;
  size_t lines = 0;
  while (std::getline(file, line)) ++lines;
  EXPECT_EQ(lines, expected + 1);
}

}  // namespace
}  // namespace glint
