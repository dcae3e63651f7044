// Tests recordings that are tracked in the background: every frame gets the rows that `glint track`
// writes.
#include "app/session/track_history.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/capture/synth/scene.h"
#include "app/motion/space/space_rig.h"
#include "app/shell/desk/recording_tracker.h"
#include "tests/app/driven_session.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

constexpr const char* kHistoryScene = "synth:dancer?size=160x120&frames=40&seed=4&cameras=1";
constexpr std::chrono::seconds kPatience{240};

bool until(const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool done(const shell::RecordingTracker& retracker) {
  return until([&] { return !retracker.progress().running; });
}

/// Returns the rows that a plain run wrote for one camera and frame.
std::string rowsOf(const Seen& seen, size_t camera, uint64_t frame) {
  std::string text;
  for (const auto& [c, row] : seen.rows)
    if (c == camera && row.frame == frame) text += textOf(c, row);
  return text;
}

std::string historyText(const session::TrackHistory& results, size_t camera, uint64_t frame) {
  std::string text;
  const auto whole = results.frame(CameraIndex(camera), SetIndex(frame));
  for (const motion::TrackRow& row : whole->rows) text += textOf(camera, row);
  return text;
}

void expectSame(const session::TrackHistory& results, const Seen& plain) {
  ASSERT_TRUE(results.complete());
  ASSERT_EQ(results.finalised(), plain.frames.size());
  for (uint64_t i = 0; i < plain.frames.size(); ++i) {
    for (size_t camera = 0; camera < results.cameras(); ++camera) {
      EXPECT_EQ(historyText(results, camera, i), rowsOf(plain, camera, i)) << i;
      const auto frame = results.frame(CameraIndex(camera), SetIndex(i));
      EXPECT_EQ(frame->markers, plain.frames[i].markers[camera].size());
      EXPECT_EQ(frame->tracks, frame->rows.size());
    }
  }
}

TEST(TrackHistory, ASlowerCameraKeepsItsCountBetweenItsFrames) {
  // The frame kHeld is two mean intervals later.
  constexpr uint64_t kSets = 40, kLast = 15, kHeld = 28;
  session::TrackHistory history(Settings(), 0, 2);
  std::vector<uint32_t> slow;
  for (uint64_t set = 0; set < kSets; ++set) {
    const auto frame = std::make_shared<motion::Frame>();
    frame->set = SetIndex(set);
    frame->cameras.resize(2);
    for (size_t i = 0; i < 2; ++i) {
      gpu::LayerMeasurement& measured = frame->cameras[i].measured;
      measured.state = gpu::CameraState::none;
      if (i == 1 && (set % 3 != 0 || set > kLast)) continue;
      measured.state = gpu::CameraState::frame;
      measured.stamp = gpu::FrameStamp{.time = static_cast<double>(set) / 30};
      measured.markers.resize(i + 4);
    }
    history.accept(frame);
    slow.push_back(set <= kHeld ? 5 : 0);
  }
  EXPECT_EQ(history.markerCounts(CameraIndex(0)), std::vector<uint32_t>(kSets, 4));
  EXPECT_EQ(history.markerCounts(CameraIndex(1)), slow);
}

TEST(TrackHistory, EveryFrameHasTheRowsOfAPlainRun) {
  const std::vector<std::string> sources{
      // The second recording ends earlier.
      kHistoryScene, "synth:dancer?size=128x96&frames=31&seed=5&cameras=1"};
  const Seen plain = runOf(sourcesOf(sources));
  ASSERT_GT(plain.rows.size(), 100U);
  shell::RecordingTracker retracker(sessionDevice(), {sources.begin(), sources.end()});
  EXPECT_EQ(retracker.history(), nullptr);
  retracker.track(Settings(), 7);
  ASSERT_TRUE(done(retracker));
  EXPECT_EQ(retracker.progress().problem, "");
  EXPECT_EQ(retracker.progress().frames, 40U);
  EXPECT_EQ(retracker.progress().total, 40U);
  const auto results = retracker.history();
  ASSERT_TRUE(results);
  EXPECT_EQ(results->revision(), 7U);
  expectSame(*results, plain);
  EXPECT_FALSE(results->frame(CameraIndex(1), SetIndex(35))->measured) << "that camera has ended";
  EXPECT_EQ(results->frame(CameraIndex(0), SetIndex(40)), nullptr);
  EXPECT_EQ(results->frames(CameraIndex(), SetIndex(10), SetIndex(100)).size(), 30U);
  EXPECT_EQ(results->frames(CameraIndex(), SetIndex(10), SetIndex(10)).size(), 1U);
}

TEST(TrackHistory, StretchesTellWhenEachTrackWasThere) {
  const Seen plain = runOf(sourcesOf({kHistoryScene}));
  shell::RecordingTracker retracker(sessionDevice(), {kHistoryScene});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(done(retracker));
  std::set<std::pair<TrackId, SetIndex>> expected, stretched;
  for (const auto& [camera, row] : plain.rows) expected.emplace(row.track, row.set);
  for (const session::TrackStretch& s : retracker.history()->stretches(CameraIndex()))
    for (SetIndex set = s.first; set <= s.last; ++set)
      EXPECT_TRUE(stretched.emplace(s.track, set).second) << "twice";
  EXPECT_EQ(stretched, expected);
}

TEST(TrackHistory, WhatIsSettledDoesNotChangeAnyMore) {
  shell::RecordingTracker retracker(sessionDevice(), {kHistoryScene});
  std::map<uint64_t, std::string> early;
  retracker.track(Settings(), 1);
  ASSERT_TRUE(until([&] {
    if (const auto results = retracker.history()) {
      const uint64_t settled = results->finalised();
      for (uint64_t f = early.size(); f < settled; ++f) early[f] = historyText(*results, 0, f);
    }
    return !retracker.progress().running;
  }));
  const auto results = retracker.history();
  for (const auto& [frame, text] : early) EXPECT_EQ(historyText(*results, 0, frame), text) << frame;
}

/// If trackers wait long for hidden markers, the rows of a gap are written after those of later
/// frames.
TEST(TrackHistory, RowsThatComeLateStandInTheirFrames) {
  constexpr const char* kHiding =
      "synth:crossing?size=160x120&frames=110&markers=5&occluded=0.5&seed=2";
  Settings settings;
  settings.track.maxGap = 45;
  settings.track.confirm = 5;
  const Seen plain = runOf(sourcesOf({kHiding}), {.settings = settings});
  bool back = false;
  for (size_t i = 1; i < plain.rows.size(); ++i)
    back = back || plain.rows[i].second.frame < plain.rows[i - 1].second.frame;
  EXPECT_TRUE(back) << "the scene shows what it is for";
  shell::RecordingTracker retracker(sessionDevice(), {kHiding});
  retracker.track(settings, 1);
  std::map<uint64_t, std::string> early;
  ASSERT_TRUE(until([&] {
    if (const auto results = retracker.history()) {
      const uint64_t settled = results->finalised();
      for (uint64_t f = early.size(); f < settled; ++f) early[f] = historyText(*results, 0, f);
    }
    return !retracker.progress().running;
  }));
  const auto results = retracker.history();
  EXPECT_EQ(results->finalised(), 110U);
  for (uint64_t f = 0; f < 110; ++f) {
    std::vector<std::string> expected, seen;
    for (const auto& [camera, row] : plain.rows)
      if (row.frame == f) expected.push_back(textOf(0, row));
    for (const motion::TrackRow& row : results->frame(CameraIndex(0), SetIndex(f))->rows)
      seen.push_back(textOf(0, row));
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(std::is_sorted(results->frame(CameraIndex(0), SetIndex(f))->rows.begin(),
                               results->frame(CameraIndex(0), SetIndex(f))->rows.end(),
                               [](const auto& a, const auto& b) { return a.track < b.track; }));
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, expected) << f;
  }
  for (const auto& [frame, text] : early) EXPECT_EQ(historyText(*results, 0, frame), text) << frame;
}

TEST(TrackHistory, TheNewestRequestCounts) {
  shell::RecordingTracker retracker(sessionDevice(), {kHistoryScene});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(done(retracker));
  Settings settings;
  for (uint64_t revision = 2; revision <= 20; ++revision) {
    settings.detect.maxMarkers = static_cast<int>(revision) - 10 > 0 ? 4 : 3;
    settings.track.confirm = 2;
    retracker.track(settings, revision);
  }
  EXPECT_TRUE(retracker.progress().running);
  ASSERT_TRUE(done(retracker));
  EXPECT_EQ(retracker.history()->revision(), 20U);
  expectSame(*retracker.history(), runOf(sourcesOf({kHistoryScene}), {.settings = settings}));
}

TEST(TrackHistory, ANewRequestLeavesThemAsFarAsTheyAre) {
  constexpr const char* kLong = "synth:dancer?size=160x120&frames=100000&seed=4&cameras=1";
  shell::RecordingTracker retracker(sessionDevice(), {kLong});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(until([&] { return retracker.progress().frames > 30; }));
  EXPECT_EQ(retracker.progress().total, 100000U);
  const auto results = retracker.history();
  retracker.track(Settings(), 2);
  ASSERT_TRUE(until([&] { return retracker.history() != results; }));
  EXPECT_FALSE(results->complete());
  EXPECT_GT(results->measured(), 30U);
  EXPECT_LT(results->finalised(), results->measured());
}  // The destructor ends the second run.

TEST(TrackHistory, ProblemsAreToldInASentence) {
  shell::RecordingTracker retracker(sessionDevice(), {"/nowhere/a.mp4"});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(done(retracker));
  EXPECT_NE(retracker.progress().problem.find("/nowhere/a.mp4"), std::string::npos);
  EXPECT_EQ(retracker.history(), nullptr);
  Settings settings;
  settings.detect.mask = "/nowhere/mask.png";
  shell::RecordingTracker masked(sessionDevice(), {kHistoryScene});
  masked.track(settings, 1);
  ASSERT_TRUE(done(masked));
  EXPECT_NE(masked.progress().problem.find("/nowhere/mask.png"), std::string::npos);
  masked.track(Settings(), 2);
  ASSERT_TRUE(done(masked));
  EXPECT_EQ(masked.progress().problem, "");
  EXPECT_TRUE(masked.history()->complete());
}

TEST(TrackHistory, BeyondTheirRoomOnlyCountsAreKept) {
  const Seen plain = runOf(sourcesOf({kHistoryScene}));
  const size_t room = plain.rows.size() / 2;
  const auto kept = std::make_shared<session::TrackHistory>(Settings(), 1, 1, room);
  session::Session session(sessionDevice(), sourcesOf({kHistoryScene}),
                           {.settings = {}, .listeners = {kept}});
  EXPECT_EQ(session.finish().failure, "");
  const session::TrackHistory& results = *kept;
  EXPECT_FALSE(results.rowsKept());
  size_t rows = 0, counted = 0;
  for (uint64_t f = 0; f < 40; ++f) {
    rows += results.frame(CameraIndex(0), SetIndex(f))->rows.size();
    counted += results.frame(CameraIndex(0), SetIndex(f))->tracks;
  }
  EXPECT_EQ(counted, plain.rows.size());
  EXPECT_LE(rows, room);
  EXPECT_GT(rows, room / 2);
}

/// Tracks a whole scene into `history`, and then begins passes at the sets `begins` with the
/// trackers that the history has kept. Each pass must give the rows of a run from the start.
void expectPassesGoOn(const std::vector<std::string>& scene,
                      std::shared_ptr<const motion::SpaceRig> rig,
                      const std::vector<uint64_t>& begins,
                      std::shared_ptr<session::TrackHistory>& history) {
  const auto plain = std::make_shared<Seen>();
  history = std::make_shared<session::TrackHistory>(Settings(), 1, scene.size());
  session::SessionOptions options{
      .settings = {}, .listeners = {history}, .checkpoints = 16, .rig = rig};
  options.open = opening([&] { return seeing(plain); });
  session::Session whole(sessionDevice(), sourcesOf(scene), options);
  ASSERT_EQ(whole.finish().failure, "");
  history->conclude();
  EXPECT_FALSE(history->reaches(SetIndex(plain->frames.size() + 1)));
  for (const uint64_t begin : begins) {
    SCOPED_TRACE(begin);
    ASSERT_TRUE(history->reaches(SetIndex(begin)));
    DrivenSession run(
        sourcesOf(scene),
        {.settings = {}, .paused = true, .stay = true, .followsHistory = true, .rig = rig});
    ASSERT_TRUE(run.shows(0));
    EXPECT_EQ(run.tell(session::command::Follow{history}), "");
    EXPECT_EQ(run.tell(session::command::Seek{SetIndex(begin)}), "");
    ASSERT_TRUE(run.shows(begin));
    EXPECT_EQ(run.session().state()->frame->knowledge, motion::TrackKnowledge::whole);
    const auto part = std::make_shared<Seen>();
    EXPECT_EQ(run.tell(seeing(part, 5, "part")), "");
    EXPECT_EQ(run.tell(session::command::Play{}), "");
    ASSERT_TRUE(
        run.until([](const auto& s) { return s.mode == session::SessionState::Mode::atEnd; }));
    EXPECT_EQ(run.tell(session::command::Stop{}), "");
    run.finish();
    std::string expected;
    for (const auto& [camera, row] : plain->rows)
      if (row.set >= begin) expected += textOf(camera, row);
    EXPECT_EQ(part->text(), expected);
  }
}

TEST(TrackHistory, TrackersOfAnySetGiveTheIdsOfTheWholeRecording) {
  std::shared_ptr<session::TrackHistory> history;
  expectPassesGoOn({kHistoryScene}, nullptr, {0, 7, 16, 33}, history);
}

// A pass has no points of its own where it begins, so their predictions come from the whole
// recording.
TEST(TrackHistory, TrackersOfAnySetKnowWhatPointsHadSaid) {
  std::vector<std::string> scene;
  motion::Rig rig;
  for (int camera = 0; camera < 4; ++camera) {
    scene.push_back(fmt::format(
        "synth:dancer?size=320x256&frames=44&seed=4&cameras=4&diameter=40&camera={}", camera));
    rig.cameras.push_back(*capture::makeScene(capture::parseSynth(scene.back()))->camera());
  }
  std::shared_ptr<session::TrackHistory> history;
  expectPassesGoOn(scene, std::make_shared<const motion::SpaceRig>(rig), {24, 33}, history);
  size_t predictedPlaces = 0;
  for (const uint64_t set : {24, 25, 26, 33, 34, 35})
    for (const session::TrackerInput& input : *history->inputs(SetIndex(set)))
      predictedPlaces += input.predictedPlaces.size();
  EXPECT_GT(predictedPlaces, 5U);
  EXPECT_EQ(history->inputs(SetIndex(44)), nullptr);
}

TEST(TrackHistory, IdsAreProvisionalUntilItReachesThem) {
  const Seen plain = runOf(sourcesOf({kHistoryScene}));
  DrivenSession run(sourcesOf({kHistoryScene}),
                    {.settings = {}, .paused = true, .stay = true, .followsHistory = true});
  ASSERT_TRUE(run.shows(0));
  EXPECT_EQ(run.session().state()->frame->knowledge, motion::TrackKnowledge::causal)
      << "from the start on";
  EXPECT_EQ(run.tell(session::command::Seek{SetIndex(20)}), "");
  ASSERT_TRUE(run.shows(20));
  EXPECT_TRUE(run.session().state()->frame->provisional());
  const auto provisional = std::make_shared<Seen>();
  EXPECT_EQ(run.tell(seeing(provisional, 5, "early")), "");
  const auto history = std::make_shared<session::TrackHistory>(Settings(), 1, 1);
  session::Session whole(sessionDevice(), sourcesOf({kHistoryScene}),
                         {.settings = {}, .listeners = {history}, .checkpoints = 16});
  ASSERT_EQ(whole.finish().failure, "");
  history->conclude();
  EXPECT_EQ(run.tell(session::command::Follow{history}), "");
  EXPECT_EQ(run.tell(session::command::Step{2}), "");
  ASSERT_TRUE(run.shows(22));
  EXPECT_TRUE(run.session().state()->frame->provisional()) << "no recording holds both kinds";
  EXPECT_EQ(run.tell(session::command::RemoveSink{5}), "");
  ASSERT_TRUE(run.until([](const auto& s) { return s.frame && !s.frame->provisional(); }));
  const auto shown = run.session().state()->frame;
  EXPECT_EQ(shown->set, 22U) << "the same frame, with other ids";
  std::string rows, expected;
  for (const motion::TrackRow& row : shown->cameras[0].tracks) rows += textOf(0, row);
  for (const auto& [camera, row] : plain.rows)
    if (row.set == 22U) expected += textOf(camera, row);
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(run.tell(session::command::Change{[](Settings& s) { s.detect.maxMarkers = 4; }}), "");
  EXPECT_TRUE(run.session().state()->frame->provisional()) << "of other settings";
}

TEST(TrackHistory, ChangesAreTold) {
  std::atomic<int> calls = 0;
  {
    shell::RecordingTracker retracker(sessionDevice(), {kHistoryScene}, [&] { ++calls; });
    retracker.track(Settings(), 1);
    ASSERT_TRUE(done(retracker));
  }
  EXPECT_GE(calls, 2) << "begin and end";
}

}  // namespace
}  // namespace glint
