// Tests a session that is driven by commands: what it shows, what it writes, and that it obeys.
#include <algorithm>
#include <atomic>
#include <random>
#include <set>

#include <fmt/format.h>

#include "config/error.h"
#include "tests/app/driven_session.h"

namespace glint {
namespace {

constexpr const char* kScene = "synth:dancer?size=160x120&frames=24&seed=4&cameras=1";

session::SessionOptions paused() {
  return {.settings = {}, .maxFrames = {}, .paused = true, .stay = true};
}

TEST(Session, APlainRunEndsByItselfAndKeepsAll) {
  DrivenSession run(sourcesOf({kScene}));
  const session::SessionResult& report = run.finish();
  EXPECT_EQ(report.failure, "");
  EXPECT_FALSE(report.interrupted);
  EXPECT_EQ(report.counts.frames, 24U);
  ASSERT_EQ(run.seen->frames.size(), 24U);
  EXPECT_TRUE(run.seen->finished);
  EXPECT_GT(run.seen->rows.size(), 200U);
  for (uint64_t i = 0; i < 24; ++i) EXPECT_EQ(run.seen->frames[i].set, i);
  EXPECT_EQ(run.session().state()->mode, session::SessionState::Mode::ended);
}

TEST(Session, PausedItShowsOneFrameAndStepsAsTold) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  EXPECT_EQ(run.session().state()->mode, session::SessionState::Mode::paused);
  EXPECT_EQ(run.tell(session::command::Step{3}), "");
  EXPECT_TRUE(run.shows(3));
  EXPECT_EQ(run.tell(session::command::Step{1}), "");
  EXPECT_EQ(run.tell(session::command::Step{1}), "") << "steps add up";
  EXPECT_TRUE(run.shows(5));
  EXPECT_EQ(run.tell(session::command::Step{-2}), "");
  EXPECT_TRUE(run.shows(3));
  EXPECT_EQ(run.session().state()->pass, 1U) << "back is a jump";
  EXPECT_EQ(run.session().state()->counts.frames, 7U) << "and nothing else was measured";
}

TEST(Session, StepsThatComeQuickerThanFramesAddUp) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  std::mt19937 random(23);
  for (int trial = 0; trial < 30; ++trial) {
    int64_t place = 12;
    std::string stepsTaken = "12";
    run.session().post(session::command::Seek{SetIndex(12)});
    const auto step = [&](int64_t by) {
      place += by;
      stepsTaken += fmt::format(" {:+}", by);
      return session::command::Step{by};
    };
    for (int i = 0; i < 5; ++i) {
      const int64_t by = 1 + static_cast<int64_t>(random() % 4);
      run.session().post(step(random() % 2 ? std::min(by, 23 - place) : -std::min(by, place)));
      if (random() % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
    EXPECT_EQ(run.tell(step(place < 12 ? 1 : -1)), "");
    ASSERT_TRUE(run.until([](const auto& s) { return !s.owes && s.frame->pass == s.pass; }));
    EXPECT_EQ(run.session().state()->frame->set, static_cast<uint64_t>(place)) << stepsTaken;
    EXPECT_EQ(run.session().state()->mode, session::SessionState::Mode::paused) << stepsTaken;
  }
}

TEST(Session, AJumpTakesThePlaceOfWhatIsLeftOfAStep) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  run.session().post(session::command::Step{10});
  EXPECT_EQ(run.tell(session::command::Seek{SetIndex(20)}), "");
  ASSERT_TRUE(run.shows(20));
  EXPECT_EQ(run.tell(session::command::Step{-1}), "");
  ASSERT_TRUE(run.shows(19));
  EXPECT_EQ(run.session().state()->mode, session::SessionState::Mode::paused);
  EXPECT_EQ(run.tell(session::command::Step{1}), "");
  ASSERT_TRUE(run.shows(20)) << "nothing else was owed";
}

TEST(Session, OnlyWhatIsInTheRangeIsPlayed) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  EXPECT_EQ(run.tell(session::command::Range{SetIndex(5), SetIndex(9)}), "");
  ASSERT_TRUE(run.shows(5)) << "it begins there";
  EXPECT_NE(run.tell(session::command::Seek{SetIndex(15)}).find("outside the range, 5 to 9"),
            std::string::npos);
  EXPECT_NE(run.tell(session::command::Seek{SetIndex(4)}), "");
  EXPECT_EQ(run.tell(session::command::Step{2}), "");
  ASSERT_TRUE(run.shows(7));
  EXPECT_EQ(run.tell(session::command::Step{-9}), "");
  ASSERT_TRUE(run.shows(5));
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  ASSERT_TRUE(
      run.until([](const auto& s) { return s.mode == session::SessionState::Mode::atEnd; }));
  EXPECT_EQ(run.session().state()->frame->set, 9U);
  EXPECT_NE(run.tell(session::command::Range{SetIndex(24), {}}).find("24"), std::string::npos);
}

TEST(Session, ARecordingThatAJumpHasEndedCanStillBeStopped) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  const auto seen = std::make_shared<Seen>();
  EXPECT_EQ(run.tell(seeing(seen, 7, "a")), "");
  EXPECT_EQ(run.tell(session::command::Seek{SetIndex(3)}), "");
  EXPECT_EQ(run.tell(session::command::RemoveSink{7}), "");
  EXPECT_TRUE(seen->finished) << "whole when it is answered";
  EXPECT_NE(run.tell(session::command::RemoveSink{8}), "");
}

TEST(Session, ADrivenRunEqualsAPlainOne) {
  const Seen plain = runOf(sourcesOf({kScene}));
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  EXPECT_EQ(run.tell(session::command::Step{4}), "");
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  EXPECT_EQ(run.tell(session::command::Pause{}), "");
  EXPECT_EQ(run.tell(session::command::Speed{400}), "");
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  ASSERT_TRUE(
      run.until([](const auto& s) { return s.mode == session::SessionState::Mode::atEnd; }));
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  run.finish();
  EXPECT_EQ(run.seen->text(), plain.text());
}

TEST(Session, EndsAtTheFrameThatWasAskedFor) {
  session::SessionOptions options;
  options.maxFrames = 7;
  EXPECT_EQ(runOf(sourcesOf({kScene}), options).frames.size(), 7U);
}

TEST(Session, AJumpEndsWhatHasBegunAndItsRowsAreThoseOfARunThatEndedThere) {
  session::SessionOptions seven;
  seven.maxFrames = 7;
  const Seen plain = runOf(sourcesOf({kScene}), seven);
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  ASSERT_EQ(run.tell(session::command::Step{6}), "");
  ASSERT_TRUE(run.shows(6));
  EXPECT_EQ(run.tell(session::command::Seek{SetIndex(20)}), "");
  ASSERT_TRUE(run.shows(20));
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  run.finish();
  EXPECT_TRUE(run.seen->finished);
  EXPECT_EQ(run.seen->text(), plain.text());
}

TEST(Session, ARecordingBeginsWithTheFrameThatIsShown) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  ASSERT_EQ(run.tell(session::command::Step{8}), "");
  ASSERT_TRUE(run.shows(8));
  const auto seen = std::make_shared<Seen>();
  const uint64_t id = run.session().newId();
  EXPECT_EQ(run.tell(seeing(seen, id, "r")), "");
  ASSERT_EQ(run.tell(session::command::Step{4}), "");
  ASSERT_TRUE(run.shows(12));
  EXPECT_EQ(run.tell(session::command::RemoveSink{id}), "");
  EXPECT_TRUE(seen->finished) << "whole when it is answered";
  ASSERT_EQ(seen->frames.size(), 5U);
  EXPECT_EQ(seen->frames.front().set, 8U);
  std::set<uint64_t> frames;
  for (const auto& [camera, row] : seen->rows) frames.insert(row.frame.value());
  EXPECT_EQ(frames, (std::set<uint64_t>{8, 9, 10, 11, 12}));
  EXPECT_NE(run.tell(session::command::RemoveSink{id}), "") << "there is none any more";
}

TEST(Session, LoopsOverItsRange) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  EXPECT_EQ(run.tell(session::command::Range{SetIndex(5), SetIndex(9)}), "");
  EXPECT_EQ(run.tell(session::command::Loop{true}), "");
  std::atomic<int> outside = 0, total = 0;
  struct Listener : output::Sink {
    Listener(std::atomic<int>& o, std::atomic<int>& t) : outside(o), total(t) {}
    void accept(const motion::FramePtr& frame) override {
      ++total;
      if (frame->set < 5 || frame->set > 9) ++outside;
    }
    std::atomic<int>&outside, &total;
  };
  EXPECT_EQ(run.tell(session::command::Seek{SetIndex(5)}), "");
  ASSERT_TRUE(run.shows(5));
  session::command::AddSink listener = recording(std::make_unique<Listener>(outside, total), 1);
  listener.handover = output::Handover::newest;
  EXPECT_EQ(run.tell(std::move(listener)), "");
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  ASSERT_TRUE(run.until([](const auto& s) { return s.pass >= 4; }));
  EXPECT_EQ(run.tell(session::command::RemoveSink{1}), "");
  EXPECT_GE(total, 10);
  EXPECT_EQ(outside, 0);
}

TEST(Session, SettingsComeIntoForceTogetherAndReshowTheFrame) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  const auto before = run.session().state();
  ASSERT_GT(before->frame->cameras[0].measured.markers.size(), 4U);
  run.session().post(session::command::Change{[](Settings& s) { s.detect.maxMarkers = 3; }});
  EXPECT_EQ(run.tell(session::command::Change{[](Settings& s) { s.detect.separation = 9; }}), "");
  const auto after = run.session().state();
  EXPECT_EQ(after->settings->detect.maxMarkers, 3) << "changes add up";
  EXPECT_EQ(after->settings->detect.separation, 9);
  EXPECT_EQ(after->frame->cameras[0].measured.markers.size(), 3U) << "the same frame, again";
  EXPECT_GT(after->epoch, before->epoch);
  EXPECT_EQ(after->counts.frames, 1U);
  EXPECT_NE(run.tell(session::command::Change{[](Settings& s) {
    s.detect.minRadius = 5;
    s.detect.maxRadius = 2;
  }}),
            "");
  EXPECT_EQ(run.session().state()->settings->detect.maxRadius, after->settings->detect.maxRadius);
  EXPECT_EQ(
      run.tell(session::command::Change{[](Settings& s) { s.response.kind = ResponseKind::blur; }}),
      "");
  EXPECT_EQ(run.tell(session::command::Explain{true}), "");
  EXPECT_FALSE(run.session().state()->frame->cameras[0].measured.rejected.empty());
  EXPECT_NE(run.tell(session::command::Change{[](Settings& s) { s.device.name = "other"; }}), "");
}

TEST(Session, SettingsThatChangeAtTheEndWereInForceForNoFrame) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_EQ(run.tell(session::command::Range{SetIndex(0), SetIndex(7)}), "");
  ASSERT_EQ(run.tell(session::command::Seek{SetIndex(3)}), "");
  ASSERT_EQ(run.tell(session::command::Play{}), "");
  ASSERT_TRUE(run.until([](const session::SessionState& state) {
    return state.mode == session::SessionState::Mode::atEnd;
  }));
  const Pass pass = run.session().state()->pass;
  EXPECT_EQ(run.tell(session::command::Change{[](Settings& s) { s.detect.separation = 9; }}), "");
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  const auto& changes = run.finish().settingsChanges;
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].pass, pass);
  EXPECT_EQ(changes[0].set, 8U);
}

TEST(Session, PlanesAreThereToBeDrawnWhileTheyAreWatched) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  gpu::PlaneSet two;
  two.luminance = two.response = true;
  EXPECT_EQ(run.tell(session::command::Watch{two}), "");
  const auto state = run.session().state();
  ASSERT_EQ(state->planes.size(), 1U);
  ASSERT_NE(state->planes[0], nullptr);
  EXPECT_NE(state->planes[0]->luminance.buffer, nullptr);
  EXPECT_NE(state->planes[0]->response.buffer, nullptr);
  EXPECT_EQ(state->planes[0]->source.buffer, nullptr);
  EXPECT_EQ(run.tell(session::command::Watch{}), "");
  EXPECT_EQ(run.session().state()->planes.at(0), nullptr);
}

TEST(Session, APauseRightAfterAJumpOrAChangeShowsItsEffect) {
  DrivenSession run(sourcesOf({kScene}),
                    {.settings = {}, .maxFrames = {}, .speed = 0.001, .stay = true});
  ASSERT_TRUE(run.until([](const auto& s) { return s.frame != nullptr; }));
  const auto rests = [](const session::SessionState& s) {
    return s.mode == session::SessionState::Mode::paused && s.frame->epoch == s.epoch;
  };
  run.session().post(session::command::Seek{SetIndex(7)});
  EXPECT_EQ(run.tell(session::command::Pause{}), "");
  ASSERT_TRUE(run.until(rests));
  EXPECT_EQ(run.session().state()->frame->set, 7U);
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  EXPECT_EQ(run.tell(session::command::Change{[](Settings& s) { s.detect.maxMarkers = 2; }}), "");
  EXPECT_EQ(run.tell(session::command::Pause{}), "");
  ASSERT_TRUE(run.until(rests));
  EXPECT_EQ(run.session().state()->frame->cameras[0].measured.markers.size(), 2U);
}

TEST(Session, AFrameThatIsLookedAtIsTimed) {
  session::SessionOptions options = paused();
  options.planes.source = true;
  options.wantsPlanes = [] { return true; };
  DrivenSession run(sourcesOf({kScene}), options);
  ASSERT_TRUE(run.shows(0));
  auto before = run.session().state()->deviceTimes;
  EXPECT_FALSE(before.empty());
  for (int change = 1; change <= 3; ++change) {
    EXPECT_EQ(
        run.tell(session::command::Change{[&](Settings& s) { s.detect.maxMarkers = change; }}), "");
    const auto isNew = [&](const auto& s) {
      return s.frame->cameras[0].measured.markers.size() == static_cast<size_t>(change) &&
             s.deviceTimes != before;
    };
    ASSERT_TRUE(run.until(isNew)) << change;
    before = run.session().state()->deviceTimes;
  }
}

TEST(Session, PlanesThatNobodyWantsAreKeptOnlyWherePlayingStops) {
  session::SessionOptions options = paused();
  options.planes.source = true;
  options.wantsPlanes = [] { return false; };
  DrivenSession run(sourcesOf({kScene}), options);
  ASSERT_TRUE(run.shows(0));
  const auto copied = [](const session::SessionState& s) {
    return std::any_of(s.deviceTimes.begin(), s.deviceTimes.end(),
                       [](const gpu::PassTime& pass) { return pass.name == "keep"; });
  };
  const auto drawable = [](const session::SessionState& s) {
    return s.planes.size() == 1 && s.planes[0] && s.planes[0]->source.buffer &&
           !s.set.groups.empty();
  };
  EXPECT_TRUE(copied(*run.session().state())) << "a frame that stays, together with its results";
  EXPECT_TRUE(drawable(*run.session().state()));
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  ASSERT_TRUE(run.until(
      [&](const auto& s) { return s.mode == session::SessionState::Mode::atEnd && drawable(s); }));
  const auto last = run.session().state();
  EXPECT_EQ(last->frame->set, 23U);
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  const auto& times = run.finish().deviceTimes;
  EXPECT_EQ(times.at("all").count(), 2U) << "frames 0 and 16";
  EXPECT_EQ(times.at("keep").count(), 1U) << "it was played without";
  EXPECT_EQ(run.seen->text(), runOf(sourcesOf({kScene})).text());
}

TEST(Session, ANewResponseIsMeasuredBeforeItsThresholdIsUsed) {
  Settings dog;
  dog.response.kind = ResponseKind::dog;
  session::SessionOptions plain;
  plain.settings = dog;
  const Seen own = runOf(sourcesOf({kScene}), plain);
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  ASSERT_EQ(
      run.tell(session::command::Change{[](Settings& s) { s.response.kind = ResponseKind::dog; }}),
      "");
  const auto shown = run.session().state()->frame;
  ASSERT_EQ(shown->cameras[0].measured.markers.size(), own.frames[0].markers[0].size());
  for (size_t i = 0; i < own.frames[0].markers[0].size(); ++i) {
    EXPECT_EQ(shown->cameras[0].measured.markers[i].x, own.frames[0].markers[0][i].x);
    EXPECT_EQ(shown->cameras[0].measured.markers[i].peak, own.frames[0].markers[0][i].peak);
  }
}

TEST(Session, CamerasOfSeveralFormatsAreEachAsAlone) {
  const std::vector<std::string> specs{"synth:dancer?size=160x120&frames=10&seed=4&cameras=1",
                                       "synth:spots?size=97x61&frames=7&seed=2&markers=5",
                                       "synth:dancer?size=160x120&frames=9&seed=9&cameras=1"};
  const Seen together = runOf(sourcesOf(specs));
  ASSERT_EQ(together.frames.size(), 10U);
  for (size_t camera = 0; camera < specs.size(); ++camera) {
    SCOPED_TRACE(specs[camera]);
    const Seen alone = runOf(sourcesOf({specs[camera]}));
    ASSERT_GE(together.frames.size(), alone.frames.size());
    for (size_t n = 0; n < together.frames.size(); ++n) {
      const auto& markers = together.frames[n].markers[camera];
      if (n >= alone.frames.size()) {
        EXPECT_EQ(together.frames[n].states[camera], gpu::CameraState::ended);
        continue;
      }
      ASSERT_EQ(markers.size(), alone.frames[n].markers[0].size());
      for (size_t i = 0; i < markers.size(); ++i) {
        EXPECT_EQ(markers[i].x, alone.frames[n].markers[0][i].x);
        EXPECT_EQ(markers[i].y, alone.frames[n].markers[0][i].y);
      }
    }
  }
}

TEST(Session, WhatCannotBeDoneIsRefusedWithAReason) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  EXPECT_NE(run.tell(session::command::Seek{SetIndex(24)}).find("24"), std::string::npos);
  EXPECT_NE(run.tell(session::command::Speed{1e-12}), "");
  EXPECT_NE(run.tell(session::command::Speed{-1}), "");
  EXPECT_NE(run.tell(session::command::Range{SetIndex(9), SetIndex(3)}), "");
  EXPECT_NE(run.tell(session::command::Step{INT64_MIN}), "");
  EXPECT_NE(run.tell(session::command::Step{INT64_MAX}), "");
  EXPECT_NE(run.tell(session::command::RemoveSink{77}), "");
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  run.finish();
  EXPECT_EQ(run.tell(session::command::Play{}), "the session has ended");
}

/// A sink that fails at its third frame.
struct FailingSink : output::Sink {
  void accept(const motion::FramePtr&) override {
    if (++frames == 3) throw Error("the disk is full");
  }
  int frames = 0;
};

TEST(Session, ASinkThatFailsEndsItOnlyWhereAskedTo) {
  for (const bool ends : {true, false}) {
    SCOPED_TRACE(ends);
    session::SessionOptions options;
    options.endOnSinkFailure = ends;
    const auto seen = std::make_shared<Seen>();
    options.open = opening([&] {
      session::command::AddSink all = seeing(seen);
      all.sinks.push_back(std::make_unique<FailingSink>());
      return all;
    });
    session::Session session(sessionDevice(),
                             sourcesOf({"synth:dancer?size=160x120&frames=300&seed=4&cameras=1"}),
                             options);
    const session::SessionResult& report = session.finish();
    EXPECT_EQ(report.failure, "the disk is full");
    EXPECT_EQ(seen->frames.size() < 300, ends);
    EXPECT_EQ(seen->frames.size(), report.counts.frames) << "the others keep their frames";
    EXPECT_TRUE(seen->finished);
  }
}

TEST(Session, WhatFailsAgainWhileAFailureIsDealtWithEndsNothingElse) {
  for (const bool stays : {true, false}) {
    SCOPED_TRACE(stays);
    const auto seen = std::make_shared<Seen>();
    session::SessionOptions options;
    options.stay = stays;
    options.open = opening([&] { return seeing(seen); });
    // The first six snapshots are reported, and then every report fails.
    std::atomic<int> left = 6;
    options.published = [&] {
      if (--left < 0) throw Error("nobody listens");
    };
    session::Session session(sessionDevice(), sourcesOf({kScene}), options);
    EXPECT_EQ(session.finish().failure, "nobody listens");
    EXPECT_FALSE(seen->frames.empty());
    EXPECT_TRUE(seen->finished) << "what was measured is kept";
    EXPECT_EQ(session.state()->mode, session::SessionState::Mode::ended);
  }
}

TEST(Session, TheInterruptEndsItAndKeepsWhatWasMeasured) {
  DrivenSession run(sourcesOf({kScene}), paused());
  ASSERT_TRUE(run.shows(0));
  ASSERT_EQ(run.tell(session::command::Step{5}), "");
  ASSERT_TRUE(run.shows(5));
  run.interrupt.set();
  const session::SessionResult& report = run.finish();
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(run.seen->frames.size(), 6U);
  EXPECT_TRUE(run.seen->finished);
}

}  // namespace
}  // namespace glint
