// Where frames come from: one Source is one camera of a session.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/bits_used.h"
#include "app/capture/source/camera_info.h"
#include "config/settings.h"
#include "gpu/frame.h"

namespace glint::capture {

class Interrupt;

/// What a read gave. `stamp` counts where `state` is frame.
struct Reading {
  gpu::CameraState state = gpu::CameraState::ended;
  gpu::FrameStamp stamp = {};
  std::string problem = {};  ///< why it is lost, one sentence
  /// Of a recording whose cameras share sets, with `none`: it has no frame in this set.
  bool gap = false;
  uint64_t damaged = 0;  ///< frames that came damaged and were left out, since the last reading
};

/// Something to know of a source: "pixel_format", "YUYV".
struct SourceFact {
  std::string name, value;
};

/// What is known of a source before its first frame is measured, and what is assumed of it.
struct SourceSummary {
  std::string orientation = {};  ///< "turned by 90 degrees clockwise"; empty: as it is stored
  std::optional<UsedValues> used = {};   ///< in the first frame, of the format's scale
  uint32_t bitsStored = 0;               ///< of a value in the file; 0: as in the format
  std::string colour = {};               ///< "grey, full range"; empty: nothing beyond the format
  std::optional<uint64_t> frames = {};   ///< pictures; gaps do not count
  std::optional<double> rate = {};       ///< frames a second
  std::string rateFrom = {};             ///< "as ImageJ's finterval says", "assumed"
  std::optional<double> firstTime = {};  ///< s, of the first frame on the recording's own clock
  /// Streams, pages and files that are not read, and what is assumed: one sentence each.
  std::vector<std::string> remarks = {};
  /// The same of what is likely to be wrong: each ends with the option that changes it.
  std::vector<std::string> warnings = {};
  /// Numbers of frames that are missing in between, in words: "5, 6 and 10 to 12"; or empty.
  std::string missing = {};
};

/// The value of camera.exposure that has a camera look for the exposure at which only markers are
/// left (ExposureFinder), and the fact that says which it was once that is found.
inline constexpr const char* kFindExposure = "find";
inline constexpr const char* kFoundExposure = "found_exposure";

/// A camera, a recording or a generator. Used by one thread at a time.
class Source {
 public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Size, channels and depth of every frame; constant for the life of the source.
  virtual const gpu::ImageFormat& format() const = 0;

  /// The text the source was opened with, without its secrets (hideSecrets()): for messages and
  /// records.
  virtual const std::string& name() const = 0;

  /// How many frames there will be, of raw recordings sets, where the source knows (exactly or as
  /// its container says).
  virtual std::optional<uint64_t> frameCount() const = 0;

  /// Frames a second of a recording, on average where it lacks frames, and each of its frames has a
  /// time; empty where it has no clock, or where its frames tell in which sets of a session they
  /// were. May read a whole file.
  virtual std::optional<double> statedRate() { return std::nullopt; }

  /// The times that read() will give to all frames, s, where they can be told without their pixels;
  /// else empty. May read a whole file.
  virtual std::vector<double> frameTimes() { return {}; }

  /// Whether frames come by themselves, so that the newest counts. Recordings wait to be read.
  virtual bool isLive() const { return false; }

  /// Whether the stamps' times are the host's monotonic clock, s, and not the source's own.
  virtual bool onHostClock() const { return false; }

  /// What a camera is and gives, for records.
  virtual std::vector<SourceFact> facts() const { return {}; }

  /// What is known of it, and assumed. Before the first read().
  virtual SourceSummary summary() { return {}; }

  /// Whether it is a raw recording of pictures that have nothing to do with each other.
  virtual bool isOfStills() const { return false; }

  /// What a camera is known by, whatever its number, and when it comes back; empty: nothing.
  virtual std::string id() const { return {}; }

  /// Live: what can be set of it, if that, or a value, may have changed since this was last called.
  virtual std::optional<CameraOffer> newOffer() { return std::nullopt; }

  /// Live: sets those controls of the camera that `request` changes. Throws Error or UsageError;
  /// what could be set is.
  virtual void adjust(const Settings::Camera&) {}

  /// Whether seek() can be called: recordings on disk, folders of images, synthetic scenes.
  virtual bool canSeek() const { return false; }

  /// The next read() delivers frame `frame`, counted from 0 at the start, with the same pixels and
  /// the same stamp as when read from the start. At or beyond the end it says `ended`. What broke
  /// the source before is forgotten. Throws Error where canSeek() is false or the file breaks.
  virtual void seek(FrameNumber frame);

  /// Whether read() may tell of gaps.
  virtual bool mayHaveGaps() const { return false; }

  /// Writes the next frame into `image`, whose format equals format(), or says why there is none:
  /// `none`: nothing this time, after at most about 100 ms (live), or interrupted;
  /// `lost`: the camera is away and may come back; `ended`: no more frames.
  /// Throws Error when the source breaks (cut file, changed size); frames already delivered stand.
  virtual Reading read(const gpu::ImageView& image) = 0;
};

/// The sources of a session, a camera each.
using SourceList = std::vector<std::unique_ptr<Source>>;

/// Memory for one frame of a source.
class FrameBuffer {
 public:
  explicit FrameBuffer(const gpu::ImageFormat& format)
      : format_(format), pixels_(format.pixels() * format.bytesPerPixel()) {}
  gpu::ImageView view() {
    return {format_, pixels_.data(), size_t{format_.width} * format_.bytesPerPixel()};
  }

 private:
  gpu::ImageFormat format_;
  std::vector<std::byte> pixels_;
};

}  // namespace glint::capture
