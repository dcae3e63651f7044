// Tests annotated videos by decoding them.
#include "app/output/pictures/overlay.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/capture/source/source_kinds.h"
#include "app/capture/video/demuxer.h"
#include "app/capture/video/recorded_stamp.h"
#include "app/output/pictures/picture.h"
#include "app/output/pictures/raw_recorder.h"
#include "config/toml_text.h"
#include "gpu/device.h"
#include "gpu/frame_pool.h"
#include "tests/app/frames.h"
#include "tests/app/overlay_colour.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

const gpu::Device& device() {
  static const gpu::Device shared({});
  return shared;
}

/// A frame to be drawn: its time, and the tracks of every camera.
struct Shot {
  double time;
  std::vector<std::vector<motion::TrackRow>> cameras;
  // The following lists have an entry for each camera, or are empty.
  std::vector<std::vector<motion::TrackRow>> tentative = {};
  std::vector<std::vector<shared::Detection>> markers = {};
};

motion::TrackRow rowAt(uint64_t track, double x, double y,
                       motion::TrackState state = motion::TrackState::measured) {
  motion::TrackRow row;
  row.track = TrackId(track);
  row.state = state;
  row.x = x;
  row.y = y;
  row.seen.radius = 3;
  return row;
}

/// A maker of frames for a sink, as a session would hand them over. The pictures are grey; with 16
/// bits the left column is brighter by 1000.
class Studio {
 public:
  Studio(const gpu::ImageFormat& format, uint32_t cameras, uint32_t level)
      : pool_(device(), {format, cameras}, 2), level_(level) {}

  void setLevel(uint32_t level) { level_ = level; }

  /// Hands a frame to the sink. Camera `ended` has no frame any more.
  void write(output::Sink& sink, const Shot& shot, size_t ended = SIZE_MAX) {
    sink.accept(frameOf(shot, ended));
  }

  std::shared_ptr<motion::Frame> frameOf(const Shot& shot, size_t ended = SIZE_MAX) {
    const std::shared_ptr<gpu::FrameSlot> slot = pool_.take();
    const auto frame = std::make_shared<motion::Frame>();
    frame->set = SetIndex(count_);
    frame->settings = settings;
    frame->knowledge = knowledge;
    frame->cameras.resize(shot.cameras.size());
    for (size_t i = 0; i < shot.cameras.size(); ++i) {
      motion::CameraFrame& camera = frame->cameras[i];
      const gpu::ImageView view = slot->layer(static_cast<uint32_t>(i));
      for (uint32_t y = 0; y < view.format.height; ++y) {
        for (uint32_t x = 0; x < view.format.width; ++x) set(view, x, y, level_);
      }
      if (i == ended) continue;
      slot->stamps[i] = camera.measured.stamp = stampOf(count_, shot.time);
      camera.tracks = shot.cameras[i];
      for (motion::TrackRow& row : camera.tracks) row.set = frame->set;
      camera.finalised = camera.tracks;
      if (i < shot.tentative.size()) camera.tentative = shot.tentative[i];
      if (i < shot.markers.size()) camera.measured.markers = shot.markers[i];
    }
    const gpu::FrameLease lease = slot;
    for (size_t i = 0; i < frame->cameras.size(); ++i) {
      if (!frame->cameras[i].measured.stamp) continue;
      frame->cameras[i].pixels = lease;
      frame->cameras[i].layer = static_cast<uint32_t>(i);
    }
    ++count_;
    return frame;
  }

  /// The settings of the next frames.
  std::shared_ptr<const Settings> settings = std::make_shared<const Settings>();
  motion::TrackKnowledge knowledge = motion::TrackKnowledge::causal;

 private:
  static void set(const gpu::ImageView& view, uint32_t x, uint32_t y, uint32_t level) {
    for (uint32_t c = 0; c < view.format.channels; ++c) {
      std::byte* at = view.row(y) + (size_t{x} * view.format.channels + c) * (view.format.bits / 8);
      if (view.format.bits == 8) {
        *at = static_cast<std::byte>(level);
      } else {
        const auto wide = static_cast<uint16_t>(level + (x == 0 ? 1000 : 0));
        std::memcpy(at, &wide, 2);
      }
    }
  }

  gpu::FramePool pool_;
  uint32_t level_;
  uint64_t count_ = 0;
};

class OverlayTest : public FolderTest {};

TEST_F(OverlayTest, FramesKeepTheirTimesAndShowTheirMarkers) {
  const std::vector<double> times{5, 5.02, 5.03, 5.2, 5.201, 6.75};
  for (const auto& [name, tolerance] : {std::pair{"v.mp4", 1.0 / 90000}, {"v.mkv", 1e-3}}) {
    SCOPED_TRACE(name);
    Studio studio({320, 240, 1, 8}, 1, 60);
    const auto overlay = output::makeOverlay(path(name));
    EXPECT_TRUE(overlay->wantsPixels());
    for (size_t n = 0; n < times.size(); ++n) {
      const double x = 40 + 45.0 * static_cast<double>(n);
      studio.write(*overlay, {times[n], {{rowAt(1, x, 100), rowAt(2, 300 - x / 2, 200)}}});
    }
    const auto last = std::make_shared<motion::Frame>();
    last->cameras.resize(1);
    overlay->accept(last);
    overlay->finish();

    const auto read = readAll(path(name));
    EXPECT_EQ(read.error, "");
    ASSERT_EQ(read.times.size(), times.size());
    for (size_t n = 0; n < times.size(); ++n) {
      EXPECT_NEAR(read.times[n], times[n] - times[0], tolerance) << "frame " << n;
      const double x = 40 + 45.0 * static_cast<double>(n);
      EXPECT_GT(colorNear(read.pictures[n], x, 100, 7), 15) << "frame " << n;
      EXPECT_GT(colorNear(read.pictures[n], 300 - x / 2, 200, 7), 15) << "frame " << n;
      EXPECT_LT(colorNear(read.pictures[n], 160, 45, 20), 4) << "nothing is drawn elsewhere";
      EXPECT_LT(colorNear(read.pictures[n], x + 45, 60, 10), 4) << "frame " << n;
    }
  }
}

/// Returns the smallest channel of the brightest pixel within 1 px. It is high only if that pixel
/// is white.
int whiteAt(const Picture& picture, double x, double y) {
  int best = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const auto px = static_cast<uint32_t>(std::lround(x) + dx);
      const auto py = static_cast<uint32_t>(std::lround(y) + dy);
      best = std::max(best, std::min({picture.value(px, py, 0), picture.value(px, py, 1),
                                      picture.value(px, py, 2)}));
    }
  }
  return best;
}

TEST_F(OverlayTest, EveryMarkerIsShownAndItsStateIsRecognisable) {
  const auto markerAt = [](float x) {
    shared::Detection d{};
    d.x = x;
    d.y = 100;
    d.radius = 9;
    return d;
  };
  const auto row = [](uint64_t track, double x) {
    motion::TrackRow made = rowAt(track, x, 100);
    made.seen.radius = 9;
    return made;
  };
  Studio studio({1280, 240, 1, 8}, 1, 60);
  const auto overlay = output::makeOverlay(path("v.mkv"));
  const Shot shot{
      0, {{row(1, 200)}}, {{row(0, 400)}}, {{markerAt(200), markerAt(400), markerAt(600)}}};
  studio.write(*overlay, shot);
  studio.write(*overlay, {0.1, shot.cameras, shot.tentative, shot.markers});
  overlay->finish();
  const auto read = readAll(path("v.mkv"));
  ASSERT_EQ(read.pictures.size(), 2U);
  const Picture& seen = read.pictures.front();
  // The radius of a ring (px), and the least value of white.
  constexpr double kRing = 12, kWhite = 150;
  EXPECT_LT(whiteAt(seen, 200 - kRing, 100), kWhite) << "a track has a colour";
  EXPECT_GT(colorNear(seen, 200, 100, 13), 10);
  EXPECT_GT(whiteAt(seen, 400 - kRing, 100), kWhite) << "a white pool";
  EXPECT_LT(whiteAt(seen, 400 - kRing, 100 - kRing), kWhite);
  EXPECT_GT(whiteAt(seen, 600 - kRing, 100), kWhite) << "a white square";
  EXPECT_GT(whiteAt(seen, 600 - kRing, 100 - kRing), kWhite);
  EXPECT_LT(colorNear(seen, 500, 100, 115), 4);
}

TEST_F(OverlayTest, TrailsBreakWhereNothingWasMeasured) {
  Studio studio({320, 240, 1, 8}, 1, 30);
  const auto overlay = output::makeOverlay(path("v.mkv"));
  for (int n = 0; n < 10; ++n) {
    const auto state =
        n >= 4 && n <= 6 ? motion::TrackState::predicted : motion::TrackState::measured;
    studio.write(*overlay, {n * 0.1, {{rowAt(1, 30 + 28.0 * n, 150, state)}}});
  }
  overlay->finish();
  const auto read = readAll(path("v.mkv"));
  ASSERT_EQ(read.pictures.size(), 10U);
  const Picture& last = read.pictures.back();
  for (const double x : {44, 72, 100}) EXPECT_GT(colorNear(last, x, 150, 3), 5) << x;
  for (const double x : {128, 156, 184, 212}) EXPECT_EQ(colorNear(last, x, 150, 3), 0) << x;
  EXPECT_GT(colorNear(last, 240, 150, 3), 5);
  const double whole = colorNear(read.pictures[3], 30 + 28 * 3, 150, 7);
  const double broken = colorNear(read.pictures[6], 30 + 28 * 6, 150, 7);
  EXPECT_GT(broken, 10) << "a predicted marker is shown";
  EXPECT_LT(broken, 0.8 * whole) << "by a broken pool";
}

TEST_F(OverlayTest, CamerasStandSideBySideAndMayEnd) {
  Studio studio({161, 121, 3, 8}, 3, 80);
  const auto overlay = output::makeOverlay(path("v.mp4"));
  for (int n = 0; n < 6; ++n) {
    const std::vector<motion::TrackRow> here{rowAt(1, 80, 60)}, none;
    studio.write(*overlay, {n * 0.04, {n < 3 ? here : none, none, here}}, n < 3 ? SIZE_MAX : 0);
  }
  overlay->finish();
  const auto read = readAll(path("v.mp4"));
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.pictures.size(), 6U);
  EXPECT_EQ(read.pictures[0].format, (gpu::ImageFormat{322, 242, 3, 8})) << "two by two tiles";
  EXPECT_GT(colorNear(read.pictures[1], 80, 60, 7), 15);
  EXPECT_LT(colorNear(read.pictures[1], 161 + 80, 60, 7), 4) << "camera 1 sees nothing";
  EXPECT_GT(colorNear(read.pictures[1], 80, 121 + 60, 7), 15);
  EXPECT_NEAR(read.pictures[1].value(40, 90), 80, 3);
  EXPECT_NEAR(read.pictures[5].value(40, 90), 0, 3) << "camera 0 has ended";
  EXPECT_NEAR(read.pictures[5].value(200, 90), 80, 3);
  EXPECT_NEAR(read.pictures[5].value(240, 200), 0, 3) << "there is no camera 3";
  EXPECT_NEAR(read.times[5], 0.2, 1e-4) << "by the times of those that go on";
}

TEST_F(OverlayTest, SixteenBitsFillTheRangeWithoutFlicker) {
  Studio studio({160, 120, 1, 16}, 1, 3000);
  const auto overlay = output::makeOverlay(path("v.mkv"));
  double time = 0;
  for (const uint32_t level : {3000U, 4000U, 3000U}) {
    studio.setLevel(level);
    studio.write(*overlay, {time += 0.1, {{}}});
  }
  overlay->finish();
  const auto read = readAll(path("v.mkv"));
  ASSERT_EQ(read.pictures.size(), 3U);
  const auto expectLevels = [&](size_t n, int dark, int bright) {
    EXPECT_NEAR(read.pictures[n].value(80, 60), dark, 1) << "frame " << n;
    EXPECT_NEAR(read.pictures[n].value(0, 60), bright, 1) << "frame " << n;
  };
  expectLevels(0, 0, 255);
  expectLevels(1, 128, 255);  // 3000 is still black.
  expectLevels(2, 0, 128);    // 5000 is still white.
}

TEST_F(OverlayTest, LabelsNeverCoverEachOther) {
  const auto draw = [&](const std::string& name, const std::vector<motion::TrackRow>& rows) {
    const auto picture = output::makePicture(path(name), {.frame = SetIndex(0)});
    Studio studio({320, 240, 1, 8}, 1, 0);
    studio.write(*picture, {0, {rows}});
    picture->finish();
    return readAll(path(name)).pictures.at(0);
  };
  // The label of track 88 comes first, so it stays, and must look the same with track 89 beside it.
  const Picture one = draw("one.png", {rowAt(88, 100, 120)});
  const Picture two = draw("two.png", {rowAt(88, 100, 120), rowAt(89, 100, 121)});
  int changed = 0, seen = 0;
  for (uint32_t y = 100; y < 140; ++y) {
    for (uint32_t x = 108; x < 130; ++x) {  // These columns hold the label of track 88.
      for (uint32_t c = 0; c < 3; ++c) {
        seen += one.value(x, y, c) > 100 ? 1 : 0;
        changed += one.value(x, y, c) > 100 && two.value(x, y, c) < 50 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(seen, 30);
  EXPECT_EQ(changed, 0);
  EXPECT_GT(colorNear(two, 85, 121, 8), colorNear(one, 85, 121, 8)) << "the other is elsewhere";
}

TEST_F(OverlayTest, ProvisionalIdsAreDimmedAndMarked) {
  const auto draw = [&](const std::string& name, motion::TrackKnowledge knowledge) {
    const auto picture = output::makePicture(path(name), {.frame = SetIndex(0)});
    Studio studio({320, 240, 1, 8}, 1, 0);
    studio.knowledge = knowledge;
    studio.write(*picture, {0, {{rowAt(17, 100, 120)}}});
    picture->finish();
    return readAll(path(name)).pictures.at(0);
  };
  const Picture known = draw("known.png", motion::TrackKnowledge::causal);
  const Picture provisional = draw("provisional.png", motion::TrackKnowledge::provisional);
  const auto lit = [](const Picture& picture, uint32_t from, uint32_t to) {
    int most = 0;
    for (uint32_t y = 80; y < 160; ++y)
      for (uint32_t x = from; x < to; ++x)
        for (uint32_t c = 0; c < 3; ++c) most = std::max(most, int{picture.value(x, y, c)});
    return most;
  };
  EXPECT_GT(lit(known, 90, 110), 200);
  EXPECT_LT(lit(provisional, 90, 110), 150) << "dimmed";
  const auto right = [&](const Picture& picture) {
    uint32_t end = 110;
    for (uint32_t x = 110; x < 160; ++x)
      if (lit(picture, x, x + 1) > 60) end = x;
    return end;
  };
  EXPECT_GT(right(provisional), right(known) + 3) << "~17 is longer than 17";
}

TEST_F(OverlayTest, OneFrameIsAVideoAndNoneIsNoFile) {
  Studio studio({64, 48, 1, 8}, 1, 50);
  const auto one = output::makeOverlay(path("one.mp4"));
  studio.write(*one, {3, {{}}});
  one->finish();
  EXPECT_EQ(readAll(path("one.mp4")).times.size(), 1U);
  {
    const auto none = output::makeOverlay(path("none.mp4"));
    none->finish();
  }
  EXPECT_FALSE(std::filesystem::exists(path("none.mp4")));
}

TEST_F(OverlayTest, TimesThatDoNotRiseStopNothing) {
  Studio studio({64, 48, 1, 8}, 1, 50);
  const auto overlay = output::makeOverlay(path("v.avi"));
  for (const double time : {0.0, 0.04, 0.04, 0.03, 0.3}) studio.write(*overlay, {time, {{}}});
  overlay->finish();
  const auto read = readAll(path("v.avi"));
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.times.size(), 5U);
  EXPECT_NEAR(read.times[3], 0.12, 1e-6);
  EXPECT_NEAR(read.times[4], 0.3, 0.021) << "back at its own time";
}

TEST_F(OverlayTest, RefusesWhatIsNoVideoAndKeepsWhatWasThere) {
  EXPECT_THROW(output::makeOverlay(path("v.webm")), UsageError);
  EXPECT_THROW(output::makeOverlay(path("no/such/folder/v.mp4")), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

// ---- Raw recordings

class RawRecorderTest : public FolderTest {};

TEST_F(RawRecorderTest, EveryFrameIsThereAsItCameOrCounted) {
  constexpr gpu::ImageFormat kFormat{320, 240, 1, 16};
  constexpr uint64_t kFrames = 40;
  for (const size_t mostWaiting : {output::kMostWaiting, size_t{1}}) {
    SCOPED_TRACE(mostWaiting);
    Studio studio(kFormat, 2, 500);
    const uint64_t said = base::recentLog().total;
    const auto recorder = output::makeRawRecorder(path("raw.mkv"), 2, nullptr, mostWaiting);
    EXPECT_TRUE(recorder->wantsPixels());
    // No grid of times of a container could hold these times.
    for (uint64_t n = 0; n < kFrames; ++n)
      studio.write(*recorder, {std::sqrt(static_cast<double>(n)), {{}, {}}}, n < 3 ? 1 : SIZE_MAX);
    recorder->finish();

    uint64_t lost = 0;
    const base::RecentLog log = base::recentLog();
    if (log.total > said) {
      const std::string& last = log.lines.back();
      unsigned long count = 0, all = 0;
      ASSERT_EQ(
          std::sscanf(last.c_str() + last.find(" without "), " without %lu of %lu", &count, &all),
          2)
          << last;
      EXPECT_EQ(all, kFrames);
      lost = count;
    }
    if (mostWaiting == output::kMostWaiting) {
      EXPECT_EQ(lost, 0U);
    }
    for (const size_t camera : {0, 1}) {
      if (lost > 0 && camera == 1) continue;  // Perhaps none of this camera's frames was kept.
      const auto source = capture::openSource(Address(path(fmt::format("raw_cam{}.mkv", camera))));
      uint64_t read = 0, gaps = 0;
      Picture picture(source->format());
      for (;; ++read) {
        const capture::Reading reading = source->read(picture.view());
        if (reading.state == gpu::CameraState::ended) break;
        gaps += reading.gap ? 1 : 0;
        if (reading.gap) continue;
        EXPECT_EQ(reading.stamp.time,
                  std::sqrt(static_cast<double>(FrameNumber(reading.stamp.sequence).value())));
        EXPECT_EQ(picture.value(0, 7, 0), 1500);
        EXPECT_EQ(picture.value(5, 239, 0), 500);
      }
      EXPECT_EQ(read - (lost > 0 ? gaps : 0), kFrames - lost);
      if (lost > 0) continue;
      EXPECT_EQ(gaps, camera == 0 ? 0U : 3U);
      // After a jump, set n is the same as in a plain read.
      for (const uint64_t set : {20, 1, 3, 39}) {
        source->seek(FrameNumber(set));
        const capture::Reading reading = source->read(picture.view());
        EXPECT_EQ(reading.gap, camera == 1 && set < 3);
        if (!reading.gap) {
          EXPECT_EQ(reading.stamp.sequence, set);
        }
      }
    }
  }
}

/// Returns the settings that came into force while a raw recording was made, as TOML, each with the
/// set of the first frame that has them. They stand beside that frame, between the 60 bytes of its
/// stamp (capture::toBytes()) and the 8 bytes of its seal (capture::sealOf()).
std::vector<std::pair<SetIndex, std::string>> changesIn(const std::string& file) {
  constexpr size_t kStampBytes = 60, kSealBytes = 8;
  std::vector<std::pair<SetIndex, std::string>> changes;
  capture::Demuxer demuxer(Address(file), false);
  for (const capture::libav::Packet packet(av_packet_alloc()); demuxer.read(*packet);
       av_packet_unref(packet.get())) {
    const std::span<const std::byte> bytes = capture::libav::besideOf(*packet);
    const auto stamp = capture::recordedStampOf(bytes);
    if (!stamp || bytes.size() <= kStampBytes + kSealBytes) continue;
    const auto text = bytes.subspan(kStampBytes, bytes.size() - kStampBytes - kSealBytes);
    changes.emplace_back(stamp->set,
                         std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  }
  return changes;
}

std::shared_ptr<const Settings> separated(double separation) {
  Settings settings;
  settings.detect.separation = separation;
  return std::make_shared<const Settings>(settings);
}

// The file holds the settings in force and the later changes, each with its set.
TEST_F(RawRecorderTest, SettingsInForceAndTheirChangesAreKept) {
  constexpr gpu::ImageFormat kFormat{64, 48, 1, 8};
  Studio studio(kFormat, 2, 50);
  studio.settings = separated(17);
  const auto recorder = output::makeRawRecorder(path("raw.mkv"), 2);
  for (uint64_t n = 0; n < 12; ++n) {
    if (n == 5) studio.settings = separated(9);
    if (n == 7) studio.settings = separated(9);  // These settings are set again, but are the same.
    if (n == 8) studio.settings = separated(4);
    // Camera 1 has no frame in the set of the change.
    studio.write(*recorder, {0.1 * static_cast<double>(n), {{}, {}}}, n == 5 ? 1 : SIZE_MAX);
  }
  recorder->finish();
  const auto separationOf = [](const std::string& toml) {
    Settings settings;
    readTomlText(settings, toml, "a recording");
    return settings.detect.separation;
  };
  for (const uint64_t camera : {0, 1}) {
    const std::string file = path(fmt::format("raw_cam{}.mkv", camera));
    EXPECT_EQ(separationOf(capture::recordedSettings(file)), 17);
    const auto changes = changesIn(file);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].first, 5 + camera);
    EXPECT_EQ(separationOf(changes[0].second), 9);
    EXPECT_EQ(changes[1].first, 8);
    EXPECT_EQ(separationOf(changes[1].second), 4);
  }
}

TEST_F(RawRecorderTest, APreRollBeginsWithItsOwnSettings) {
  Studio studio({64, 48, 1, 8}, 1, 50);
  const auto preRoll = std::make_shared<output::PreRoll>(10);
  const auto recorder = output::makeRawRecorder(path("raw.mkv"), 1, preRoll);
  studio.settings = separated(17);
  for (uint64_t n = 0; n < 6; ++n) {
    if (n == 4) studio.settings = separated(9);
    const auto frame = studio.frameOf({0.1 * static_cast<double>(n), {{}}});
    preRoll->take(*frame);
    if (n >= 4) recorder->accept(frame);
  }
  recorder->finish();
  EXPECT_NE(capture::recordedSettings(path("raw.mkv")).find("separation = 17"), std::string::npos);
  const auto changes = changesIn(path("raw.mkv"));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].first, 4);
}

TEST_F(RawRecorderTest, OneOfAnEarlierVersionStillOpens) {
  const std::string file = GLINT_TEST_DATA "/raw_1a7e442.mkv";
  const auto source = capture::openSource(Address(file));
  EXPECT_EQ(source->format(), (gpu::ImageFormat{64, 48, 1, 8}));
  Picture picture(source->format());
  uint64_t frames = 0;
  for (;; ++frames) {
    const capture::Reading reading = source->read(picture.view());
    if (reading.state == gpu::CameraState::ended) break;
    EXPECT_EQ(reading.stamp.sequence, frames);
    EXPECT_FALSE(reading.gap);
  }
  EXPECT_EQ(frames, 12U);
  Settings settings;
  readTomlText(settings, capture::recordedSettings(file), file);
  EXPECT_TRUE(changesIn(file).empty());
}

}  // namespace
}  // namespace glint
