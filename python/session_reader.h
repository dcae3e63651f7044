// Sessions of recordings and cameras, for a program that takes frames or whole tables.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/study/advice/findings.h"
#include "config/settings.h"
#include "gpu/frame.h"
#include "python/frame_table.h"
#include "python/rig_input.h"

namespace glint::motion {
struct Frame;
}  // namespace glint::motion

namespace glint::python {

/// As `glint track` takes it.
struct SessionRequest {
  std::vector<std::string> sources;
  Settings settings;
  std::string from;  ///< as --from: "120", "12.5s"; empty: the beginning
  std::optional<uint64_t> frames;
  std::optional<bool> stills, stitch;
  bool realtime = false;
  RigInput rig = {};
};

/// How far a session is. One thread writes, any reads.
struct SessionProgress {
  std::atomic<uint64_t> frames = 0;
  std::atomic<uint64_t> length = 0;  ///< 0: not known
};

struct TrackedRows {
  FrameTable rows{FrameTable::Kind::tracks};
  /// With a rig: of the whole set.
  FrameTable points{FrameTable::Kind::points}, poses{FrameTable::Kind::poses};
  std::vector<study::Finding> findings;  ///< without trials of other settings
  std::string sources;                   ///< JSON: what was known of each before its first frame
  std::string failure;                   ///< what ended it early; the rows before are there
};

/// Runs a whole session. Throws UsageError or Error where it cannot begin. `interrupt` ends it, and
/// what it waits for.
TrackedRows trackAll(const SessionRequest& request, capture::Interrupt& interrupt,
                     SessionProgress& progress);

/// One frame of a session in a program's hands. Any thread.
class TakenFrame {
 public:
  explicit TakenFrame(std::shared_ptr<const motion::Frame> frame) : frame_(std::move(frame)) {}

  size_t cameras() const;
  uint64_t index() const;  ///< the set
  double time() const;     ///< s, the earliest of its cameras

  struct Camera {
    const char* state;               ///< "frame", "none", "lost" or "ended"
    std::optional<uint64_t> number;  ///< of this camera's frames
    double time = 0;                 ///< s
  };
  Camera camera(size_t index) const;

  /// Of all cameras, or one.
  FrameTable table(FrameTable::Kind kind, std::optional<size_t> camera) const;

  /// The pixels, and what keeps them. Throws Error once they are gone.
  struct Pixels {
    gpu::ImageView image;
    std::shared_ptr<const void> owner;
  };
  std::optional<Pixels> pixels(size_t camera) const;

  /// Lets go of its pixels, for the session to use again.
  void dropPixels();

 private:
  std::shared_ptr<const motion::Frame> frame() const;

  mutable std::mutex mutex_;
  std::shared_ptr<const motion::Frame> frame_;
  bool dropped_ = false;
};

/// A session whose frames are taken one by one. Any thread; one at a time waits for a frame.
class SessionReader {
 public:
  /// Frames whose pixels may be in a program's hands: the newest, and those before.
  static constexpr size_t kHeld = 3;

  /// Opens the sources. Throws UsageError or Error. `interrupt` ends what is waited for.
  SessionReader(const SessionRequest& request, std::shared_ptr<capture::Interrupt> interrupt);
  ~SessionReader();

  struct Polled {
    std::shared_ptr<TakenFrame> frame;  ///< null: none came
    bool over = false;                  ///< none will come
  };
  /// The next frame if it comes within `patience`. Throws Error with what has ended the session,
  /// once, after its last frame; where images of earlier frames are still held; and once it was
  /// closed. Throws UsageError where settings of change() were refused.
  Polled poll(std::chrono::milliseconds patience);

  /// Soon; does not wait. Throws UsageError for limits that contradict each other and for
  /// another device.
  void change(const Settings& settings);
  Settings settings() const;  ///< those that it began with, or that change() was given

  size_t cameras() const;
  bool live() const;
  std::optional<uint64_t> length() const;  ///< sets, where known

  /// Ends it, and lets go of its cameras and files. Frames that were taken stay.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace glint::python
