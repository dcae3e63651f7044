// Runs a session over a small scene or scripted cameras, driven by a test.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/capture/filter/images.h"
#include "app/capture/source/source_kinds.h"
#include "app/session/session.h"
#include "tests/numbers.h"

namespace glint {

/// Returns the device that all tests of sessions share. It is never destroyed, because the
/// validation layer leaves memory that nothing points to after it was unloaded.
inline std::shared_ptr<const gpu::Device> sessionDevice() {
  static auto* const device = new std::shared_ptr<const gpu::Device>(
      new gpu::Device({.name = "",
                       .validation = std::getenv("GLINT_TEST_NO_VALIDATION") == nullptr,
                       .wroteBeside = [](const std::string& what) { ADD_FAILURE() << what; }}));
  return *device;
}

inline std::vector<std::unique_ptr<capture::Source>> sourcesOf(
    const std::vector<std::string>& specs) {
  std::vector<std::unique_ptr<capture::Source>> sources;
  for (const std::string& spec : specs) sources.push_back(capture::openSource(Address(spec)));
  return sources;
}

/// The frames and rows that a sink got, in order.
struct Seen {
  struct Frame {
    SetIndex set;
    Epoch epoch;
    Pass pass;
    std::vector<gpu::CameraState> states;
    std::vector<std::vector<shared::Detection>> markers;  // The markers of each camera.
    std::vector<std::vector<motion::TrackRow>> tracks;
  };
  std::vector<Frame> frames;
  std::vector<std::pair<size_t, motion::TrackRow>> rows;  // Pairs of a camera and a finalised row.
  bool finished = false;

  /// Returns the rows as text, exact to the last bit.
  std::string text() const;
};

inline std::string textOf(size_t camera, const motion::TrackRow& row) {
  char text[160];
  std::snprintf(text, sizeof text, "%zu %llu %a %llu %d %a %a %a %a\n", camera,
                static_cast<unsigned long long>(row.frame.value()), row.time,
                static_cast<unsigned long long>(row.track.value()), static_cast<int>(row.state),
                row.x, row.y, row.vx, row.vy);
  return text;
}

inline std::string Seen::text() const {
  std::string all;
  for (const auto& [camera, row] : rows) all += textOf(camera, row);
  return all;
}

inline Seen::Frame seenFrame(const motion::Frame& frame) {
  Seen::Frame seen{frame.set, frame.epoch, frame.pass, {}, {}, {}};
  for (const motion::CameraFrame& camera : frame.cameras) {
    seen.states.push_back(camera.measured.state);
    seen.markers.push_back(camera.measured.markers);
    seen.tracks.push_back(camera.tracks);
  }
  return seen;
}

class SeeingSink : public output::Sink {
 public:
  explicit SeeingSink(std::shared_ptr<Seen> seen) : seen_(std::move(seen)) {}
  void accept(const motion::FramePtr& frame) override {
    if (frame->measured()) seen_->frames.push_back(seenFrame(*frame));
    for (size_t i = 0; i < frame->cameras.size(); ++i)
      for (const motion::TrackRow& row : frame->cameras[i].finalised)
        seen_->rows.emplace_back(i, row);
  }
  void finish() override { seen_->finished = true; }

 private:
  std::shared_ptr<Seen> seen_;
};

inline session::command::AddSink recording(std::unique_ptr<output::Sink> sink, uint64_t id = 0,
                                           std::string name = "outputs") {
  session::command::AddSink added{.id = id, .name = std::move(name)};
  added.sinks.push_back(std::move(sink));
  return added;
}
inline session::command::AddSink seeing(std::shared_ptr<Seen> seen, uint64_t id = 0,
                                        std::string name = "outputs") {
  return recording(std::make_unique<SeeingSink>(std::move(seen)), id, std::move(name));
}

/// Returns the sinks with which a session begins: one group that `make` makes.
inline session::OpenSinks opening(std::function<session::command::AddSink()> make) {
  return [make = std::move(make)](const capture::CameraGroups&) {
    std::vector<session::command::AddSink> sinks;
    sinks.push_back(make());
    return sinks;
  };
}

/// A session that a test drives. It begins with a recording into `seen`, from the first frame on.
class DrivenSession {
 public:
  explicit DrivenSession(std::vector<std::unique_ptr<capture::Source>> sources,
                         session::SessionOptions options = {})
      : session_(sessionDevice(), std::move(sources), completed(std::move(options))) {}

  /// Posts a command and waits until it is in force. Returns the problem, or an empty text.
  std::string tell(session::Command command) {
    auto problem = std::make_shared<std::promise<std::string>>();
    auto answered = problem->get_future();
    session_.post(std::move(command), [problem](const std::string& p) { problem->set_value(p); });
    if (answered.wait_for(kPatience) != std::future_status::ready) return "no answer";
    return answered.get();
  }

  /// Waits until `holds` is true for the state. Returns false if that takes longer than kPatience.
  bool until(const std::function<bool(const session::SessionState&)>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!holds(*session_.state())) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  /// Waits until set `set` of the current pass is shown.
  bool shows(uint64_t set) {
    return until([&](const session::SessionState& s) {
      return s.frame && s.frame->set == set && s.frame->pass == s.pass;
    });
  }

  session::Session& session() { return session_; }
  const session::SessionResult& finish() { return session_.finish(); }

  static constexpr std::chrono::seconds kPatience{120};
  std::shared_ptr<Seen> seen = std::make_shared<Seen>();
  capture::Interrupt interrupt;

 private:
  session::SessionOptions completed(session::SessionOptions options) {
    options.open = opening([this] { return seeing(seen); });
    options.images = capture::fileImages();
    options.interrupt = &interrupt;
    return options;
  }

  session::Session session_;
};

/// Runs a session over all frames, and returns what its sink got.
inline Seen runOf(std::vector<std::unique_ptr<capture::Source>> sources,
                  session::SessionOptions options = {}) {
  DrivenSession session(std::move(sources), options);
  EXPECT_EQ(session.finish().failure, "");
  return *session.seen;
}

}  // namespace glint
