// A session over a small scene or scripted cameras, driven by a test.
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

#include "app/session/session.h"

namespace glint {

/// Never destroyed: the validation layer, once unloaded, leaves memory that nothing points to.
inline std::shared_ptr<const Device> sessionDevice() {
  static auto* const device = new std::shared_ptr<const Device>(
      new Device({.name = "", .validation = std::getenv("GLINT_TEST_NO_VALIDATION") == nullptr}));
  return *device;
}

inline std::vector<std::unique_ptr<Source>> sourcesOf(const std::vector<std::string>& specs) {
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& spec : specs) sources.push_back(openSource(spec));
  return sources;
}

/// What an exporter saw, in order.
struct Seen {
  struct Frame {
    uint64_t index;
    uint32_t epoch, pass;
    std::vector<CameraState> states;
    std::vector<std::vector<shared::Detection>> markers;  // a camera each
    std::vector<std::vector<TrackRow>> live;
  };
  std::vector<Frame> frames;
  std::vector<std::pair<size_t, TrackRow>> rows;  // camera, settled row
  bool finished = false;

  /// The rows as text, exact to the last bit.
  std::string text() const;
};

inline std::string textOf(size_t camera, const TrackRow& row) {
  char text[160];
  std::snprintf(text, sizeof text, "%zu %llu %a %llu %d %a %a %a %a\n", camera,
                static_cast<unsigned long long>(row.frame), row.time,
                static_cast<unsigned long long>(row.track), static_cast<int>(row.state), row.x,
                row.y, row.vx, row.vy);
  return text;
}

inline std::string Seen::text() const {
  std::string all;
  for (const auto& [camera, row] : rows) all += textOf(camera, row);
  return all;
}

inline Seen::Frame seenFrame(const SessionFrame& frame) {
  Seen::Frame seen{frame.index, frame.epoch, frame.pass, {}, {}, {}};
  for (const CameraFrame& camera : frame.cameras) {
    seen.states.push_back(camera.measured.state);
    seen.markers.push_back(camera.measured.markers);
    seen.live.push_back(camera.live);
  }
  return seen;
}

class SeeingExporter : public Exporter {
 public:
  explicit SeeingExporter(std::shared_ptr<Seen> seen) : seen_(std::move(seen)) {}
  void write(const SessionFrame& frame) override {
    if (frame.measured()) seen_->frames.push_back(seenFrame(frame));
    for (size_t i = 0; i < frame.cameras.size(); ++i)
      for (const TrackRow& row : frame.cameras[i].settled) seen_->rows.emplace_back(i, row);
  }
  void finish() override { seen_->finished = true; }

 private:
  std::shared_ptr<Seen> seen_;
};

inline std::vector<std::unique_ptr<Exporter>> seeing(std::shared_ptr<Seen> seen) {
  std::vector<std::unique_ptr<Exporter>> exporters;
  exporters.push_back(std::make_unique<SeeingExporter>(std::move(seen)));
  return exporters;
}

/// A session whose first recording, from the first frame on, is in `seen`.
class DrivenSession {
 public:
  explicit DrivenSession(std::vector<std::unique_ptr<Source>> sources, SessionOptions options = {})
      : session_(
            sessionDevice(), std::move(sources),
            [this](const CameraGroups&) { return seeing(seen); }, options, interrupt) {}

  /// Waits until it is in force; the problem, or empty.
  std::string tell(Command command) {
    auto problem = std::make_shared<std::promise<std::string>>();
    auto answered = problem->get_future();
    session_.post(std::move(command), [problem](const std::string& p) { problem->set_value(p); });
    if (answered.wait_for(kPatience) != std::future_status::ready) return "no answer";
    return answered.get();
  }

  /// Waits until `holds` of the state; false if it never does.
  bool until(const std::function<bool(const SessionState&)>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!holds(*session_.state())) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  /// Waits until frame `index` of the present pass is shown.
  bool shows(uint64_t index) {
    return until([&](const SessionState& s) {
      return s.frame && s.frame->index == index && s.frame->pass == s.pass;
    });
  }

  Session& session() { return session_; }
  const SessionResult& finish() { return session_.finish(); }

  static constexpr std::chrono::seconds kPatience{120};
  std::shared_ptr<Seen> seen = std::make_shared<Seen>();
  Interrupt interrupt;

 private:
  Session session_;
};

/// A plain run.
inline Seen runOf(std::vector<std::unique_ptr<Source>> sources, SessionOptions options = {}) {
  DrivenSession session(std::move(sources), options);
  EXPECT_EQ(session.finish().failure, "");
  return *session.seen;
}

}  // namespace glint
