// A recording tracked in the background: every frame has the rows that `glint track` writes.
#include "app/desk/results.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "app/desk/retracker.h"
#include "app/sinks/formats.h"
#include "tests/app/driven_session.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

constexpr const char* kScene = "synth:dancer?size=160x120&frames=40&seed=4&cameras=1";
constexpr std::chrono::seconds kPatience{240};

bool until(const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool done(const Retracker& retracker) {
  return until([&] { return !retracker.progress().running; });
}

/// The rows of a plain run, of one camera and frame.
std::string rowsOf(const Seen& seen, size_t camera, uint64_t frame) {
  std::string text;
  for (const auto& [c, row] : seen.rows)
    if (c == camera && row.frame == frame) text += textOf(c, row);
  return text;
}

std::string textOf(const Results& results, size_t camera, uint64_t frame) {
  std::string text;
  const auto whole = results.frame(camera, frame);
  for (const TrackRow& row : whole->rows) text += textOf(camera, row);
  return text;
}

void expectSame(const Results& results, const Seen& plain) {
  ASSERT_TRUE(results.complete());
  ASSERT_EQ(results.settled(), plain.frames.size());
  for (uint64_t i = 0; i < plain.frames.size(); ++i) {
    for (size_t camera = 0; camera < results.cameras(); ++camera) {
      EXPECT_EQ(textOf(results, camera, i), rowsOf(plain, camera, i)) << i;
      const auto frame = results.frame(camera, i);
      EXPECT_EQ(frame->markers, plain.frames[i].markers[camera].size());
      EXPECT_EQ(frame->tracks, frame->rows.size());
    }
  }
}

TEST(Results, EveryFrameHasTheRowsOfAPlainRun) {
  const std::vector<std::string> sources{
      kScene, "synth:dancer?size=128x96&frames=31&seed=5&cameras=1"};  // ends before
  const Seen plain = runOf(sourcesOf(sources));
  ASSERT_GT(plain.rows.size(), 100U);
  Retracker retracker(sessionDevice(), sources);
  EXPECT_EQ(retracker.results(), nullptr);
  retracker.track(Settings(), 7);
  ASSERT_TRUE(done(retracker));
  EXPECT_EQ(retracker.progress().problem, "");
  EXPECT_EQ(retracker.progress().frames, 40U);
  EXPECT_EQ(retracker.progress().total, 40U);
  const auto results = retracker.results();
  ASSERT_TRUE(results);
  EXPECT_EQ(results->revision(), 7U);
  expectSame(*results, plain);
  EXPECT_FALSE(results->frame(1, 35)->measured) << "that camera has ended";
  EXPECT_EQ(results->frame(0, 40), nullptr);
  EXPECT_EQ(results->frames(0, 10, 100).size(), 30U);
  EXPECT_EQ(results->frames(0, 10, 10).size(), 1U);
}

TEST(Results, StretchesTellWhenEachTrackWasThere) {
  const Seen plain = runOf(sourcesOf({kScene}));
  Retracker retracker(sessionDevice(), {kScene});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(done(retracker));
  std::set<std::pair<uint64_t, uint64_t>> expected, stretched;  // track, frame
  for (const auto& [camera, row] : plain.rows) expected.emplace(row.track, row.frame);
  for (const TrackStretch& s : retracker.results()->stretches(0))
    for (uint64_t f = s.first; f <= s.last; ++f)
      EXPECT_TRUE(stretched.emplace(s.track, f).second) << "twice";
  EXPECT_EQ(stretched, expected);
  const auto counts = retracker.results()->trackCounts(0);
  uint64_t sum = 0;
  for (const uint32_t count : counts) sum += count;
  EXPECT_EQ(sum, expected.size());
}

TEST(Results, WhatIsSettledDoesNotChangeAnyMore) {
  Retracker retracker(sessionDevice(), {kScene});
  std::map<uint64_t, std::string> early;
  retracker.track(Settings(), 1);
  ASSERT_TRUE(until([&] {
    if (const auto results = retracker.results()) {
      const uint64_t settled = results->settled();
      for (uint64_t f = early.size(); f < settled; ++f) early[f] = textOf(*results, 0, f);
    }
    return !retracker.progress().running;
  }));
  const auto results = retracker.results();
  for (const auto& [frame, text] : early) EXPECT_EQ(textOf(*results, 0, frame), text) << frame;
}

/// Where tracks are waited for long, rows of a gap come after those of later frames.
TEST(Results, RowsThatComeLateStandInTheirFrames) {
  constexpr const char* kHiding =
      "synth:crossing?size=160x120&frames=110&markers=5&occluded=0.5&seed=2";
  Settings settings;
  settings.track.maxGap = 45;
  settings.track.confirm = 5;
  const Seen plain = runOf(sourcesOf({kHiding}), {.settings = settings, .maxFrames = {}});
  bool back = false;
  for (size_t i = 1; i < plain.rows.size(); ++i)
    back = back || plain.rows[i].second.frame < plain.rows[i - 1].second.frame;
  EXPECT_TRUE(back) << "the scene shows what it is for";
  Retracker retracker(sessionDevice(), {kHiding});
  retracker.track(settings, 1);
  std::map<uint64_t, std::string> early;
  ASSERT_TRUE(until([&] {
    if (const auto results = retracker.results()) {
      const uint64_t settled = results->settled();
      for (uint64_t f = early.size(); f < settled; ++f) early[f] = textOf(*results, 0, f);
    }
    return !retracker.progress().running;
  }));
  const auto results = retracker.results();
  EXPECT_EQ(results->settled(), 110U);
  for (uint64_t f = 0; f < 110; ++f) {
    std::vector<std::string> expected, seen;
    for (const auto& [camera, row] : plain.rows)
      if (row.frame == f) expected.push_back(textOf(0, row));
    for (const TrackRow& row : results->frame(0, f)->rows) seen.push_back(textOf(0, row));
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(std::is_sorted(results->frame(0, f)->rows.begin(), results->frame(0, f)->rows.end(),
                               [](const auto& a, const auto& b) { return a.track < b.track; }));
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, expected) << f;
  }
  for (const auto& [frame, text] : early) EXPECT_EQ(textOf(*results, 0, frame), text) << frame;
}

TEST(Results, TheNewestWishCountsAndTheOldOnesAreStale) {
  Retracker retracker(sessionDevice(), {kScene});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(done(retracker));
  const auto first = retracker.results();
  Settings settings;
  for (uint64_t revision = 2; revision <= 20; ++revision) {
    settings.detect.maxMarkers = static_cast<int>(revision) - 10 > 0 ? 4 : 3;
    settings.track.confirm = 2;
    retracker.track(settings, revision);
  }
  EXPECT_TRUE(retracker.progress().running);
  ASSERT_TRUE(done(retracker));
  EXPECT_EQ(retracker.results()->revision(), 20U);
  EXPECT_EQ(retracker.stale(), first);
  expectSame(*retracker.results(),
             runOf(sourcesOf({kScene}), {.settings = settings, .maxFrames = {}}));
}

TEST(Results, CancelledTheyStayAsFarAsTheyAre) {
  constexpr const char* kLong = "synth:dancer?size=160x120&frames=100000&seed=4&cameras=1";
  Retracker retracker(sessionDevice(), {kLong});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(until([&] { return retracker.progress().frames > 30; }));
  EXPECT_EQ(retracker.progress().total, 100000U);
  retracker.cancel();
  EXPECT_FALSE(retracker.progress().running);
  const auto results = retracker.results();
  retracker.track(Settings(), 2);
  ASSERT_TRUE(until([&] { return retracker.results() != results; }));
  EXPECT_FALSE(results->complete());
  EXPECT_GT(results->measured(), 30U);
  EXPECT_LT(results->settled(), results->measured());
}  // and the destructor ends the second one

TEST(Results, ProblemsAreToldInASentence) {
  Retracker retracker(sessionDevice(), {"/nowhere/a.mp4"});
  retracker.track(Settings(), 1);
  ASSERT_TRUE(done(retracker));
  EXPECT_NE(retracker.progress().problem.find("/nowhere/a.mp4"), std::string::npos);
  EXPECT_EQ(retracker.results(), nullptr);
  Settings settings;
  settings.detect.mask = "/nowhere/mask.png";
  Retracker masked(sessionDevice(), {kScene});
  masked.track(settings, 1);
  ASSERT_TRUE(done(masked));
  EXPECT_NE(masked.progress().problem.find("/nowhere/mask.png"), std::string::npos);
  masked.track(Settings(), 2);
  ASSERT_TRUE(done(masked));
  EXPECT_EQ(masked.progress().problem, "");
  EXPECT_TRUE(masked.results()->complete());
}

TEST(Results, BeyondTheirRoomOnlyCountsAreKept) {
  const Seen plain = runOf(sourcesOf({kScene}));
  const size_t room = plain.rows.size() / 2;
  Results results(Settings(), 1, 1, room);
  struct Keeper : Exporter {
    explicit Keeper(Results& r) : to(r) {}
    void write(const SessionFrame& frame) override { to.add(frame); }
    void finish() override { to.finish(); }
    Results& to;
  };
  Interrupt interrupt;
  Session session(
      sessionDevice(), sourcesOf({kScene}),
      [&](const CameraGroups&) {
        std::vector<std::unique_ptr<Exporter>> exporters;
        exporters.push_back(std::make_unique<Keeper>(results));
        return exporters;
      },
      {}, interrupt);
  EXPECT_EQ(session.finish().failure, "");
  EXPECT_FALSE(results.rowsKept());
  size_t rows = 0, counted = 0;
  for (uint64_t f = 0; f < 40; ++f) {
    rows += results.frame(0, f)->rows.size();
    counted += results.frame(0, f)->tracks;
  }
  EXPECT_EQ(counted, plain.rows.size());
  EXPECT_LE(rows, room);
  EXPECT_GT(rows, room / 2);
}

TEST(Results, ChangesAreTold) {
  std::atomic<int> told = 0;
  {
    Retracker retracker(sessionDevice(), {kScene}, [&] { ++told; });
    retracker.track(Settings(), 1);
    ASSERT_TRUE(done(retracker));
  }
  EXPECT_GE(told, 2) << "begin and end";
}

}  // namespace
}  // namespace glint
