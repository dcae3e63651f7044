// Edits that change while frames are written.
#include <gtest/gtest.h>

#include "app/sinks/edited_sink.h"

namespace glint {
namespace {

FramePtr frameWith(uint64_t number, TrackKnowledge knowledge) {
  auto frame = std::make_shared<Frame>();
  frame->set = SetIndex(number);
  frame->knowledge = knowledge;
  CameraFrame& camera = frame->cameras.emplace_back();
  TrackRow row;
  row.set = SetIndex(number);
  row.frame = FrameNumber(number);
  row.track = TrackId(7);
  camera.tracks = {row};
  camera.finalised = {row};
  return frame;
}

struct Kept final : Sink {
  explicit Kept(std::vector<FramePtr>& to) : frames(to) {}
  void accept(const FramePtr& frame) override { frames.push_back(frame); }
  std::vector<FramePtr>& frames;
};

TEST(LatestEdits, AreThoseOfEachFramesMoment) {
  const TracksToEdit tracks{{{TrackId(7), FrameNumber(0), FrameNumber(9)}},
                            [](CameraIndex, FrameNumber) {
                              return std::vector<TrackSpot>{{TrackId(7), 1, 1}};
                            }};
  TrackEdits edits;
  edits.edits = {{.kind = EditKind::remove, .at = {CameraIndex(), FrameNumber(0), 1, 1}}};
  edits.mmPerPx[CameraIndex()] = 0.5;
  const auto latest = std::make_shared<LatestEdits>();
  std::vector<FramePtr> frames;
  const auto sink = makeEdited(std::make_unique<Kept>(frames), latest, false);
  sink->accept(frameWith(0, TrackKnowledge::whole));
  latest->set(std::make_shared<const EditedTracks>(apply(edits, tracks)));
  sink->accept(frameWith(1, TrackKnowledge::whole));
  sink->accept(frameWith(2, TrackKnowledge::provisional));
  latest->set(nullptr);
  sink->accept(frameWith(3, TrackKnowledge::causal));
  ASSERT_EQ(frames.size(), 4);
  EXPECT_EQ(editsOf(*frames[0]), nullptr);
  EXPECT_EQ(frames[0]->cameras[0].tracks.size(), 1);
  EXPECT_TRUE(frames[1]->cameras[0].tracks.empty());
  EXPECT_TRUE(frames[1]->cameras[0].finalised.empty());
  // Ids that are not those of the recording stay, and its scale holds for them, too.
  ASSERT_EQ(frames[2]->cameras[0].tracks.size(), 1);
  EXPECT_EQ(frames[2]->cameras[0].tracks[0].track, TrackId(7));
  ASSERT_NE(editsOf(*frames[2]), nullptr);
  EXPECT_EQ(editsOf(*frames[2])->edits().mmPerPx, edits.mmPerPx);
  EXPECT_EQ(editsOf(*frames[3]), nullptr);
}

}  // namespace
}  // namespace glint
