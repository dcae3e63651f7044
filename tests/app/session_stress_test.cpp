// Sends 10,000 random commands to a session. It must not hang, and every recording and its files
// must equal those of a plain run over the same frames.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include <fmt/format.h>

#include "app/output/catalog/outputs.h"
#include "app/session/camera_trackers.h"
#include "app/session/detectors.h"
#include "tests/app/driven_session.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

constexpr uint64_t kFrames = 20;
constexpr const char* kClip = "synth:dancer?size=96x64&frames=20&seed=4&cameras=1";

/// Returns one of the settings between which the test switches. They give different detections.
Settings settingsOf(int variant) {
  Settings settings;
  settings.detect.separation = variant == 0 ? 6 : 9;
  settings.track.confirm = variant == 0 ? 3 : 2;
  settings.detect.maxMarkers = variant == 0 ? 128 : 20;
  return settings;
}

int variantOf(const Settings& settings) {
  return settings.detect.separation == 6 ? 0 : 1;
}

/// A sink that keeps the first set of every pass.
struct PassLog : output::Sink {
  void accept(const motion::FramePtr& frame) override {
    if (frame->measured()) first.emplace(frame->pass, frame->set);
  }
  // The first set of every pass. It may be read after the session has ended.
  std::map<Pass, SetIndex> first;
};

std::string textIn(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator(file), {}};
}

/// The results of a recording: the rows in memory, and two files.
struct Outputs {
  explicit Outputs(const std::string& stem)
      : tracks(stem + ".tracks.csv"), detections(stem + ".detections.csv") {}

  session::command::AddSink sinks(uint64_t id = 0) const {
    session::command::AddSink all = seeing(seen, id, "r");
    for (const auto& [kind, file] : {std::pair("tracks", tracks), {"detections", detections}})
      for (auto& sink :
           output::outputKind(kind).make({.kind = kind, .target = file}, {.images = {{}}}))
        all.sinks.push_back(std::move(sink));
    return all;
  }

  std::string tracks, detections;
  std::shared_ptr<Seen> seen = std::make_shared<Seen>();
};

/// The measurements of plain runs, kept for each variant of settings and each first frame.
class PlainRuns {
 public:
  /// Writes what a run from `begin` to `last` gives, but without the rows of frames before `first`.
  void write(const Outputs& outputs, int variant, SetIndex begin, SetIndex first, SetIndex last) {
    const session::command::AddSink outputsOfRun = outputs.sinks();
    const auto hand = [&](SetIndex set, std::vector<motion::CameraFrame> cameras) {
      const auto frame = std::make_shared<motion::Frame>();
      frame->set = set;
      std::erase_if(cameras[0].finalised,
                    [&](const motion::TrackRow& row) { return row.set < first; });
      if (cameras[0].measured.stamp && set < first) cameras[0].measured.stamp.reset();
      frame->cameras = std::move(cameras);
      for (const auto& sink : outputsOfRun.sinks) sink->accept(frame);
    };
    session::CameraTrackers trackers(settingsOf(variant).track, 1);
    SetIndex set = begin;
    for (const gpu::LayerMeasurement& measured : measure(variant, begin)) {
      std::vector<motion::CameraFrame> cameras(1);
      cameras[0].measured = measured;
      trackers.update({session::inputOf(set, measured)}, cameras);
      if (set <= last) hand(set, std::move(cameras));
      ++set;
      if (set > last) break;
    }
    hand(last + 1, trackers.finish());
    for (const auto& sink : outputsOfRun.sinks) sink->finish();
  }

 private:
  /// Measures with the detector itself, without a session.
  const std::vector<gpu::LayerMeasurement>& measure(int variant, SetIndex begin) {
    auto [found, isNew] = measured_.try_emplace({variant, begin});
    if (!isNew) return found->second;
    capture::Interrupt interrupt;
    capture::Feeds feeds(*sessionDevice(), sourcesOf({kClip}), {}, interrupt);
    const Settings settings = settingsOf(variant);
    session::Detectors detectors(
        *sessionDevice(), feeds.groups(),
        session::Measuring{.settings = std::make_shared<const Settings>(settings)}, nullptr);
    session::CameraTrackers trackers(settings.track, 1);
    capture::FrameSet set;
    feeds.seek(begin, Epoch(1));
    for (bool any = false;
         feeds.next(set, DrivenSession::kPatience) == capture::Feeds::Outcome::set;) {
      if (!std::exchange(any, true)) {
        const std::vector<gpu::ResponseStatistics> own = detectors.measure(set);
        for (size_t i = 0; i < own.size(); ++i) trackers.expect(i, own[i]);
      }
      detectors.submit(set, trackers.expectations());
      auto cameras = detectors.collect().cameras;
      found->second.push_back(cameras[0]);
      std::vector<motion::CameraFrame> frames(1);
      trackers.update({session::inputOf(set.set, cameras[0])}, frames);
    }
    return found->second;
  }

  std::map<std::pair<int, SetIndex>, std::vector<gpu::LayerMeasurement>> measured_;
};

class Stress {
 public:
  explicit Stress(uint32_t seed) : random_(seed) {}

  void drive(size_t commands) {
    for (size_t sent = 0; sent < commands;) {
      const size_t burst = 1 + below(40);
      for (size_t i = 0; i < burst; ++i, ++sent) session().post(any());
      if (below(2) == 0) letItPlay(1 + below(12));
    }
    ASSERT_EQ(run_.tell(session::command::Stop{}), "");
    EXPECT_EQ(run_.finish().failure, "");
  }

  /// Compares all recordings with plain runs. Returns how many recordings with rows were compared.
  size_t compare() {
    size_t compared = 0;
    PlainRuns plain;
    for (const Outputs& outputs : recordings_) {
      const auto& seen = outputs.seen;
      EXPECT_TRUE(seen->finished || seen->frames.empty());
      if (seen->frames.empty()) continue;
      const Seen::Frame &first = seen->frames.front(), &last = seen->frames.back();
      EXPECT_EQ(first.pass, last.pass) << "a recording is one stretch";
      EXPECT_EQ(last.set - first.set + 1, seen->frames.size()) << "without a gap";
      const SetIndex begin = passes_->first.at(first.pass);
      const auto variant = steadyVariant(first.pass, begin, last.set);
      if (!variant) continue;
      const Outputs expected(folder_ / "plain");
      plain.write(expected, *variant, begin, first.set, last.set);
      const std::string where =
          fmt::format("from {} to {} of a pass from {}", first.set, last.set, begin);
      EXPECT_EQ(seen->text(), expected.seen->text()) << where;
      EXPECT_EQ(textIn(outputs.tracks), textIn(expected.tracks)) << where;
      EXPECT_EQ(textIn(outputs.detections), textIn(expected.detections)) << where;
      if (!seen->rows.empty()) ++compared;
    }
    return compared;
  }

  size_t recordings() const { return recordings_.size(); }

 private:
  session::Session& session() { return run_.session(); }
  uint64_t below(uint64_t n) { return random_() % n; }

  void letItPlay(uint64_t frames) {
    ASSERT_EQ(run_.tell(session::command::Play{}), "");
    const uint64_t before = session().state()->counts.frames;
    ASSERT_TRUE(run_.until([&](const session::SessionState& state) {
      return state.counts.frames >= before + frames ||
             state.mode != session::SessionState::Mode::playing;
    }));
  }

  /// Returns the settings of a recording, if they did not change since its pass began.
  std::optional<int> steadyVariant(Pass pass, SetIndex begin, SetIndex last) {
    int variant = 0;
    for (const session::SettingsChange& change : run_.finish().settingsChanges) {
      if (change.pass > pass || (change.pass == pass && change.set > last)) break;
      if (change.pass == pass && change.set > begin) return std::nullopt;
      variant = variantOf(change.settings);
    }
    return variant;
  }

  session::Command any() {
    switch (below(20)) {
      case 0:
        if (below(3) != 0) return record();
        return session::command::Change{[variant = static_cast<int>(below(2))](Settings& settings) {
          settings = settingsOf(variant);
        }};
      case 1:
      case 2:
      case 3:
        return session::command::Play{};
      case 4:
        return session::command::Pause{};
      case 5:
        return session::command::Step{1 + static_cast<int64_t>(below(6))};
      case 6:
        return session::command::Step{-1 - static_cast<int64_t>(below(4))};
      case 7:
        return session::command::Seek{SetIndex(below(kFrames + 2))};
      case 8:
        return session::command::Loop{below(2) == 0};
      case 9:
        return session::command::Range{SetIndex(below(8) == 0 ? below(4) : 0),
                                       SetIndex(12 + below(kFrames))};
      case 10:
        return session::command::Speed{below(2) == 0 ? 0.0 : 500.0};
      case 11:
        return session::command::Explain{below(8) == 0};
      case 12:
        return below(2) == 0 ? listener() : session::command::RemoveSink{kFirstListener + below(4)};
      case 13:
      case 14:
        return session::command::RemoveSink{1 + below(std::max<uint64_t>(recordings_.size(), 1))};
      default:
        return session::command::Step{1};
    }
  }

  session::Command record() {
    if (recordings_.size() >= kMostRecordings) return session::command::Play{};
    recordings_.emplace_back(folder_ / std::to_string(recordings_.size()));
    return recordings_.back().sinks(recordings_.size());
  }

  session::Command listener() {
    session::command::AddSink added =
        recording(std::make_unique<PassLog>(), kFirstListener + below(4));
    added.handover = output::Handover::newest;
    return added;
  }

  static constexpr uint64_t kFirstListener = 1000;

  static constexpr size_t kMostRecordings = 500;

  std::mt19937 random_;
  std::shared_ptr<PassLog> passes_ = std::make_shared<PassLog>();
  test::Folder folder_;
  std::vector<Outputs> recordings_;
  DrivenSession run_{sourcesOf({kClip}),
                     {.settings = settingsOf(0),
                      .maxFrames = {},
                      .paused = true,
                      .stay = true,
                      .listeners = {passes_}}};
};

TEST(SessionStress, TenThousandCommandsLoseNothingAndEveryRecordingEqualsAPlainRun) {
  Stress stress(20261122);
  stress.drive(10'000);
  const size_t compared = stress.compare();
  // The number depends on how fast the threads run.
  EXPECT_GT(compared, 10U) << "of " << stress.recordings();
  std::printf("%zu recordings, %zu compared\n", stress.recordings(), compared);
}

TEST(SessionStress, TwoHundredJumpsGiveTheDetectionsOfARunFromTheStart) {
  // With a fixed threshold, a frame's detections depend only on that frame.
  session::SessionOptions options{.settings = {}, .maxFrames = {}, .paused = true, .stay = true};
  options.settings.detect.threshold = 0.3;
  session::SessionOptions plainOptions;
  plainOptions.settings = options.settings;
  const std::string clip = std::string(GLINT_ASSETS) + "/dancer.mp4";
  const Seen plain = runOf(sourcesOf({clip}), plainOptions);
  ASSERT_EQ(plain.frames.size(), 300U);
  DrivenSession run(sourcesOf({clip}), options);
  ASSERT_TRUE(run.shows(0));
  std::mt19937 random(7);
#ifdef __SANITIZE_ADDRESS__
  // With the sanitizer, decoding and measuring are several times slower.
  constexpr int kJumps = 20;
#else
  constexpr int kJumps = 200;
#endif
  for (int i = 0; i < kJumps; ++i) {
    const uint64_t frame = random() % 300;
    ASSERT_EQ(run.tell(session::command::Seek{SetIndex(frame)}), "");
    ASSERT_TRUE(run.shows(frame)) << frame;
    const auto& markers = run.session().state()->frame->cameras[0].measured.markers;
    const auto& expected = plain.frames[frame].markers[0];
    ASSERT_EQ(markers.size(), expected.size()) << frame;
    for (size_t m = 0; m < markers.size(); ++m) {
      EXPECT_EQ(markers[m].x, expected[m].x);
      EXPECT_EQ(markers[m].y, expected[m].y);
      EXPECT_EQ(markers[m].mass, expected[m].mass);
    }
  }
}

}  // namespace
}  // namespace glint
