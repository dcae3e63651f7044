// Compares the summaries of a recording's tracks with the rows that they are made of.
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "app/shell/desk/track_summariser.h"

namespace glint {
namespace {

struct SummaryPlace {
  uint64_t track, frame;
  double x, y;
  bool measured = true;
};

/// Returns a finished recording of one camera with the rows `places`. Its frames have the numbers
/// `first`, `first + step`, and so on.
std::shared_ptr<const session::TrackHistory> historyOf(const std::vector<SummaryPlace>& places,
                                                       uint64_t frames, uint64_t first = 0,
                                                       uint64_t step = 1) {
  auto history = std::make_shared<session::TrackHistory>(Settings(), 0, 1);
  for (uint64_t f = 0; f < frames; ++f) {
    auto frame = std::make_shared<motion::Frame>();
    frame->set = SetIndex(f);
    motion::CameraFrame& camera = frame->cameras.emplace_back();
    camera.measured.stamp.emplace();
    camera.measured.stamp->sequence = FrameNumber(first + step * f);
    for (const SummaryPlace& place : places) {
      if (place.frame != f) continue;
      motion::TrackRow row;
      row.set = SetIndex(f);
      row.frame = FrameNumber(first + step * f);
      row.track = TrackId(place.track);
      row.x = place.x;
      row.y = place.y;
      row.state = place.measured ? motion::TrackState::measured : motion::TrackState::predicted;
      camera.finalised.push_back(row);
    }
    history->accept(frame);
  }
  history->conclude();
  return history;
}

TEST(TrackSummaries, HoldWhatTheRowsSay) {
  const auto history = historyOf({{1, 0, 10, 10},
                                  {1, 1, 13, 14},
                                  {1, 2, 14, 14, false},
                                  {1, 3, 15, 14},
                                  {1, 6, 15, 24},
                                  {2, 5, 90, 90, false}},
                                 8);
  const auto all = shell::summarise(*history, {});
  ASSERT_EQ(all.size(), 2);
  const shell::TrackSummary& one = all[0];
  EXPECT_EQ(one.track, TrackId(1));
  EXPECT_EQ(one.first, SetIndex(0));
  EXPECT_EQ(one.last, SetIndex(6));
  EXPECT_EQ(one.rows, 5);
  EXPECT_EQ(one.gaps, 1);
  EXPECT_DOUBLE_EQ(one.path, 5 + 1 + 1 + 10);
  // Only frame 1 counts. The row of frame 2 is predicted, and the other frames lack a row before or
  // after them.
  ASSERT_TRUE(one.residual);
  EXPECT_DOUBLE_EQ(*one.residual, std::hypot(13 - 12, 14 - 12));
  EXPECT_EQ(one.stretches, (std::vector<std::pair<SetIndex, SetIndex>>{
                               {SetIndex(0), SetIndex(3)}, {SetIndex(6), SetIndex(6)}}));
  EXPECT_EQ(one.anchor, (output::TrackAnchor{CameraIndex(), FrameNumber(1), 13, 14}));
  EXPECT_FALSE(all[1].residual);
  EXPECT_EQ(all[1].anchor.frame, FrameNumber(5));
}

TEST(TrackSummaries, FollowTheEdits) {
  const auto history = historyOf({{1, 0, 10, 10},
                                  {1, 1, 11, 10},
                                  {1, 2, 12, 10},
                                  {2, 0, 50, 50},
                                  {2, 1, 50, 50},
                                  {3, 2, 50, 51}},
                                 3);
  const auto at = [](uint64_t frame, double x, double y) {
    return output::TrackAnchor{CameraIndex(), FrameNumber(frame), x, y};
  };
  output::TrackEdits edits;
  edits.edits = {{.kind = output::EditKind::join, .at = at(1, 50, 50), .with = at(2, 50, 51)},
                 {.kind = output::EditKind::rename, .at = at(2, 50, 51), .name = "hip"},
                 {.kind = output::EditKind::remove, .at = at(0, 10, 10)},
                 {.kind = output::EditKind::hide, .at = at(0, 99, 99)}};
  const output::EditedTracks edited = output::apply(edits, shell::tracksToEdit(history));
  EXPECT_EQ(edited.unmatched().size(), 1);
  const auto all = shell::summarise(*history, edited);
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].track, TrackId(2));
  EXPECT_EQ(all[0].name, "hip");
  EXPECT_EQ(all[0].rows, 3);
  EXPECT_EQ(all[0].gaps, 0);
}

TEST(TrackSummaries, EditsFindTheFramesOfARecordingThatBeginsAtAnyNumber) {
  // Such a recording comes from a live session that dropped every other frame. Sets 1, 4 and 5 are
  // empty.
  const auto history =
      historyOf({{1, 0, 10, 10}, {1, 2, 12, 10}, {2, 3, 50, 50}, {1, 6, 14, 10}}, 8, 70, 2);
  for (const auto& [frame, x, y, track] : {std::tuple(70U, 10.0, 10.0, 1U),
                                           {74U, 12.0, 10.0, 1U},
                                           {76U, 50.0, 50.0, 2U},
                                           {82U, 14.0, 10.0, 1U}})
    EXPECT_EQ(shell::trackFoundAt(*history, {CameraIndex(), FrameNumber(frame), x, y}),
              TrackId(track))
        << frame;
  for (const unsigned frame : {0U, 3U, 69U, 71U, 72U, 78U, 84U, 200U})
    EXPECT_EQ(shell::trackFoundAt(*history, {CameraIndex(), FrameNumber(frame), 10, 10}),
              std::nullopt)
        << frame;
}

TEST(TrackSummariser, AnswersTheNewestRequest) {
  const auto history = historyOf({{1, 0, 10, 10}, {1, 1, 11, 10}, {2, 1, 50, 50}}, 2);
  std::mutex mutex;
  std::condition_variable answered;
  uint64_t answers = 0;
  shell::TrackSummariser summariser([&] {
    const std::lock_guard lock(mutex);
    ++answers;
    answered.notify_all();
  });
  EXPECT_EQ(summariser.result(), nullptr);
  output::TrackEdits edits;
  edits.edits = {{.kind = output::EditKind::rename,
                  .at = {CameraIndex(), FrameNumber(1), 50, 50},
                  .name = "hip"}};
  const auto edited = std::make_shared<const output::EditedTracks>(
      output::apply(edits, shell::tracksToEdit(history)));
  for (uint64_t number = 1; number <= 20; ++number)
    summariser.ask({history, number == 20 ? edited : nullptr, number});
  std::unique_lock lock(mutex);
  answered.wait(lock, [&] { return summariser.result() && summariser.result()->of.number == 20; });
  EXPECT_LE(answers, 20);
  const auto result = summariser.result();
  EXPECT_FALSE(summariser.busy());
  ASSERT_EQ(result->tracks.size(), 2);
  EXPECT_EQ(result->tracks[1].name, "hip");
}

TEST(TrackSummariser, EndsWhileOneWaits) {
  const auto history = historyOf({{1, 0, 10, 10}}, 1);
  shell::TrackSummariser summariser;
  for (uint64_t number = 0; number < 5; ++number) summariser.ask({history, nullptr, number});
}

TEST(TrackSummaries, TellInWhichSetAFrameWas) {
  const auto history = historyOf({{1, 0, 10, 10}, {1, 3, 13, 10}}, 5, 153, 2);
  EXPECT_EQ(shell::setOf(*history, CameraIndex(), FrameNumber(153)), SetIndex(0));
  EXPECT_EQ(shell::setOf(*history, CameraIndex(), FrameNumber(159)), SetIndex(3));
  for (const uint64_t none : {0, 3, 154, 157, 200})
    EXPECT_FALSE(shell::setOf(*history, CameraIndex(), FrameNumber(none))) << none;
  EXPECT_FALSE(shell::setOf(*history, CameraIndex(1), FrameNumber(153)));
}

}  // namespace
}  // namespace glint
