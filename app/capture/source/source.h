// Defines the interface of all sources of frames: one Source is one camera of a session.
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

/// The result of a read.
struct Reading {
  gpu::CameraState state = gpu::CameraState::ended;
  gpu::FrameStamp stamp = {};  ///< valid if `state` is `frame`
  std::string problem = {};    ///< reason why the camera is lost, one sentence
  /// True if `state` is `none` because a recording whose cameras share sets has no frame in this
  /// set.
  bool gap = false;
  uint64_t damaged = 0;  ///< damaged frames that were left out since the last reading
};

/// A fact about a source, such as "pixel_format", "YUYV".
struct SourceFact {
  std::string name, value;
};

/// The facts and assumptions about a source before its first frame is measured.
struct SourceSummary {
  std::string orientation = {};  ///< "turned by 90 degrees clockwise"; empty: as it is stored
  std::optional<UsedValues> used = {};   ///< in the first frame, of the format's scale
  uint32_t bitsStored = 0;               ///< of a value in the file; 0: as in the format
  std::string colour = {};               ///< "grey, full range"; empty: nothing beyond the format
  std::optional<uint64_t> frames = {};   ///< pictures; gaps do not count
  bool framesAreEstimated = false;       ///< true if they follow from a duration and a rate
  double pixelAspect = 1;                ///< width of a pixel / its height
  std::optional<double> rate = {};       ///< frames a second
  std::string rateFrom = {};             ///< "as ImageJ's finterval says", "assumed"
  std::optional<double> firstTime = {};  ///< s, of the first frame on the recording's own clock
  /// s: the time of frame 0 that the user gave, so that several recordings have one clock.
  std::optional<double> offset = {};
  /// Streams, pages and files that are not read, and what is assumed: one sentence each.
  std::vector<std::string> remarks = {};
  /// Sentences about assumptions that are likely to be wrong. Each ends with the option that
  /// changes it.
  std::vector<std::string> warnings = {};
  /// Numbers of frames that are missing in between, in words: "5, 6 and 10 to 12"; or empty.
  std::string missing = {};
};

/// The value of camera.exposure that starts a search for the exposure at which only markers are
/// bright (ExposureFinder).
inline constexpr const char* kFindExposure = "find";
/// The name of the fact that holds the exposure that was found.
inline constexpr const char* kFoundExposure = "found_exposure";

/// A camera, a recording or a generator of frames. One thread at a time may use it.
class Source {
 public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Returns size, channels and depth of every frame, which never change.
  virtual const gpu::ImageFormat& format() const = 0;

  /// Returns the text with which the source was opened, without its secrets (see hideSecrets()),
  /// for messages and records.
  virtual const std::string& name() const = 0;

  /// Returns the number of frames (of raw recordings: of sets), exactly or as the container says;
  /// empty if the source does not know it.
  virtual std::optional<uint64_t> frameCount() const = 0;

  /// Returns the rate of a recording each of whose frames has a time, frames/s; the average rate if
  /// frames are missing. Empty if the recording has no clock, or if its frames themselves say to
  /// which sets of a session they belong. May read a whole file.
  virtual std::optional<double> statedRate() { return std::nullopt; }

  /// Returns the times that read() will give to all frames, s; empty if they are not known without
  /// decoding pixels. May read a whole file.
  virtual std::vector<double> frameTimes() { return {}; }

  /// Returns true if frames come by themselves, so that the newest one counts; false for
  /// recordings, which wait to be read.
  virtual bool isLive() const { return false; }

  /// Returns true if the stamps' times are those of the host's monotonic clock, s, and not of the
  /// source's own clock.
  virtual bool onHostClock() const { return false; }

  /// Returns facts about a camera and its frames, for records.
  virtual std::vector<SourceFact> facts() const { return {}; }

  /// Returns the facts and assumptions about the source. To be called before the first read().
  virtual SourceSummary summary() { return {}; }

  /// Returns true if this is a raw recording of pictures that have nothing to do with each other.
  virtual bool isOfStills() const { return false; }

  /// Returns a text that identifies a camera, whatever its number and after it has come back; empty
  /// if there is none.
  virtual std::string id() const { return {}; }

  /// Live: returns the camera's controls, if they or their values may have changed since the last
  /// call; otherwise empty.
  virtual std::optional<CameraOffer> newOffer() { return std::nullopt; }

  /// Live: sets the controls of the camera that `request` changes. Throws Error or UsageError if
  /// some cannot be set; the others are set nevertheless.
  virtual void adjust(const Settings::Camera&) {}

  /// Returns true if seek() can be called, as for recordings on disk, folders of images, and
  /// synthetic scenes.
  virtual bool canSeek() const { return false; }

  /// Makes the next read() give frame `frame`, counted from 0 at the start, with the same pixels
  /// and the same stamp as when reading from the start; at or beyond the end it gives `ended`. If
  /// the source broke before, that is forgotten. Throws Error if canSeek() is false or the file
  /// breaks.
  virtual void seek(FrameNumber frame);

  /// Returns true if read() may report gaps.
  virtual bool mayHaveGaps() const { return false; }

  /// Writes the next frame into `image`, whose format must be format(), or returns the reason why
  /// there is none. `none`: no frame came in about 100 ms (live), there is a gap, or the read was
  /// interrupted. `lost`: the camera is away and may come back. `ended`: there are no more frames.
  /// Throws Error if the source breaks (cut file, changed size); earlier frames stay valid.
  virtual Reading read(const gpu::ImageView& image) = 0;
};

/// The sources of a session, one for each camera.
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
