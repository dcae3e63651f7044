// Runs sessions of recordings and cameras for a program that takes frames or whole tables.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "app/study/advice/findings.h"
#include "config/settings.h"
#include "gpu/frame.h"
#include "python/frame_table.h"
#include "python/rig_input.h"

namespace glint::motion {
struct Frame;
}  // namespace glint::motion

namespace glint::python {

/// The options of `glint track`.
struct SessionRequest {
  std::vector<Address> sources;
  /// Makes the sources of images that the program hands over. If it is set, it is called once, and
  /// `sources` is empty.
  std::function<capture::SourceList()> makeSources = {};
  Settings settings;
  study::SettingsFor settingsFor;  ///< the same for another kind of marker; for trackAll()
  std::string from;                ///< as --from: "120", "12.5s"; empty: the beginning
  std::optional<uint64_t> frames;
  std::optional<bool> stills, stitch;
  bool realtime = false;
  RigInput rig = {};
  /// Folder into which trackAll() writes stats.csv, rejected.csv and record.json; empty: none.
  std::string details = {};
};

/// The progress of a session. One thread writes, any thread may read.
struct SessionProgress {
  std::atomic<uint64_t> frames = 0;  ///< frames that are done
  std::atomic<uint64_t> length = 0;  ///< frames in all; 0: not known
};

struct TrackedRows {
  FrameTable rows{FrameTable::Kind::tracks};
  /// Points and bodies in space; empty without a rig.
  FrameTable points{FrameTable::Kind::points}, poses{FrameTable::Kind::poses};
  std::vector<study::Finding> findings;  ///< without trials of other settings
  std::string sources;                   ///< JSON: what was known of each before its first frame
  /// The frames of each camera that were tracked; empty for a camera without any.
  std::vector<std::optional<std::pair<uint64_t, uint64_t>>> frames;
  std::string failure;  ///< what ended it early; the rows before are there
};

/// Runs a whole session and returns its rows. Setting `interrupt` from another thread ends the
/// session and everything for which it waits. Throws UsageError or Error if the session cannot
/// begin.
TrackedRows trackAll(const SessionRequest& request, capture::Interrupt& interrupt,
                     SessionProgress& progress);

/// One frame of a session that a program has taken. Thread-safe.
class TakenFrame {
 public:
  explicit TakenFrame(std::shared_ptr<const motion::Frame> frame) : frame_(std::move(frame)) {}

  size_t cameras() const;
  uint64_t index() const;  ///< returns the number of the set of frames
  double time() const;     ///< returns the earliest time of its cameras, s; 0 if none has a frame

  struct Camera {
    const char* state;               ///< "frame", "none", "lost" or "ended"
    std::optional<uint64_t> number;  ///< number of the frame among this camera's frames
    double time = 0;                 ///< s
  };
  Camera camera(size_t index) const;

  /// Returns the rows of all cameras, or of one.
  FrameTable table(FrameTable::Kind kind, std::optional<size_t> camera) const;

  /// Pixels, and the object that keeps them in memory.
  struct Pixels {
    gpu::ImageView image;
    std::shared_ptr<const void> owner;
  };
  /// Returns the pixels of a camera; empty if it gave no frame. Throws Error after dropPixels().
  std::optional<Pixels> pixels(size_t camera) const;

  /// Gives up the pixels, so that the session can use their memory again.
  void dropPixels();

 private:
  std::shared_ptr<const motion::Frame> frame() const;

  mutable std::mutex mutex_;
  std::shared_ptr<const motion::Frame> frame_;
  bool dropped_ = false;
};

/// A session whose frames are taken one by one. Thread-safe; one thread at a time waits for a
/// frame.
class SessionReader {
 public:
  /// The number of frames, the newest included, whose pixels a program may hold.
  static constexpr size_t kHeld = 3;

  /// Opens the sources. Setting `interrupt` from another thread ends the waiting for them. Throws
  /// UsageError or Error.
  SessionReader(const SessionRequest& request, std::shared_ptr<capture::Interrupt> interrupt);
  ~SessionReader();

  struct Polled {
    std::shared_ptr<TakenFrame> frame;  ///< null: no frame came in time
    bool over = false;                  ///< true: no further frame will come
  };
  /// Waits for the next frame, at most for `patience`. Throws Error if a failure has ended the
  /// session (once, after its last frame), if too many images of earlier frames are still held, and
  /// if the session was closed. Throws UsageError if settings given to change() turned out wrong.
  Polled poll(std::chrono::milliseconds patience);

  /// Changes the settings soon, without waiting. Throws UsageError for limits that contradict each
  /// other and for another device, Error if the session was closed.
  void change(const Settings& settings);
  Settings settings() const;  ///< returns the settings last given to change(), or the first ones

  size_t cameras() const;
  bool live() const;
  std::optional<uint64_t> length() const;  ///< returns the number of frames; empty: not known

  /// Ends the session, and closes its cameras and files. Frames that were taken stay usable.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace glint::python
