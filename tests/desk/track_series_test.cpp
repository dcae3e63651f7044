// Compares curves of tracks with the rows that they are made of.
#include "app/shell/desk/track_series.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace glint {
namespace {

/// Returns a finished recording of one camera. Track 1 is at (f, 2 f) in frame f and is missing in
/// frames 4 and 5. Track 2 begins in frame 3.
std::shared_ptr<const session::TrackHistory> recordingOf(uint64_t frames) {
  auto history = std::make_shared<session::TrackHistory>(Settings(), 0, 1);
  for (uint64_t f = 0; f < frames; ++f) {
    auto frame = std::make_shared<motion::Frame>();
    frame->set = SetIndex(f);
    motion::CameraFrame& camera = frame->cameras.emplace_back();
    camera.measured.stamp.emplace().sequence = FrameNumber(f);
    for (const uint64_t track : {1, 2}) {
      if (track == 1 ? f == 4 || f == 5 : f < 3) continue;
      motion::TrackRow row;
      row.set = SetIndex(f);
      row.frame = FrameNumber(f);
      row.track = TrackId(track);
      row.x = static_cast<double>(f);
      row.y = static_cast<double>(2 * f);
      row.vx = 3;
      row.vy = 4;
      row.state = f == 3 ? motion::TrackState::predicted : motion::TrackState::measured;
      camera.finalised.push_back(row);
    }
    history->accept(frame);
  }
  history->conclude();
  return history;
}

using Wanted = std::vector<std::pair<CameraIndex, TrackId>>;

/// Returns the series of two tracks. Track 1 is at (f, 2 f) in frames 0 to 3, 6 and 7. Track 2 is 3
/// px to the right of that place.
std::vector<shell::TrackSeries> twoApart() {
  auto all = shell::seriesOf(*recordingOf(8), {},
                             Wanted{{CameraIndex(), TrackId(1)}, {CameraIndex(), TrackId(2)}});
  for (shell::SeriesPoint& point : all[1].points) point.value[0] += 3;
  return all;
}

TEST(MeasureSeries, AreInTheFramesOfAllTheirTracks) {
  const auto tracks = twoApart();
  const auto points = shell::measureSeries(output::MeasureKind::distance,
                                           std::vector<shell::MeasureEnd>{tracks[0], tracks[1]});
  std::vector<uint64_t> sets;
  std::vector<bool> joined, measured;
  for (const shell::SeriesPoint& point : points) {
    sets.push_back(point.set.value());
    joined.push_back(point.joined);
    measured.push_back(point.measured);
    EXPECT_FLOAT_EQ(point.value[0], 3);
  }
  EXPECT_EQ(sets, (std::vector<uint64_t>{3, 6, 7}));
  EXPECT_EQ(joined, (std::vector{false, false, true}));
  EXPECT_EQ(measured, (std::vector{false, true, true}));
}

TEST(MeasureSeries, OfAPlaceAndATrackIsInTheTracksFrames) {
  const auto tracks = twoApart();
  const output::MeasurePlace corner{0, 0}, right{1, 0};
  const auto angles = shell::measureSeries(
      output::MeasureKind::angle, std::vector<shell::MeasureEnd>{right, corner, tracks[0]});
  // In frame 0 the track is at the corner itself, so there is no angle.
  ASSERT_EQ(angles.size(), 5);
  for (const shell::SeriesPoint& point : angles)
    EXPECT_NEAR(point.value[0], std::atan2(2, 1) * 180 / std::numbers::pi, 1e-4);
  EXPECT_TRUE(shell::measureSeries(output::MeasureKind::distance,
                                   std::vector<shell::MeasureEnd>{corner, right})
                  .empty());
}

TEST(TrackSeriesOf, AreTheRowsWithTheirGaps) {
  const auto history = recordingOf(8);
  const auto all = shell::seriesOf(*history, {},
                                   Wanted{{CameraIndex(), TrackId(2)},
                                          {CameraIndex(), TrackId(1)},
                                          {CameraIndex(), TrackId(9)},
                                          {CameraIndex(7), TrackId(1)}});
  ASSERT_EQ(all.size(), 4);
  EXPECT_EQ(all[0].points.size(), 5);
  ASSERT_EQ(all[1].points.size(), 6);
  EXPECT_TRUE(all[2].points.empty());
  EXPECT_TRUE(all[3].points.empty());
  std::vector<bool> joined;
  for (const shell::SeriesPoint& point : all[1].points) joined.push_back(point.joined);
  EXPECT_EQ(joined, (std::vector{false, true, true, true, false, true}));
  const shell::SeriesPoint* third = all[1].at(SetIndex(3));
  ASSERT_TRUE(third);
  EXPECT_FALSE(third->measured);
  EXPECT_EQ(third->value, (std::array<float, 4>{3, 6, 0, 5}));
  EXPECT_EQ(all[1].at(SetIndex(4)), nullptr);
  EXPECT_EQ(all[1].at(SetIndex(99)), nullptr);
}

TEST(TrackSeriesOf, FollowTheEdits) {
  const auto history = recordingOf(8);
  output::TrackEdits edits;
  edits.edits = {{.kind = output::EditKind::split, .at = {CameraIndex(), FrameNumber(6), 6, 12}}};
  // Both tracks are at the same place there. Edits take the nearest track, and the first of equally
  // near ones, which is track 1.
  const output::TracksToEdit tracks{
      {{TrackId(1), FrameNumber(0), FrameNumber(3)}, {TrackId(1), FrameNumber(6), FrameNumber(7)}},
      [](CameraIndex, FrameNumber) {
        return std::vector<output::TrackSpot>{{TrackId(1), 6, 12}};
      }};
  const auto edited = output::apply(edits, tracks);
  const auto all = shell::seriesOf(
      *history, edited, Wanted{{CameraIndex(), TrackId(1)}, {CameraIndex(), TrackId(1000)}});
  EXPECT_EQ(all[0].points.size(), 4);
  EXPECT_EQ(all[1].points.size(), 2);
}

TEST(CurveColumns, HoldEveryPointOnce) {
  std::mt19937 random(3);
  std::vector<shell::SeriesPoint> points;
  for (uint64_t f = 0; f < 5000; ++f) {
    if (random() % 10 == 0) continue;
    shell::SeriesPoint point{.set = SetIndex(f)};
    point.value[1] = static_cast<float>(random() % 1000);
    point.joined = !points.empty() && points.back().set.value() + 1 == f;
    points.push_back(point);
  }
  for (const shell::TimeAxis axis : {shell::TimeAxis{0, 5000, 700}, shell::TimeAxis{100, 2345, 64},
                                     shell::TimeAxis{4990, 100, 9}, shell::TimeAxis{0, 50, 400}}) {
    const auto columns = shell::curveColumns(axis, points, shell::Quantity::y);
    ASSERT_EQ(columns.size(), axis.columns);
    // The definition says that the column of a point is the first one that holds its frame.
    std::vector<shell::CurveColumn> plain(axis.columns);
    for (const shell::SeriesPoint& point : points) {
      const uint64_t f = point.set.value();
      if (f < axis.first || f >= axis.first + axis.frames) continue;
      size_t i = 0;
      while (axis.framesOf(i).second <= f) ++i;
      shell::CurveColumn& column = plain[i];
      const float value = point.value[1];
      column.least = column.any ? std::min(column.least, value) : value;
      column.most = column.any ? std::max(column.most, value) : value;
      if (!column.any) column.first = value;
      column.last = value;
      column.any = true;
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      ASSERT_EQ(columns[i].any, plain[i].any) << i;
      ASSERT_EQ(columns[i].least, plain[i].least);
      ASSERT_EQ(columns[i].most, plain[i].most);
      ASSERT_EQ(columns[i].first, plain[i].first);
      ASSERT_EQ(columns[i].last, plain[i].last);
    }
  }
}

TEST(CurveColumns, AreApartWhereTheTrackWasLost) {
  const auto all = shell::seriesOf(*recordingOf(8), {}, Wanted{{CameraIndex(), TrackId(1)}});
  const auto columns = shell::curveColumns({0, 8, 8}, all[0].points, shell::Quantity::x);
  EXPECT_TRUE(columns[3].joined);
  EXPECT_FALSE(columns[4].any);
  EXPECT_FALSE(columns[6].joined);
  EXPECT_TRUE(columns[7].joined);
}

TEST(MarkSteps, AreRound) {
  for (const auto& [least, step] : std::vector<std::pair<double, double>>{
           {1, 1}, {1.01, 2}, {2, 2}, {2.1, 5}, {5.5, 10}, {0.03, 0.05}, {199, 200}, {1e-7, 1e-7}})
    EXPECT_NEAR(shell::markStep(least), step, 1e-9 * step) << least;
}

TEST(PointSeries, AreAllRowsOfThePointsByTheirSets) {
  shell::SpaceHistory history;
  for (uint64_t set = 0; set < 5; ++set) {
    motion::SpaceFrame space;
    for (const uint64_t point : {1, 2, 3}) {
      if (point == 2 && set == 3) continue;
      motion::SpaceRow& row = space.finalised.emplace_back();
      row.frame = set;
      row.point = point;
      row.at = Eigen::Vector3d(1, 2, 3) * static_cast<double>(set * point);
      row.velocity = {2, 3, 6};
      if (set == 1) row.state = motion::TrackState::predicted;
      if (point == 2 && set == 4) row.body = "hat", row.label = "front";
    }
    auto frame = std::make_shared<motion::Frame>();
    frame->set = SetIndex(set);
    frame->results.put(std::move(space));
    history.accept(frame);
  }
  history.conclude();
  const auto all = shell::seriesOf(history, std::vector<uint64_t>{2, 1});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "hat:front");
  EXPECT_EQ(all[1].name, "point 1");
  EXPECT_EQ(all[1].points.size(), 5U);
  std::vector<uint64_t> sets;
  for (const shell::SeriesPoint& point : all[0].points) {
    const float set = static_cast<float>(point.set.value());
    sets.push_back(point.set.value());
    EXPECT_EQ(point.value, (std::array<float, 4>{2 * set, 4 * set, 6 * set, 7}));
    EXPECT_EQ(point.measured, point.set != SetIndex(1));
    EXPECT_EQ(point.joined, point.set != SetIndex(0) && point.set != SetIndex(4));
  }
  EXPECT_EQ(sets, (std::vector<uint64_t>{0, 1, 2, 4}));
}

}  // namespace
}  // namespace glint
