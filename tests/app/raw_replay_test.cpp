// Tests raw recordings of cameras of different rates: every frame comes back, and seeks find the
// same frames.
#include <map>
#include <random>

#include "app/capture/sets/feeds.h"
#include "app/output/pictures/raw_recorder.h"
#include "tests/app/pictures.h"
#include "tests/app/scripted_source.h"

namespace glint {
namespace {

constexpr gpu::ImageFormat kFormat{16, 8, 1, 8};
constexpr uint64_t kSets = 90;
constexpr std::chrono::milliseconds kLong{120'000};

const gpu::Device& device() {
  static const gpu::Device shared({});
  return shared;
}

/// Returns the camera's own number of its frame in set n of the run, or nothing if it has none.
/// Sets 60 to 63 are not from the run: frames are missing there in all recordings.
std::optional<uint64_t> frameIn(size_t camera, uint64_t set) {
  if (set >= 60 && set < 64) return std::nullopt;
  if (camera == 2) return set;
  // This camera has 10 frames per second.
  if (camera == 1) return set % 3 == 2 ? std::optional(set / 3) : std::nullopt;
  // This camera has 30 frames per second, but some are missing.
  if (set % 9 == 8 || (set >= 40 && set < 52)) return std::nullopt;
  return set + 1000;
}

class RawReplayTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    const auto recorder = output::makeRawRecorder(path("raw.mkv"), 3);
    gpu::FramePool pool(device(), {kFormat, 3}, 1, [] {});
    const auto settings = std::make_shared<Settings>();
    for (SetIndex set; set < kSets; ++set) {
      if (!frameIn(2, set.value())) continue;
      const auto frame = std::make_shared<motion::Frame>();
      frame->set = set;
      frame->settings = settings;
      frame->cameras.resize(3);
      const auto slot = pool.take();
      for (uint32_t camera = 0; camera < 3; ++camera) {
        const auto number = frameIn(camera, set.value());
        if (!number) continue;
        test::paint(slot->layer(camera), camera, *number);
        frame->cameras[camera].measured.stamp = {.sequence = FrameNumber(*number),
                                                 .time = static_cast<double>(set.value()) / 30};
        frame->cameras[camera].pixels = slot;
        frame->cameras[camera].layer = camera;
      }
      recorder->accept(frame);
    }
    recorder->finish();
  }

  capture::Feeds& replay(const std::vector<size_t>& cameras) {
    feeds_.reset();
    cameras_ = cameras;
    std::vector<std::unique_ptr<capture::Source>> sources;
    for (const size_t camera : cameras)
      sources.push_back(
          capture::openSource(Address(output::rawFiles(path("raw.mkv"), 3)[camera]), &interrupt_));
    return feeds_.emplace(device(), std::move(sources), Settings::Live(), interrupt_);
  }
  bool anyFrameIn(uint64_t set) const {
    return std::any_of(cameras_.begin(), cameras_.end(),
                       [&](size_t camera) { return frameIn(camera, set).has_value(); });
  }
  /// Expects the next set: the first one from `from` on that holds a frame, with all of its frames,
  /// or the end. Returns the set after it.
  uint64_t expectNext(uint64_t from) {
    while (from < kSets && !anyFrameIn(from)) ++from;
    capture::FrameSet set;
    const auto outcome = feeds_->next(set, kLong);
    EXPECT_EQ(outcome,
              from < kSets ? capture::Feeds::Outcome::set : capture::Feeds::Outcome::ended);
    if (outcome != capture::Feeds::Outcome::set) return from;
    EXPECT_EQ(set.set, from);
    for (size_t i = 0; i < cameras_.size(); ++i) {
      const capture::CameraGroups::Place& place = feeds_->groups().places[i];
      const auto expected = frameIn(cameras_[i], from);
      const auto stamp = set.stampOf(place);
      EXPECT_EQ(stamp.has_value(), expected.has_value()) << "set " << from << ", camera " << i;
      if (!stamp) expectEarlier(set, i);
      if (!stamp || !expected) continue;
      EXPECT_EQ(stamp->sequence, *expected);
      EXPECT_TRUE(
          test::isPainted(set.groups[place.group]->layer(place.layer), cameras_[i], *expected));
    }
    return from + 1;
  }

  /// Expects that a camera without a frame shows its frame before.
  void expectEarlier(const capture::FrameSet& set, size_t i) {
    const capture::CameraGroups::Place& place = feeds_->groups().places[i];
    if (set.stateOf(place) != gpu::CameraState::none) return;
    uint64_t before = set.set.value();
    while (before > 0 && !frameIn(cameras_[i], before)) --before;
    const auto number = frameIn(cameras_[i], before);
    EXPECT_EQ(set.earlier[i], number ? std::optional(SetIndex(before)) : std::nullopt);
    if (!number) return;
    EXPECT_TRUE(test::isPainted(set.groups[place.group]->layer(place.layer), cameras_[i], *number));
  }

  capture::Interrupt interrupt_;
  std::vector<size_t> cameras_;
  std::optional<capture::Feeds> feeds_;
};

TEST_F(RawReplayTest, GapsAreNoEndAndEveryFrameComes) {
  for (const std::vector<size_t>& cameras :
       {std::vector<size_t>{0, 1, 2}, {0, 1}, {1}, {0}, {1, 0}}) {
    SCOPED_TRACE(testing::PrintToString(cameras));
    capture::Feeds& feeds = replay(cameras);
    EXPECT_EQ(feeds.length(), cameras == std::vector<size_t>{0} ? 89U : 90U);
    for (uint64_t next = 0; next < kSets;) next = expectNext(next);
    expectNext(kSets);
    EXPECT_EQ(feeds.failure(), "");
    const std::map<size_t, uint64_t> frames{{0, 66}, {1, 29}, {2, 86}};
    for (size_t i = 0; i < cameras.size(); ++i) {
      EXPECT_EQ(feeds.status()[i].delivered, frames.at(cameras[i]));
      EXPECT_EQ(feeds.status()[i].state, capture::Feeds::CameraStatus::State::ended);
    }
  }
}

TEST_F(RawReplayTest, ASeekIntoAGapOrBackFindsWhatReadingFindsNext) {
  for (const std::vector<size_t>& cameras : {std::vector<size_t>{0, 1}, {1}, {0}}) {
    SCOPED_TRACE(testing::PrintToString(cameras));
    capture::Feeds& feeds = replay(cameras);
    std::mt19937 random(11);
    for (uint32_t epoch = 1; epoch <= 100 && !HasFailure(); ++epoch) {
      uint64_t next = random() % (kSets + 5);
      SCOPED_TRACE(next);
      feeds.seek(SetIndex(next), Epoch(epoch));
      for (uint64_t count = 1 + random() % 6; count > 0 && next < kSets; --count)
        next = expectNext(next);
    }
    for (uint64_t back = kSets; back-- > 0 && !HasFailure();) {
      feeds.seek(SetIndex(back), Epoch(1000 - back));
      expectNext(back);
    }
  }
}

}  // namespace
}  // namespace glint
