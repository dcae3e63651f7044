// Provides sources that do what a test tells them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"

namespace glint::test {

/// Returns the grey level of a pixel, which differs in every frame of every camera.
inline std::byte levelAt(uint64_t camera, uint64_t frame, uint32_t x, uint32_t y) {
  return static_cast<std::byte>(camera * 59 + frame * 7 + x + uint64_t{y} * 3);
}

inline void paint(const gpu::ImageView& image, uint64_t camera, uint64_t frame) {
  for (uint32_t y = 0; y < image.format.height; ++y) {
    for (uint32_t x = 0; x < image.format.width; ++x)
      image.row(y)[x] = levelAt(camera, frame, x, y);
  }
}

inline bool isPainted(const gpu::ImageView& image, uint64_t camera, uint64_t frame) {
  for (uint32_t y = 0; y < image.format.height; ++y) {
    for (uint32_t x = 0; x < image.format.width; ++x)
      if (image.row(y)[x] != levelAt(camera, frame, x, y)) return false;
  }
  return true;
}

/// A recording in memory. It has 100 frames per second unless its script states another rate.
class ScriptedRecording final : public capture::Source {
 public:
  struct Script {
    gpu::ImageFormat format{16, 8, 1, 8};
    uint64_t camera = 0;
    uint64_t frames = 10;
    uint64_t breaksAt = UINT64_MAX;  ///< The frame at which read() throws.
    uint64_t hangsAt = UINT64_MAX;   ///< The frame at which read() waits for the interrupt.
    uint64_t every = 1;  ///< The interval of the sets that hold a frame, beginning with set 0.
    double rate = 0;     ///< The frame rate that it states; 0: it states none.
    /// True if the times of frames are known. This counts only with a stated rate.
    bool timesKnown = true;
  };
  explicit ScriptedRecording(const Script& script, const capture::Interrupt* interrupt = nullptr)
      : script_(script), interrupt_(interrupt) {}

  const gpu::ImageFormat& format() const override { return script_.format; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return script_.frames; }
  std::optional<double> statedRate() override {
    return script_.rate > 0 ? std::optional(script_.rate) : std::nullopt;
  }
  std::vector<double> frameTimes() override {
    std::vector<double> times;
    for (uint64_t i = 0; script_.timesKnown && i < script_.frames; ++i) times.push_back(timeOf(i));
    return times;
  }
  bool canSeek() const override { return true; }
  void seek(FrameNumber frame) override { next_ = frame.value(); }

  capture::Reading read(const gpu::ImageView& image) override {
    if (next_ == script_.breaksAt) throw Error("the recording broke");
    if (next_ == script_.hangsAt) {
      while (!interrupt_->isSet()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return {gpu::CameraState::none};
    }
    if (next_ >= script_.frames) return {};
    if (next_ % script_.every != 0) {
      ++next_;
      capture::Reading gap{.state = gpu::CameraState::none};
      gap.gap = true;
      return gap;
    }
    paint(image, script_.camera, next_);
    const double time = timeOf(next_);
    return {gpu::CameraState::frame, {.sequence = FrameNumber(next_++), .time = time}};
  }

 private:
  double timeOf(uint64_t frame) const {
    return static_cast<double>(frame) / (script_.rate > 0 ? script_.rate : 100);
  }

  Script script_;
  const capture::Interrupt* interrupt_;
  std::string name_ = "recording";
  uint64_t next_ = 0;
};

/// The commands of a test for a live camera. Thread-safe.
class Cable {
 public:
  /// Sends a frame, `lost` or `ended`. A frame without a time gets that of a camera with 100 frames
  /// per second. Returns as soon as the feed has taken the event and asks for the next one.
  void send(gpu::CameraState state, std::optional<double> time = {}) {
    std::unique_lock lock(mutex_);
    events_.push_back({state, time});
    changed_.notify_all();
    changed_.wait(lock, [&] { return gone_ || (events_.empty() && asked_ > given_); });
  }
  /// Makes the next read() throw.
  void breakDown() {
    const std::lock_guard lock(mutex_);
    broken_ = true;
    changed_.notify_all();
  }

 private:
  friend class ScriptedCamera;
  std::mutex mutex_;
  std::condition_variable changed_;
  struct Event {
    gpu::CameraState state;
    std::optional<double> time;
  };
  std::deque<Event> events_;
  /// The number of calls of read() that have begun, and of those that ended with an event.
  uint64_t asked_ = 0, given_ = 0;
  bool broken_ = false;
  bool gone_ = false;
};

/// A live camera that does what its cable tells.
class ScriptedCamera final : public capture::Source {
 public:
  ScriptedCamera(std::shared_ptr<Cable> cable, const gpu::ImageFormat& format, uint64_t camera)
      : cable_(std::move(cable)), format_(format), camera_(camera) {}

  const gpu::ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return std::nullopt; }
  bool isLive() const override { return true; }

  capture::Reading read(const gpu::ImageView& image) override {
    Cable& c = *cable_;
    std::unique_lock lock(c.mutex_);
    c.asked_ = c.given_ + 1;
    c.changed_.notify_all();
    c.changed_.wait_for(lock, std::chrono::milliseconds(20),
                        [&] { return c.broken_ || !c.events_.empty(); });
    if (c.broken_) {
      c.gone_ = true;
      throw Error("the camera burnt");
    }
    if (c.events_.empty()) return {gpu::CameraState::none};
    const auto [state, stamped] = c.events_.front();
    c.events_.pop_front();
    ++c.given_;
    if (state == gpu::CameraState::ended) {
      c.gone_ = true;
      c.changed_.notify_all();
    }
    if (state != gpu::CameraState::frame) return {state};
    paint(image, camera_, next_);
    const double time = stamped.value_or(static_cast<double>(next_) / 100);
    return {gpu::CameraState::frame,
            {.sequence = FrameNumber(next_++),
             .time = time,
             .sourceSequence = SourceSequence(1000 + next_)}};
  }

 private:
  std::shared_ptr<Cable> cable_;
  gpu::ImageFormat format_;
  uint64_t camera_;
  std::string name_ = "camera";
  uint64_t next_ = 0;
};

}  // namespace glint::test
