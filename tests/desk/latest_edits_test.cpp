// Tests edits that change while frames are being written.
#include <gtest/gtest.h>

#include "app/output/sinks/edited_sink.h"

namespace glint {
namespace {

motion::FramePtr frameWith(uint64_t number, motion::TrackKnowledge knowledge) {
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(number);
  frame->knowledge = knowledge;
  motion::CameraFrame& camera = frame->cameras.emplace_back();
  motion::TrackRow row;
  row.set = SetIndex(number);
  row.frame = FrameNumber(number);
  row.track = TrackId(7);
  camera.tracks = {row};
  camera.finalised = {row};
  return frame;
}

struct Kept final : output::Sink {
  explicit Kept(std::vector<motion::FramePtr>& to) : frames(to) {}
  void accept(const motion::FramePtr& frame) override { frames.push_back(frame); }
  std::vector<motion::FramePtr>& frames;
};

TEST(LatestEdits, AreThoseOfEachFramesMoment) {
  const output::TracksToEdit tracks{{{TrackId(7), FrameNumber(0), FrameNumber(9)}},
                                    [](CameraIndex, FrameNumber) {
                                      return std::vector<output::TrackSpot>{{TrackId(7), 1, 1}};
                                    }};
  output::TrackEdits edits;
  edits.edits = {{.kind = output::EditKind::remove, .at = {CameraIndex(), FrameNumber(0), 1, 1}}};
  edits.mmPerPx[CameraIndex()] = 0.5;
  const auto latest = std::make_shared<output::LatestEdits>();
  std::vector<motion::FramePtr> frames;
  const auto sink = output::makeEdited(std::make_unique<Kept>(frames), latest, false);
  sink->accept(frameWith(0, motion::TrackKnowledge::whole));
  latest->set(std::make_shared<const output::EditedTracks>(output::apply(edits, tracks)));
  sink->accept(frameWith(1, motion::TrackKnowledge::whole));
  sink->accept(frameWith(2, motion::TrackKnowledge::provisional));
  latest->set(nullptr);
  sink->accept(frameWith(3, motion::TrackKnowledge::causal));
  ASSERT_EQ(frames.size(), 4);
  EXPECT_EQ(output::editsOf(*frames[0]), nullptr);
  EXPECT_EQ(frames[0]->cameras[0].tracks.size(), 1);
  EXPECT_TRUE(frames[1]->cameras[0].tracks.empty());
  EXPECT_TRUE(frames[1]->cameras[0].finalised.empty());
  // Ids of a later frame that are not those of the recording stay as they are. The recording's
  // scale holds for them, too.
  ASSERT_EQ(frames[2]->cameras[0].tracks.size(), 1);
  EXPECT_EQ(frames[2]->cameras[0].tracks[0].track, TrackId(7));
  ASSERT_NE(output::editsOf(*frames[2]), nullptr);
  EXPECT_EQ(output::editsOf(*frames[2])->edits().mmPerPx, edits.mmPerPx);
  EXPECT_EQ(output::editsOf(*frames[3]), nullptr);
}

}  // namespace
}  // namespace glint
