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
  sources.push_back(capture::openSource("synth:dancer?size=640x360&frames=40&seed=3&cameras=1"));
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
    if (row.state != motion::TrackState::measured) continue;
    const auto drawn =
        std::find_if(live[row.frame.value()].begin(), live[row.frame.value()].end(),
                     [&](const motion::TrackRow& r) { return r.track == row.track; });
    // A row may become final in another state than it was seen live: not confirmed yet, or found
    // again later.
    if (drawn == live[row.frame.value()].end() || drawn->state != motion::TrackState::measured)
      continue;
    EXPECT_EQ(std::pair(drawn->x, drawn->y), std::pair(row.x, row.y));
    EXPECT_GT(colorNear(read.pictures[row.frame.value()], row.x, row.y, 7), 10)
        << "frame " << row.frame << ", track " << row.track;
    EXPECT_NEAR(read.times[row.frame.value()], row.time, 1e-4);
    ++shown;
  }
  EXPECT_GT(shown, 500U);
}

}  // namespace
}  // namespace glint
