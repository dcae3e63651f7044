// Tests the annotated video of a session by decoding it.
#include "app/capture/source/source_kinds.h"
#include "app/output/pictures/overlay.h"
#include "app/session/session.h"
#include "gpu/device.h"
#include "tests/app/overlay_colour.h"
#include "tests/numbers.h"

namespace glint {
namespace {

class OverlayRunTest : public FolderTest {};

/// A sink that keeps its rows.
struct Recorder : output::Sink {
  explicit Recorder(std::vector<std::vector<motion::TrackRow>>& frames,
                    std::vector<motion::TrackRow>& rows)
      : live(frames), finalised(rows) {}
  void accept(const motion::FramePtr& frame) override {
    const motion::CameraFrame& camera = frame->cameras[0];
    if (camera.measured.stamp) live.push_back(camera.tracks);
    finalised.insert(finalised.end(), camera.finalised.begin(), camera.finalised.end());
  }
  std::vector<std::vector<motion::TrackRow>>& live;
  std::vector<motion::TrackRow>& finalised;
};

TEST_F(OverlayRunTest, ARunIsShownAsItsTracksAreWritten) {
  std::vector<std::unique_ptr<capture::Source>> sources;
  sources.push_back(capture::openSource("synth:dancer?size=1280x960&frames=40&seed=7&cameras=1"));
  std::vector<std::vector<motion::TrackRow>> live;
  std::vector<motion::TrackRow> finalised;
  session::SessionOptions options;
  options.open = [&](const capture::CameraGroups&) {
    std::vector<session::command::AddSink> all(1);
    all[0].sinks.push_back(output::makeOverlay(path("v.mp4")));
    all[0].sinks.push_back(std::make_unique<Recorder>(live, finalised));
    return all;
  };
  const auto shared = std::make_shared<const gpu::Device>(gpu::Device::Options{});
  session::Session session(shared, std::move(sources), options);
  const session::SessionResult& report = session.finish();
  ASSERT_EQ(report.failure, "");
  const auto read = readAll(path("v.mp4"));
  ASSERT_EQ(read.pictures.size(), 40U);
  size_t shown = 0;
  for (const motion::TrackRow& row : finalised) {
    const Picture& picture = read.pictures[row.frame.value()];
    // A predicted marker has a broken ring.
    const double least = row.state == motion::TrackState::measured ? 6 : 2.5;
    EXPECT_GT(colorNear(picture, row.x, row.y, 7), least)
        << "frame " << row.frame << ", track " << row.track;
    EXPECT_NEAR(read.times[row.frame.value()], row.time, 1e-4);
    ++shown;
  }
  EXPECT_GT(shown, 500U);
  // While a lost track may come back, it is predicted. If it does not, no file has these rows.
  size_t dropped = 0;
  for (const std::vector<motion::TrackRow>& rows : live) {
    for (const motion::TrackRow& row : rows) {
      // Other tracks have a label beside their marker, and a trail where they have been.
      const auto isNear = [&](const motion::TrackRow& r) {
        const double away = std::hypot(r.x - row.x, r.y - row.y);
        if (r.track == row.track) return r.frame == row.frame;
        return r.frame <= row.frame && away < (r.frame == row.frame ? 30 : 15);
      };
      if (std::ranges::any_of(finalised, isNear)) continue;
      EXPECT_LT(colorNear(read.pictures[row.frame.value()], row.x, row.y, 7), 5)
          << "frame " << row.frame << ", track " << row.track;
      ++dropped;
    }
  }
  EXPECT_GT(dropped, 0U);
}

}  // namespace
}  // namespace glint
